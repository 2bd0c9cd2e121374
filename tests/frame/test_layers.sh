# test_layers: dependencies between the parts of host/ point one way, and the library neither prints nor exits.
# labels: frame
set -euo pipefail

# A part may include itself and any part of a lower rank. Two backends share a rank: neither knows the other.
declare -A rank=([kernels]=0 [base]=0 [groom]=1 [mesh]=2 [grow]=3 [scene]=4 [model]=5 [ref]=6 [cl]=6 [solver]=7 [verify]=8 [bench]=8 [io]=8 [view]=9 [reproduce]=10 [cli]=11)
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
done < <(grep -E '^#include "' host/*/*.[ch])

# What would make a library unfit to be embedded. Writing to a file handle of its own is fine.
banned='(^|[^_[:alnum:]])(v?printf|puts|putchar|perror|exit|_exit|quick_exit|abort|assert|raise|system) *\(|fprintf *\( *std(err|out)|std(err|out)\)'
for part in "${!rank[@]}"; do
    [ "$part" != cli ] && [ -d "host/$part" ] || continue
    if grep -nE "$banned" "host/$part"/*.[ch] | grep -vE '^[^:]*:[0-9]+: *(//|///)|__attribute__'; then
        complain "host/$part: the library never prints, exits or aborts"
    fi
done
exit $status
