#!/usr/bin/env bash
# bootstrap: from a fresh clone to a built, shown or tested Sheaf, in one command. Safe to run again.
#
#   ./bootstrap.sh build    installs what is missing and builds the command: build/release/sheaf
#   ./bootstrap.sh demo     builds, then makes a portrait with long hair: a picture, a film, a report and data
#   ./bootstrap.sh test     builds, then runs every check at modest size; the last line counts what passed and failed
#   ./bootstrap.sh test all the same and the long ones: full verify, all mutants, a million strands, ten times the fuzz
#   ./bootstrap.sh fuzz     builds, then runs each fuzz target a million times; FUZZ_RUNS=N: N times
#
# Packages are installed by apt-get (Debian 12), as root or through sudo, and only when one is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

build_packages=(gcc g++ libc6-dev cmake ninja-build pkg-config libfyaml-dev libhdf5-dev libjansson-dev liblapacke-dev
    librandom123-dev ocl-icd-opencl-dev opencl-c-headers pocl-opencl-icd libclblast-dev libepoxy-dev
    libembree-dev libegl-dev libgl1 libgl1-mesa-dri libpng-dev libglfw3-dev libimgui-dev)
demo_packages=(ffmpeg)
test_packages=(libcmocka-dev clang clang-tidy clang-format libclang-rt-14-dev lld llvm cppcheck mandoc librsvg2-bin
    python3 python3-venv zsh fish oclgrind xvfb xdotool)
gpu_packages=(libclc-14 libclc-14-dev) # for the second tier: what clang needs to compile for GPUs
jobs=$(nproc)
logs=build/log

usage() {
    sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
}

# Of the packages named, those that are not installed.
missing_of() {
    local package
    for package in "$@"; do
        dpkg-query -W -f='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
    done
}

