# test_style: files and functions stay readable in size, and sources say what they are for.
# labels: frame
set -euo pipefail

longest_file=800
longest_function=60
status=0

complain() {
    echo "$1"
    status=1
}

for file in host/*/*.[ch] include/sheaf/*.h tests/*.[ch]; do
    lines=$(wc -l <"$file")
    [ "$lines" -le $longest_file ] || complain "$file: $lines lines; what is it two of?"
    name=$(basename "$file" | sed 's/\.[ch]$//')
    head -1 "$file" | grep -qE "^(// $name: |/// @file $name)" || complain "$file: the first line says \"// $name: what it is for\""
    if grep -nE 'TODO|FIXME|\bXXX\b' "$file"; then
        complain "$file: leaves work lying about"
    fi
    # clang-format puts the braces of a function, and of nothing longer, into the first column.
    awk -v most=$longest_function -v file="$file" '
        /^\{/ { start = NR }
        /^\}/ && start { if (NR - start - 1 > most) { print file ":" start ": function of " NR - start - 1 " lines"; bad = 1 } start = 0 }
        END { exit bad }' "$file" || status=1
done
exit $status
