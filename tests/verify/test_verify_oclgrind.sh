# test_verify_oclgrind: `sheaf verify` on an interpreter of kernels that checks every access, finds races and the use of
# values that were never set. It ends with 0 even when it found something, so the log has to be empty.
# labels: slow;device
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
check float4 63 --stage explicit
check float4 64 --stage explicit
check float4 65 --stage bdf2
check float4 257 --stage explicit
check float1 9 --stage explicit
