# test_twin_oclgrind: the bits of test_twin on another implementation, an interpreter that also checks every access. What
# equals the same twin is equal to each other.
# labels: slow;device
set -euo pipefail

command -v oclgrind >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work SHEAF_LAUNCH_LIMIT=300

oclgrind --data-races --uninitialized --log "$work/log" "$SHEAF_BUILD/tests/test_twin" small
if [ -s "$work/log" ]; then
    head -40 "$work/log"
    exit 1
fi
