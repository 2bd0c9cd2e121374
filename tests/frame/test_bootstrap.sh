# test_bootstrap: what bootstrap.sh does when it may not install, and when it is called wrongly.
# labels: frame
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0

# A machine on which jansson is missing, nobody is root and there is no sudo.
mkdir "$work/bin"
for tool in bash env cat dirname grep nproc sed; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
done
cat >"$work/bin/dpkg-query" <<'END'
#!/bin/bash
[ "${*: -1}" = libjansson-dev ] && exit 1
echo installed
END
printf '#!/bin/bash\necho 1000\n' >"$work/bin/id"
printf '#!/bin/bash\necho "apt-get was called: $*"; exit 9\n' >"$work/bin/apt-get"
chmod +x "$work"/bin/{dpkg-query,id,apt-get}

expect() {
    local code=$1 text=$2 said result=0
    shift 2
    said=$("$@" 2>&1) || result=$?
    [ $result = "$code" ] && grep -qF -- "$text" <<<"$said" && return
    echo "$*: expected exit $code and \"$text\", got exit $result and: $said"
    status=1
}

expect 1 "apt-get install --no-install-recommends libjansson-dev" env PATH="$work/bin" ./bootstrap.sh build
expect 2 "./bootstrap.sh demo" ./bootstrap.sh
expect 2 "./bootstrap.sh demo" ./bootstrap.sh biuld
expect 0 "./bootstrap.sh test all" ./bootstrap.sh --help
expect 2 "./bootstrap.sh test all" ./bootstrap.sh test everything

# What demo leaves can be installed: it builds everything, not the command alone. Each stage has its line.
mkdir -p "$work/clone/build/release" "$work/tools"
cp bootstrap.sh "$work/clone"
printf '#!/bin/bash\necho installed\n' >"$work/tools/dpkg-query"
printf '#!/bin/bash\necho "$*" >>"%s"\n' "$work/cmake.log" >"$work/tools/cmake"
printf '#!/bin/bash\n' | tee "$work/tools/apt-get" >"$work/clone/build/release/sheaf"
chmod +x "$work"/tools/* "$work/clone/build/release/sheaf"
for line in "building Sheaf" "of scenes/portrait.yaml" "rendering a picture of 1280 x 720" "rendering a film of 2 s" "writing the report"; do
    expect 0 "$line" env PATH="$work/tools:$PATH" "$work/clone/bootstrap.sh" demo
done
grep -q -- '--build' "$work/cmake.log" || { echo "demo builds nothing"; status=1; }
! grep -q -- '--target' "$work/cmake.log" || { echo "demo builds one target only: it cannot be installed"; status=1; }
exit $status
