#!/usr/bin/env bash
# Builds the wheel for this machine: wheel.sh TARGET_DIR TRIPLE GLIBC PYTHON [LIBRARIES]
#
# It brings the library inside FMUs for its own platform. With LIBRARIES, the folder in which `make platforms` leaves them, it brings
# those for all platforms, and wheels for Windows and Linux on ARM are made, too. Everything is built by zig, on Linux for an old C
# library; see the Makefile. No Python of the other platforms is needed: the module uses the stable ABI, and rustc itself writes what
# the linker must know of python3.dll.
set -eu

target_dir=$1 triple=$2 glibc=$3 python=$4 libraries=${5:-}
root=$(cd "$(dirname "$0")/.." && pwd)
package=$root/crates/python
own=$package/python/mbfmu/lib
export CARGO_TARGET_DIR=$target_dir
PATH=$(dirname "$python"):$PATH
export PATH

# zig names its headers relative to the present folder when it is somewhere in there; from tools/ it names them absolutely.
cd "$root/tools"
wheel() {
    maturin build --manifest-path "$package/Cargo.toml" --release --locked --zig --target "$triple" \
        --compatibility "manylinux_${glibc/./_}" --interpreter "$python" --out "$1"
}

# With the parts that `make platforms` has built, and what it builds with.
module() {
    local cross=$1 file=$2
    PYO3_NO_PYTHON=1 ./platforms.sh "$target_dir" mbfmu-python _mbfmu "$cross"
    "$python" "$package/licenses.py" "$3"
    "$python" other-wheel.py "$root"/dist/mbfmu-*_"${triple%%-*}".whl "$3" "$target_dir/platforms/$cross/$file" "$package/licenses" "$root/dist"
    rm "$target_dir/platforms/$cross/$file"
}

mkdir -p "$own"
rm -rf "${own:?}"/*
cp "$root/docs/model.schema.json" "$package/python/mbfmu/"
"$python" "$package/licenses.py" "$triple"
if [ -n "$libraries" ]; then
    for platform in linux64 win64 aarch64-linux darwin64; do
        [ -d "$libraries/$platform" ] || continue
        mkdir -p "$own/platforms/$platform"
        cp "$libraries/$platform"/*mbfmu_shell.* "$own/platforms/$platform/"
    done
else
    # Compiling the module leaves the library for FMUs, too; with it, it is packaged again.
    wheel "$target_dir/wheel"
    cp "$target_dir/$triple/release/deps/libmbfmu_shell.so" "$own/"
fi
rm -f "$root"/dist/mbfmu-*.whl
wheel "$root/dist"
if [ -n "$libraries" ]; then
    module win64 _mbfmu.dll x86_64-pc-windows-gnu
    module aarch64-linux lib_mbfmu.so aarch64-unknown-linux-gnu
fi
