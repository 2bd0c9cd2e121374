# test_same_bits_threads: three scenes, each in eleven launch shapes, two orders of strands and with one and two threads:
# 44 runs that give the same bits.
# labels: slow;device
set -euo pipefail

program=$SHEAF_BUILD/tests/test_same_bits
hashes=$(for threads in 1 2; do POCL_MAX_PTHREAD_COUNT=$threads "$program" hash; done | grep '^hash: ')
for scene in 0 1 2; do
    runs=$(grep -c "scene $scene " <<<"$hashes") results=$(grep "scene $scene " <<<"$hashes" | sort -u | wc -l)
    echo "scene $scene: $runs runs, $results different result(s)"
    [ "$runs" = 44 ] && [ "$results" = 1 ]
done
