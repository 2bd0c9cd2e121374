#!/usr/bin/env bash
# test_labels: labels of tests are read as they are meant, and what cannot be read ends the configuration.
# labels: frame
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cat > "$folder/read.cmake" << END
include($PWD/tests/labels.cmake)
read_labels($folder/test line labels)
message("[\${labels}] from [\${line}]")
END
failures=0

# What is said of a test with TEXT holds WORDS.
expect() { # TEXT WORDS
    printf '%b\n' "$1" > "$folder/test"
    local said
    said=$("${CMAKE:-cmake}" -P "$folder/read.cmake" 2>&1 | tr -s ' \n' ' ' || true)
    case $said in
        *"$2"*) ;;
        *) echo "of '$1' is said: $said"; failures=$((failures + 1)) ;;
    esac
}

word=labels full=is_second_tier # not written out below, for this file is read as well
expect "int a;" "[] from []"
expect "// It tests. $word: device" "[device] from"
expect "# $word: slow;device (20 s)" "[slow;device] from"
expect "// $word: device;tiers (40 s, all 300 s)\nif ($full())" "[device;tiers] from"
expect "\"\"\"It tests. $word: device\"\"\"" "[device] from"
expect "// It tests. $word: device;tiers (40 s,\n// all 300 s)" "cannot be read"
expect "// It tests. $word:\n// device (20 s)" "cannot be read"
expect "$word: device" "cannot be read"
expect "// $word: devices" "'devices' is none of the"
expect "// $word: device\nif ($full())" "never runs without the label"
expect "# $word: slow\nif ${full^^}():" "never runs without the label"
expect "// none\nif ($full())" "never runs without the label"
[ "$failures" = 0 ]
