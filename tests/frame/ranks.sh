# ranks: which folders of host/ may use which, for test_layers.sh (includes) and test_links.sh (symbols). A folder may use
# itself and any of a lower rank. Methods, of rank 10, are named nowhere: a folder without a rank of its own is one if
# host/method/list.c lists it, so that no method knows another.
# shellcheck disable=SC2034 # used by those who read this file
declare -A rank=([kernels]=0 [base]=0 [method]=1 [kirchhoff]=1 [law]=1 [groom]=1 [mesh]=2 [grow]=3 [scene]=4 [model]=5
    [world]=6 [strand]=7 [children]=8 [cl]=8 [couple]=8 [verify]=9 [bench]=9 [solver]=11 [io]=12 [run]=13 [view]=15
    [reproduce]=16 [cli]=17)
mapfile -t methods < <(sed -nE 's/^    X\(([a-z_]+)\).*/\1/p' host/method/list.c)
for method in "${methods[@]}"; do
    rank[$method]=10
done
[ "${#methods[@]}" -gt 0 ] || { echo "host/method/list.c lists no method"; exit 1; }
