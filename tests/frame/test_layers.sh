# test_layers: dependencies between the parts of host/ point one way, and the library neither prints nor exits.
# labels: frame
set -euo pipefail

source tests/frame/ranks.sh
status=0

complain() {
    echo "$1"
    status=1
}

while IFS=: read -r file include; do
    part=${file#host/} part=${part%%/*} other=${include#*\"} other=${other%%/*}
    if [ -z "${rank[$part]:-}" ]; then
        complain "$file: folder $part has no rank"
    elif [[ $include != *\"*/* ]]; then
        complain "$file: $include names no part; write \"part/file.h\""
    elif [ "$other" != sheaf ] && [ "$other" != "$part" ] && [ "${rank[$other]:-99}" -ge "${rank[$part]}" ]; then
        complain "$file: $part includes $other, against the direction of dependencies"
    fi
done < <(grep -E '^#include "' host/*/*.[ch] host/*/*/*.[ch])

# Inside a method the reference and the device half do not know each other: they check each other.
for method in "${methods[@]}"; do
    if grep -rnE '^#include "(cl|'"$method"'/device)/' --include='*.[ch]' "host/$method/ref" ||
        grep -rnE '^#include "'"$method"'/ref/' --include='*.[ch]' "host/$method/device"; then
        complain "$method: reference and device half include each other"
    fi
done

# The engine serves any method: it names no array of one.
for method in "${methods[@]}"; do
    if grep -nE "kernels/$method/|(^|[^_[:alnum:]])${method^^}_[a-z]" host/cl/*.[ch] | grep -vE ':[0-9]+: *//'; then
        complain "host/cl knows the method $method"
    fi
done

# What would make a library unfit to be embedded. Writing to a file handle of its own is fine.
banned='(^|[^_[:alnum:]])(v?printf|puts|putchar|perror|exit|_exit|quick_exit|abort|assert|raise|system) *\(|fprintf *\( *std(err|out)|std(err|out)\)'
for part in "${!rank[@]}"; do
    [ "$part" != cli ] && [ -d "host/$part" ] || continue
    if grep -rnE --include='*.[ch]' "$banned" "host/$part" | grep -vE '^[^:]*:[0-9]+: *(//|///)|__attribute__'; then
        complain "host/$part: the library never prints, exits or aborts"
    fi
done
exit $status
