# test_layers: dependencies between the parts of host/ point one way, and the library neither prints nor exits.
# labels: frame
set -euo pipefail

# A part may include itself and any part of a lower rank. Methods share a rank: none knows another.
declare -A rank=([kernels]=0 [base]=0 [method]=1 [groom]=1 [mesh]=2 [grow]=3 [scene]=4 [model]=5 [children]=6 [cl]=6 [der]=7 [solver]=8 [io]=9 [run]=10 [verify]=11 [bench]=11 [view]=12 [reproduce]=13 [cli]=14)
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
for folder in host/*/ref; do
    method=${folder#host/} method=${method%/ref}
    if grep -nE '^#include "(cl|'"$method"'/device)/' "$folder"/*.[ch] || grep -nE '^#include "'"$method"'/ref/' host/"$method"/device/*.[ch]; then
        complain "$method: reference and device half include each other"
    fi
done

# The engine serves any method: it names no array of one.
if grep -nE 'kernels/(der|cable|corde|quasistatic)/|DER_[a-z]' host/cl/*.c; then
    complain "host/cl knows a method"
fi

# What would make a library unfit to be embedded. Writing to a file handle of its own is fine.
banned='(^|[^_[:alnum:]])(v?printf|puts|putchar|perror|exit|_exit|quick_exit|abort|assert|raise|system) *\(|fprintf *\( *std(err|out)|std(err|out)\)'
for part in "${!rank[@]}"; do
    [ "$part" != cli ] && [ -d "host/$part" ] || continue
    if grep -rnE --include='*.[ch]' "$banned" "host/$part" | grep -vE '^[^:]*:[0-9]+: *(//|///)|__attribute__'; then
        complain "host/$part: the library never prints, exits or aborts"
    fi
done
exit $status
