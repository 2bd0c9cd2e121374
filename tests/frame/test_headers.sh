# test_headers: every header compiles alone and twice, as C11; the public ones as C++17 too.
# labels: frame
set -euo pipefail

flags=(-Iinclude -Ihost -I. -D_XOPEN_SOURCE=700 -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only)
read -r -a packages <<<"$(pkg-config --cflags libfyaml jansson lapacke hdf5)"
status=0

# A translation unit of nothing but the header: it must bring all it needs, and guard itself.
compiles() {
    local header=$1
    shift
    printf '#include "%s"\n#include "%s"\n' "$header" "$header" | "$@" - || { echo "$header: $*"; status=1; }
}

for header in $(cd include && find . -name '*.h' | sed 's|^\./||') $(cd host && find . -name '*.h' | sed 's|^\./||'); do
    compiles "$header" "$CC" -x c -std=c11 -Wstrict-prototypes "${flags[@]}" "${packages[@]}"
done
for header in $(cd include && find . -name '*.h' | sed 's|^\./||'); do
    compiles "$header" "$CC" -x c -std=c11 -pedantic-errors -Iinclude -Wall -Wextra -Werror -fsyntax-only
    compiles "$header" "$CXX" -x c++ -std=c++17 -pedantic-errors -Iinclude -Wall -Wextra -Werror -fsyntax-only
done
exit $status
