# test_kernels_syntax: every kernel text is valid OpenCL C in forms of all kinds, whether or not a test runs it.
# labels: frame
set -euo pipefail

if ! command -v clang >/dev/null; then
    echo "clang is not installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The texts as they are embedded, out of the C files that hold them.
texts=$(cd "$SHEAF_BUILD" && ls kernels.c peak.c)
for text in $texts; do
    printf '%s\n' "#include \"$SHEAF_BUILD/$text\""
done >"$folder/all.c"
cat >>"$folder/all.c" <<'EOF'
#include <stdio.h>
int main(int count, char **words)
{
    const char *const texts[] = {kernels_fused, kernels_staged, kernels_figures, kernels_peak};
    (void)count;
    return puts(texts[words[1][0] - '0']) < 0;
}
EOF
${CC:-cc} -Ihost -o "$folder/all" "$folder/all.c"

compile() {
    local entry=$1
    shift
    "$folder/all" "$entry" | clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -D__OPENCL_VERSION__=120 \
        -fsyntax-only -w "$@" -
}

for entry in 0 1 2 3; do
    for form in "8 8 0" "1 8 0" "4 4 1"; do
        read -r lanes width double <<<"$form"
        for general in 0 1; do
            compile $entry -DLANE_WIDTH="$lanes" -DBUNDLE_WIDTH="$width" -DPRECISION_DOUBLE="$double" -DGENERAL=$general \
                -DDAMPED=$general -DPADDED=1 -DAIR=$general -DCOLLIDERS=$general -DINTEGRATOR=$((general * 2)) -DPROJECTOR=$((general * 2)) -DSTART_GRADIENTS=$general
        done
    done
done
