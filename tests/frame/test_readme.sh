# test_readme: what README.md shows is what there is: the example program, the scene, its errors, the picture.
# labels: frame
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "README.md: $1"
    exit 1
}

# The one block of a language.
block() {
    awk -v fence="\`\`\`$1" '$0 == "```" { inside = 0 } inside { print } $0 == fence { inside = 1 }' README.md
}

diff <(block c) tests/frame/example_library.c || fail "the example differs from tests/frame/example_library.c"
[ "$(wc -l <tests/frame/example_library.c)" -le 40 ] || fail "the example is longer than 40 lines"

block yaml >"$work/swing.yaml"
[ "$(wc -l <"$work/swing.yaml")" -le 10 ] || fail "the first scene is longer than ten lines"
cd "$work"
"$SHEAF_COMMAND" check swing.yaml >/dev/null || fail "the first scene has errors"

sed 's/vertices: 40/vertecies: 40/; s/period: 0.8 s/period: 0.8 m/' swing.yaml >typo.yaml
"$SHEAF_COMMAND" check typo.yaml >said 2>&1 && fail "mistakes are not found"
cd "$OLDPWD"
diff <(block text) "$work/said" || fail "the errors shown are not those of the scene with two mistakes"

for link in $(sed -nE 's/.*\]\(([^):#]+)\).*/\1/p' README.md docs/*.md | sort -u); do
    [ -e "$link" ] || [ -e "docs/$link" ] || fail "nothing at $link"
done
for picture in $(sed -nE 's/^!\[.*\]\((.*)\)$/\1/p' README.md); do
    [ "$(wc -c <"$picture")" -le 400000 ] || fail "$picture is larger than 400 kB"
done
