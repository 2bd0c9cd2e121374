# test_symbols: libsheaf.so exports exactly the functions that the public header declares, all named sheaf_*, and those of
# tests/frame/interface.txt, which programs that were built before rely on; structs keep their sizes.
# labels: frame
set -euo pipefail
export LC_ALL=C

exported=$(nm -D --defined-only "$SHEAF_LIBRARY" | awk '{ print $3 }' | sort)
declared=$(sed -nE 's/^SHEAF_API .*[ *](sheaf_[a-z0-9_]+)\(.*/\1/p' include/sheaf/*.h | sort)
promised=$(awk '$1 == "function" { print $3 }' tests/frame/interface.txt | sort)
status=0

foreign=$(grep -v '^sheaf_' <<<"$exported" || true)
[ -z "$foreign" ] || { echo "exported without the prefix sheaf_:"; echo "$foreign"; status=1; }

difference=$(comm -3 <(echo "$declared") <(echo "$exported"))
[ -z "$difference" ] || { echo "only declared (left), only exported (right):"; echo "$difference"; status=1; }

difference=$(comm -3 <(echo "$promised") <(echo "$exported"))
[ -z "$difference" ] || { echo "gone (left), or not in tests/frame/interface.txt yet (right):"; echo "$difference"; status=1; }

[ "$(wc -l <<<"$declared")" -ge 30 ] || { echo "found too few declarations to believe in"; status=1; }

# What came after 0.1 says so where it is declared: in the comment above it, which has no empty line in it.
while read -r version name; do
    awk -v RS= -v name=" \\*?$name\\(" -v since="[Ss]ince $version" '$0 ~ name && $0 ~ since { found = 1 } END { exit !found }' \
        include/sheaf/*.h || { echo "$name: the header does not say \"since $version\""; status=1; }
done < <(awk '$1 == "function" && $2 != "0.1" { print $2, $3 }' tests/frame/interface.txt)

if [ "$(getconf LONG_BIT)" = 64 ]; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    {
        printf '#include <sheaf/sheaf.h>\n#include <stdio.h>\nint main(void)\n{\n'
        sed -nE 's/^typedef struct (sheaf_[a-z_]+) \{.*/    printf("size \1 %zu\\n", sizeof(\1));/p' include/sheaf/*.h
        printf '    return 0;\n}\n'
    } >"$folder/sizes.c"
    "$CC" -Iinclude -o "$folder/sizes" "$folder/sizes.c"
    difference=$(diff <(grep '^size' tests/frame/interface.txt | sort) <("$folder/sizes" | sort) || true)
    [ -z "$difference" ] || { echo "structs of another size than promised (<):"; echo "$difference"; status=1; }
fi
exit $status
