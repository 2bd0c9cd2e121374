# test_kernels_syntax: every kernel text is valid OpenCL C in forms of all kinds, whether or not a test runs it.
# labels: frame
set -euo pipefail

if ! command -v clang >/dev/null; then
    echo "clang is not installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Programs as the library puts them together.
cat >"$folder/all.c" <<'EOF'
#include "cl/parts.h"
#include <stdio.h>
int main(int count, char **words)
{
    base_text text = {0};
    return count < 2 || parts_assemble(words[1], NULL, 0, &text) != SHEAF_OK || puts(text.bytes) < 0;
}
EOF
${CC:-cc} -D_XOPEN_SOURCE=700 -Iinclude -Ihost -o "$folder/all" "$folder/all.c" host/cl/parts.c "$SHEAF_BUILD/kernels.c" \
    host/base/*.c -lpthread -lm

compile() {
    local entry=$1
    shift
    "$folder/all" "$entry" | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -D__OPENCL_VERSION__=120 \
        -fsyntax-only -w "$@" -
}

for entry in kernels/*/*.cl; do
    for form in "8 8 0" "1 8 0" "4 4 1"; do
        read -r lanes width double <<<"$form"
        for general in 0 1; do
            compile "$entry" -DLANE_WIDTH="$lanes" -DBUNDLE_WIDTH="$width" -DPRECISION_DOUBLE="$double" -DGENERAL=$general \
                -DDAMPED=$general -DPADDED=1 -DAIR=$general -DCOLLIDERS=$general -DINTEGRATOR=$((general * 2)) -DPROJECTOR=$((general * 2)) -DSTART_GRADIENTS=$general
        done
    done
done
