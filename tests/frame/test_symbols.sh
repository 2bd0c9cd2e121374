# test_symbols: libsheaf.so exports exactly the functions that the public header declares, all named sheaf_*.
# labels: frame
set -euo pipefail
export LC_ALL=C

exported=$(nm -D --defined-only "$SHEAF_LIBRARY" | awk '{ print $3 }' | sort)
declared=$(sed -nE 's/^SHEAF_API .*[ *](sheaf_[a-z0-9_]+)\(.*/\1/p' include/sheaf/*.h | sort)
status=0

foreign=$(grep -v '^sheaf_' <<<"$exported" || true)
[ -z "$foreign" ] || { echo "exported without the prefix sheaf_:"; echo "$foreign"; status=1; }

difference=$(comm -3 <(echo "$declared") <(echo "$exported"))
[ -z "$difference" ] || { echo "only declared (left), only exported (right):"; echo "$difference"; status=1; }

[ "$(wc -l <<<"$declared")" -ge 30 ] || { echo "found too few declarations to believe in"; status=1; }
exit $status
