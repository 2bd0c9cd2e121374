# test_blas_builds: the shim compiles with CLBlast, with clBLAS and with neither.
# labels: frame
set -euo pipefail

compile() {
    ${CC:-cc} -std=c11 -D_XOPEN_SOURCE=700 -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only -Iinclude -Ihost \
        "$@" host/cl/blas.c
}

compile
compile -DSHEAF_BLAS_CLBLAS -isystem tests/support/clblas
if [ -e /usr/include/clblast_c.h ]; then
    compile -DSHEAF_BLAS_CLBLAST
fi
