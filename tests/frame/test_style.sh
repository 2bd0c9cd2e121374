# test_style: files and functions stay readable in size, and sources say what they are for.
# labels: frame
set -euo pipefail

# clang-format puts the braces of functions, and of nothing longer, into the first column.
awk -v longest_file=800 -v longest_function=60 '
    function complain(text) {
        print FILENAME ":" FNR ": " text
        bad = 1
    }
    FNR == 1 {
        start = 0
        name = FILENAME
        gsub(/^.*\/|\.[ch]$/, "", name)
        if (index($0, "// " name ": ") != 1 && index($0, "/// @file " name) != 1)
            complain("the first line says \"// " name ": what it is for\"")
    }
    FNR == longest_file + 1 { complain("a file of more than " longest_file " lines; what is it two of?") }
    /TODO|FIXME/ { complain("leaves work lying about") }
    /^\{/ { start = FNR }
    /^\}/ && start {
        if (FNR - start - 1 > longest_function)
            complain("a function of " FNR - start - 1 " lines")
        start = 0
    }
    END { exit bad }' host/*/*.[ch] include/sheaf/*.h tests/*/*.[ch]
