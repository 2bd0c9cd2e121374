# test_layers: dependencies between the parts of host/ point one way, and the library neither prints nor exits.
# labels: frame
set -euo pipefail

# Each part may include itself and the parts before it. io and cli sit beside each other on top of the solver.
order=(base scene model ref solver io cli)
status=0

complain() {
    echo "$1"
    status=1
}

rank_of() {
    local i
    for i in "${!order[@]}"; do
        [ "${order[$i]}" != "$1" ] || echo "$i"
    done
}

for file in host/*/*.[ch]; do
    part=$(basename "$(dirname "$file")")
    own=$(rank_of "$part")
    [ -n "$own" ] || { complain "$file: folder $part is not in the order of the parts"; continue; }
    while read -r other; do
        [ "$other" = sheaf ] && continue
        theirs=$(rank_of "$other")
        [ -n "$theirs" ] || { complain "$file: includes \"$other/...\", which is no part of host/"; continue; }
        [ "$theirs" -le "$own" ] || complain "$file: $part includes $other, against the direction of dependencies"
    done < <(sed -nE 's|^#include "([a-z_]+)/.*|\1|p' "$file")
    if grep -nE '^#include "[^/]*"' "$file"; then
        complain "$file: an include names its part: \"part/file.h\""
    fi
done

# What would make a library unfit to be embedded. Writing to a file handle of its own is fine.
banned='(^|[^_[:alnum:]])(v?printf|puts|putchar|perror|exit|_exit|quick_exit|abort|assert|raise|system) *\(|fprintf *\( *std(err|out)|std(err|out)\)'
for part in "${order[@]}"; do
    [ "$part" != cli ] && [ -d "host/$part" ] || continue
    if grep -nE "$banned" "host/$part"/*.[ch] | grep -vE '^[^:]*:[0-9]+: *(//|///)|__attribute__'; then
        complain "host/$part: the library never prints, exits or aborts"
    fi
done
exit $status