ensure_packages() {
    local missing as_root=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        echo "bootstrap: no apt-get here; building with what is installed. On Debian 12 the packages are: $*" >&2
        return
    fi
    mapfile -t missing < <(missing_of "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        as_root=(sudo)
        if ! command -v sudo >/dev/null; then
            echo "bootstrap: these packages are missing, and installing them needs root or sudo: ${missing[*]}" >&2
            echo "bootstrap: as root run: apt-get install --no-install-recommends ${missing[*]}" >&2
            exit 1
        fi
    fi
    echo "installing ${missing[*]}"
    mkdir -p $logs
    if ! { "${as_root[@]}" apt-get update &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
    } >$logs/packages.log 2>&1; then
        tail -5 $logs/packages.log >&2
        echo "bootstrap: apt-get could not install: ${missing[*]} (all of its output: $logs/packages.log)" >&2
        exit 1
    fi
}

# Configures (keeping the choices of an earlier run) and builds all of the release preset, so that it can be installed.
build_release() {
    local options=()
    echo "building Sheaf, which takes a minute or two the first time"
    [ -f build/release/CMakeCache.txt ] || options=(-DSHEAF_TESTS=OFF)
    mkdir -p $logs
    if ! { cmake --preset release "${options[@]}" && cmake --build --preset release -j "$jobs"
    } >$logs/build.log 2>&1; then
        tail -40 $logs/build.log >&2
        echo "bootstrap: the build failed (all of its output: $logs/build.log)" >&2
        exit 1
    fi
}

run_demo() {
    local out=build/demo
    echo "simulating 1,200 strands of scenes/portrait.yaml over 2 s"
    build/release/sheaf run scenes/portrait.yaml -o $out --overwrite
    echo "rendering a picture of 1280 x 720 with 36 children for each strand, about 20 s: $out/portrait.png"
    build/release/sheaf render $out -o $out/portrait.png --time 0.8 --overwrite --quiet
    echo "rendering a film of 2 s, 640 x 360, with 4 children for each strand, a minute or two: $out/portrait.mp4"
    build/release/sheaf render $out -o $out/portrait.mp4 --children 4 --size 640x360 --overwrite --quiet
    echo "writing the report of the run: $out/report.html"
    build/release/sheaf report $out
    echo "look at $out/portrait.png, at the film $out/portrait.mp4, and at $out/report.html"
}

# ---- the test command -----------------------------------------------------------------------------------------------

passed=0 failed=0

# Runs one stage with its output in a log; prints a line with verdict and time, and the log's end when it failed.
# Tests that a log of ctest counts are counted one by one, any other stage as one check.
stage() {
    local name=$1 log=$logs/${1// /-}.log start=$SECONDS verdict=ok bad=0 total=1 detail
    shift
    "$@" >"$log" 2>&1 || verdict=FAILED bad=1
    detail=$(sed -nE 's/^[0-9]+% tests passed, ([0-9]+) tests failed out of ([0-9]+)$/\1 \2/p' "$log" | tail -1)
    [ -z "$detail" ] || read -r bad total <<<"$detail"
    passed=$((passed + total - bad)) failed=$((failed + bad))
    [ "$total" = 1 ] || verdict+=", $((total - bad)) of $total tests"
    detail=$(sed -nE 's/^lines: ([0-9.]+%).*/\1/p' "$log")
    printf '%-22s %4d s  %s\n' "$name" $((SECONDS - start)) "$verdict${detail:+, $detail of lines}"
    [[ $verdict == ok* ]] || {
        { grep -E '(error|warning): ' "$log" || true; } | sed -n '1,20s/^/    /p'
        tail -40 "$log" | sed 's/^/    /'
        echo "    all of it: $log"
    }
}

# The tests that took longest, of all builds.
slowest() {
    local log
    echo "slowest tests:"
    for log in $logs/tests-*.log; do
        sed -nE "s|^ *[0-9]+/[0-9]+ Test +#[0-9]+: ([a-z_0-9]+) .* ([0-9.]+) sec$|\2 \1 $(basename "$log" .log)|p" "$log"
    done | sort -rn | sed -n 1,10p | while read -r time name log; do
        printf '  %-26s %6.1f s  %s\n' "$name" "$time" "${log#tests-}"
    done
}

summary() {
    echo "all checks took $SECONDS s"
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}

check_format() {
    find host include tests kernels -name '*.[ch]' -o -name '*.clh' -o -name '*.cl' | xargs clang-format --dry-run -Werror
}

build_preset() {
    cmake --preset "$@" && cmake --build --preset "$1" -j "$jobs"
}

check_tidy() {
    find host -name '*.c' -print0 | xargs -0 -P "$jobs" -n 1 clang-tidy --quiet -p build/sanitize 2>&1 |
        sed '/^[0-9]* warnings\{0,1\} generated/d'
}

check_cppcheck() {
    cppcheck --project=build/release/compile_commands.json --file-filter='host/*' -j "$jobs" --quiet --error-exitcode=1 \
        --enable=warning,performance,portability --suppressions-list=cmake/cppcheck.txt
}

# So many runs of each fuzz target tests/fuzz/fuzz_NAME.c, spread over the processors. It starts from tests/corpus/NAME and
# from the good and bad examples under tests/data and NAMEs/, and knows the words of tests/corpus/NAME.words, or of
# docs/NAME.md.
run_fuzz() {
    local target name folder work seeds each=$(($1 / jobs + 1)) root=$PWD
    export LLVM_PROFILE_FILE=/dev/null
    for target in tests/fuzz/fuzz_*.c; do
        name=$(basename "${target#tests/fuzz/fuzz_}" .c) work=build/fuzz/$name seeds=()
        rm -rf "$work"
        mkdir -p "$work/corpus"
        for folder in "tests/corpus/$name" "tests/data/${name}s" "tests/data/${name}s-bad" "${name}s"; do
            [ ! -d "$folder" ] || seeds+=("$root/$folder")
        done
        if [ -f "tests/corpus/$name.words" ]; then
            cp "tests/corpus/$name.words" "$work/words"
        elif [ -f "docs/$name.md" ]; then
            sed -nE 's/^\| `([a-z_0-9]+)` .*/"\1: "/p' "docs/$name.md" | sort -u >"$work/words"
        fi
        [ ! -s "$work/words" ] || seeds+=(-dict=words)
        (cd "$work" && "$root/build/sanitize/tests/fuzz_$name" -jobs="$jobs" -workers="$jobs" -runs=$each -max_len=4096 \
            -timeout=10 corpus "${seeds[@]}") || return 1
    done
}

# Programs of others that read our files, in an environment of their own, fetched while we build. Where one cannot be had,
# the tests that need it are skipped and say so.
install_oracles() {
    local folder=build/oracles package
    if cmp -s tests/oracles.txt $folder/installed.txt; then
        echo "there already"
        return
    fi
    rm -rf $folder
    python3 -m venv $folder || { echo "no virtual environment can be made: tests with the label oracle are skipped"; return 0; }
    for package in $(grep -v '^#' tests/oracles.txt); do
        timeout 600 $folder/bin/pip install --quiet --no-deps --only-binary :all: "$package" ||
            echo "$package cannot be installed: tests that need it are skipped"
    done
    cp tests/oracles.txt $folder/installed.txt
}

# Compilers of GPUs' makers for the second tier, unpacked and not installed: a driver of a GPU that is not there would
# join the list of devices. Where one cannot be had, its test is skipped and says so.
fetch_gpu_compilers() {
    local folder=build/gpu/compilers package
    if cmp -s tests/gpu/compilers.txt $folder/fetched.txt; then
        echo "there already"
        return
    fi
    rm -rf $folder
    mkdir -p $folder
    for package in $(sed -n 's/^pip //p' tests/gpu/compilers.txt); do
        timeout 600 build/oracles/bin/pip install --quiet --no-deps --only-binary :all: --target $folder/pip "$package" ||
            echo "$package cannot be fetched: tests that need it are skipped"
    done
    for package in $(sed -n 's/^apt //p' tests/gpu/compilers.txt); do
        (cd $folder && apt-get download "$package" && dpkg-deb -x "${package}"_*.deb .) ||
            echo "$package cannot be fetched: tests that need it are skipped"
    done
    cp tests/gpu/compilers.txt $folder/fetched.txt
}

await_oracles() {
    wait "$oracles"
    cat $logs/pip.log
}

# Counts of an earlier run, or of programs that are gone, must not mix with those of this one.
test_sanitized() {
    rm -rf build/sanitize/profiles
    ctest --preset sanitize -j "$jobs"
}

# The command and any test program hold all of host/ between them.
check_coverage() {
    local counts=build/sanitize/host.profdata
    llvm-profdata merge -sparse build/sanitize/profiles/*.profraw -o $counts &&
        llvm-cov report build/sanitize/sheaf -object build/sanitize/tests/test_base -instr-profile $counts \
            -show-region-summary=false -show-branch-summary=false "$PWD/host" |
        awk '{ print } $1 == "TOTAL" { share = $NF } END { print "lines: " share; exit !(share + 0 >= 90) }'
}

# Of one tier, or of all: the preset of the tests in the release build, and how often each fuzz target runs. Sanitized
# tests are those of the first tier in both.
run_tests() {
    local preset=$1 fuzz_runs=$2
    mkdir -p $logs
    install_oracles >$logs/pip.log 2>&1 &
    oracles=$!
    stage "format" check_format
    stage "build gcc" build_preset release -DSHEAF_TESTS=ON
    stage "build clang" build_preset sanitize
    [ $failed = 0 ] || summary || exit 1
    stage "clang-tidy" check_tidy
    stage "cppcheck" check_cppcheck
    stage "oracles" await_oracles
    [ "$preset" != all ] || stage "compilers of GPUs" fetch_gpu_compilers
    stage "tests release" ctest --preset "$preset" -j "$jobs"
    stage "tests sanitize" test_sanitized
    stage "coverage of host" check_coverage
    stage "fuzz" run_fuzz "$fuzz_runs"
    slowest
    summary
}

case ${1:-} in
build)
    ensure_packages "${build_packages[@]}"
    build_release
    echo "built build/release/sheaf"
    ;;
demo)
    ensure_packages "${build_packages[@]}" "${demo_packages[@]}"
    build_release
    run_demo
    ;;
test)
    case ${2:-} in
    "") tier=(release 100000) ;;
    all) tier=(all 1000000) test_packages+=("${gpu_packages[@]}") ;;
    *)
        usage >&2
        exit 2
        ;;
    esac
    ensure_packages "${build_packages[@]}" "${demo_packages[@]}" "${test_packages[@]}"
    run_tests "${tier[@]}"
    ;;
fuzz)
    ensure_packages "${build_packages[@]}" "${test_packages[@]}"
    mkdir -p $logs
    stage "build clang" build_preset sanitize
    [ $failed = 0 ] || summary || exit 1
    stage "fuzz" run_fuzz "${FUZZ_RUNS:-1000000}"
    summary
    ;;
-h | --help | help)
    usage
    ;;
*)
    usage >&2
    exit 2
    ;;
esac
