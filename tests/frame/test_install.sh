# test_install: an installation is complete, may stand anywhere, and programs build against it by pkg-config and CMake.
# labels: frame
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
first=$work/first
prefix=$work/moved

fail() {
    echo "$1"
    exit 1
}

# Installed in one place and moved to another: nothing in it may name its place.
"$CMAKE" --install "$SHEAF_BUILD" --prefix "$first" >"$work/install.log"
mv "$first" "$prefix"
for file in bin/sheaf include/sheaf/sheaf.h share/doc/sheaf/{LICENSE,README.md,docs/scene.md,docs/images/portrait.png} \
    share/sheaf/scenes/{hair.yaml,fur.obj} share/man/man1/{sheaf,sheaf-run}.1 share/bash-completion/completions/sheaf; do
    [ -f "$prefix/$file" ] || fail "not installed: $file"
done
[ -z "$(find "$prefix" -name '*.a' -o -name '*.o')" ] || fail "only the shared library is installed"

libdir=$(dirname "$(find "$prefix" -name libsheaf.so)")
export LD_LIBRARY_PATH=$libdir PKG_CONFIG_PATH=$libdir/pkgconfig
"$prefix/bin/sheaf" --version | grep -qF "$(pkg-config --modversion sheaf)" ||
    fail "command and pkg-config file disagree about the version"
read -r -a flags <<<"$(pkg-config --cflags --libs sheaf)"
strict=(-Wall -Wextra -Werror -pedantic-errors)

"$CC" -std=c11 "${strict[@]}" tests/frame/example_library.c "${flags[@]}" -o "$work/as_c"
"$CXX" -x c++ -std=c++17 "${strict[@]}" tests/frame/example_library.c -x none "${flags[@]}" -o "$work/as_cxx"

mkdir "$work/project"
cp tests/frame/example_library.c "$work/project/main.c"
cp tests/frame/example_library.c "$work/project/main.cpp"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(sheaf 0.1 REQUIRED)
add_executable(cmake_c main.c)
add_executable(cmake_cxx main.cpp)
set_target_properties(cmake_c cmake_cxx PROPERTIES C_STANDARD 11 CXX_STANDARD 17)
target_link_libraries(cmake_c sheaf::sheaf)
target_link_libraries(cmake_cxx sheaf::sheaf)
END
"$CMAKE" -G Ninja -S "$work/project" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/cmake.log"
"$CMAKE" --build "$work/build" >>"$work/cmake.log" || { cat "$work/cmake.log"; exit 1; }

# Four builds of one program give one answer.
for program in as_c as_cxx build/cmake_c build/cmake_cxx; do
    "$work/$program" >>"$work/said" || fail "$program: $(cat "$work/said")"
done
sort -u "$work/said"
[ "$(sort -u "$work/said" | wc -l)" = 1 ] || fail "the answers differ"
