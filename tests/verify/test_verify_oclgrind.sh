# test_verify_oclgrind: `sheaf verify` on an interpreter of kernels that checks every access, finds races and the use of
# values that were never set. It ends with 0 even when it found something, so the log has to be empty.
# The first tier has every stage, and whole steps of two bundles of which one is filled by a single strand.
# labels: slow;device;tiers (25 s, all 55 s)
set -euo pipefail

command -v oclgrind >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work SHEAF_LAUNCH_LIMIT=600

check() { # FORM STRANDS OPTION...
    oclgrind --data-races --uninitialized --check-api --log "$work/log" \
        "$SHEAF_COMMAND" verify --device 0 --form "$1" --strands "$2" --vertices 7 --steps 1 "${@:3}"
    if [ -s "$work/log" ]; then
        head -40 "$work/log"
        exit 1
    fi
}

check float4 1
check float4 5 --stage explicit
[ -n "${SHEAF_TEST_ALL:-}" ] || exit 0
check float4 63 --stage explicit
check float4 64 --stage explicit
check float4 65 --stage bdf2
check float4 257 --stage explicit
check float1 9 --stage explicit
