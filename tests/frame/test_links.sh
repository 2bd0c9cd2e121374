# test_links: each folder of host/ links with those that it may use (ranks.sh) and no others: its objects are made an
# archive, which is taken whole and linked with the archives of its allowed neighbours, so that any other call is an
# undefined symbol. That this finds a wrong call is seen in every folder by one that is planted, to every other folder
# that it may not use.
# labels: frame
set -euo pipefail
export LC_ALL=C
source tests/frame/ranks.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=$SHEAF_BUILD/host/CMakeFiles

# "FOLDER object" of all there is. A folder within a method is one of its own: METHOD, METHOD/ref, METHOD/device ...
while read -r object; do
    source=${object#"$objects"/*.dir/}
    case $source in
    method/list.c.o) ;; # the one place that knows the methods; those who ask it are given an empty list below
    __/kernels.c.o) echo "kernels $object" ;;
    paper_scenes.c.o) echo "reproduce $object" ;;
    starts.c.o) echo "cli $object" ;;
    *) [ ! -f "host/${source%.o}" ] || echo "${source%/*} $object" ;; # else its source is gone
    esac
done < <(find "$objects"/{sheaf_objects,sheaf_view,sheaf_reproduce,sheaf}.dir -name '*.o') | sort >"$work/objects"
mapfile -t folders < <(cut -d' ' -f1 "$work/objects" | uniq)
[ "${#folders[@]}" -ge 25 ] || { echo "found too few folders in $objects to believe in"; exit 1; }

# Files of a folder: its archive NAME.a, the functions that others may call NAME.names, one of them NAME.one.
path() {
    echo "$work/${1//\//-}"
}

for folder in "${folders[@]}"; do
    made=$(path "$folder")
    awk -v folder="$folder" '$1 == folder { print $2 }' "$work/objects" | xargs ar rcs "$made.a"
    nm --extern-only --defined-only "$made.a" | awk 'NF == 3 && $3 != "main" { print $3 }' >"$made.names"
    head -1 "$made.names" >"$made.one"
done

# What the command is linked with beside our objects.
mapfile -t libraries < <(ninja -C "$SHEAF_BUILD" -t commands sheaf | tail -1 | tr ' ' '\n' | grep -E '^-l|[.](so|a)([.0-9]*)$')
[ "${#libraries[@]}" -ge 5 ] || { echo "found too few libraries to believe in"; exit 1; }

# Whether folder $1 may use folder $2. Reference and device half of a method check each other: they share nothing but the
# folder of the method itself, and the reference knows no device.
may_use() {
    local from=${1%%/*} to=${2%%/*}
    if [ "$from" != "$to" ]; then
        [ "${rank[$to]}" -lt "${rank[$from]}" ] && [[ $1:$to != */ref:cl ]]
    else
        [[ $1 != */ref && $1 != */device || $2 == "$1" || $2 != */* ]]
    fi
}

# Links folder $1 whole, and the object $2 where given, with what it may use. The folder of a method, which may use both
# halves, is there for them by its names alone.
link_folder() {
    local other arguments=(-Wl,--whole-archive "$(path "$1").a" -Wl,--no-whole-archive)
    arguments+=(-Wl,--defsym=method_list=0 -Wl,--defsym=sheaf_method_name=0 -Wl,--start-group)
    [ "$1" = cli ] || arguments+=(-Wl,--defsym=main=0)
    for other in "${folders[@]}"; do
        if [ "$other" = "$1" ] || ! may_use "$1" "$other"; then
            continue
        elif [[ $1 == "$other"/ref || $1 == "$other"/device ]]; then
            while read -r name; do
                arguments+=("-Wl,--defsym=$name=0")
            done <"$(path "$other").names"
        else
            arguments+=("$(path "$other").a")
        fi
    done
    "${CXX:-c++}" -o "$work/linked" -Wl,--no-undefined ${2:+"$2"} "${arguments[@]}" -Wl,--end-group "${libraries[@]}"
}

# Plants a call to each folder that folder $1 may not use into it; all of them must be found.
plant() {
    local other wrong=()
    for other in "${folders[@]}"; do
        [ "$other" = "$1" ] || may_use "$1" "$other" || wrong+=("$(cat "$(path "$other").one")")
    done
    [ "${#wrong[@]}" -gt 0 ] || return 0
    for name in "${wrong[@]}"; do
        printf 'void %s(void);\nvoid (*planted_%s)(void) = %s;\n' "$name" "$name" "$name"
    done >"$work/planted.c"
    "${CC:-cc}" -fPIE -w -c -o "$work/planted.o" "$work/planted.c"
    link_folder "$1" "$work/planted.o" >"$work/said" 2>&1 && { echo "$1: planted calls are not found"; return 1; }
    for name in "${wrong[@]}"; do
        grep -qF "undefined reference to \`$name'" "$work/said" || { echo "$1: a planted call of $name is not found"; return 1; }
        planted=$((planted + 1))
    done
}

status=0 planted=0
for folder in "${folders[@]}"; do
    [ -n "${rank[${folder%%/*}]:-}" ] || { echo "folder $folder has no rank"; status=1; }
done
[ "$status" = 0 ] || exit 1
for folder in "${folders[@]}"; do
    if link_folder "$folder" >"$work/said" 2>&1; then
        plant "$folder" || status=1
    else
        echo "$folder does not link with what it may use:"
        tail -20 "$work/said"
        status=1
    fi
done
[ "$planted" -ge 200 ] || { echo "planted too few calls to believe in: $planted"; status=1; }
echo "${#folders[@]} folders, $planted planted calls found"
exit $status
