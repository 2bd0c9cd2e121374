# test_links: what test_layers.sh holds for includes, for symbols: a folder of host/ links with those of lower rank alone,
# no method with another, and the reference of a method not with its device half. Looks at the objects of the build.
# labels: frame
set -euo pipefail
export LC_ALL=C
source tests/frame/ranks.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The list of methods is the one place that knows them.
exception=method/list.c.o
objects=$SHEAF_BUILD/host/CMakeFiles

# "symbol folder" of all that is defined, "symbol folder object" of all that is used. A folder is FOLDER or, in a method,
# METHOD/ref or METHOD/device.
while read -r object; do
    source=host/${object#"$objects"/*.dir/}
    [ ! -f "${source%.o}" ] || echo "$object" # else its source is gone
done < <(find "$objects"/{sheaf_objects,sheaf_view,sheaf_reproduce,sheaf}.dir -name '*.o') >"$work/objects"
xargs nm --print-file-name --extern-only <"$work/objects" | awk -v work="$work" '
    {
        object = $1
        sub(/:[0-9a-f]*$/, "", object)
        sub(/^.*[.]dir\//, "", object)
        folder = object
        sub(/\/[^\/]*$/, "", folder)
        if ($(NF - 1) ~ /^[Uw]$/)
            print $NF, folder, object >(work "/used")
        else
            print $NF, folder >(work "/defined")
    }'

[ "$(wc -l <"$work/defined")" -ge 500 ] || { echo "found too few symbols in $objects to believe in"; exit 1; }

status=0
edges=0
while read -r symbol user object owner; do
    edges=$((edges + 1))
    [ "$object" != "$exception" ] || continue
    from=${user%%/*} to=${owner%%/*}
    if [ -z "${rank[$from]:-}" ] || [ -z "${rank[$to]:-}" ]; then
        echo "$object: folder $from or $to has no rank" && status=1
    elif [ "$from" != "$to" ] && [ "${rank[$to]}" -ge "${rank[$from]}" ]; then
        echo "$object: $from uses $symbol of $to, against the direction of dependencies" && status=1
    elif [ "$user" = "$from/ref" ] && { [ "$owner" = "$from/device" ] || [ "$to" = cl ]; }; then
        echo "$object: the reference uses $symbol of $owner" && status=1
    elif [ "$user" = "$from/device" ] && [ "$owner" = "$from/ref" ]; then
        echo "$object: the device half uses $symbol of $owner" && status=1
    fi
done < <(join <(sort -u "$work/used") <(sort -u "$work/defined") | awk '$2 != $4')
[ "$edges" -ge 500 ] || { echo "found too few links between folders to believe in"; status=1; }
exit $status
