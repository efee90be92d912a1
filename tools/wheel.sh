#!/usr/bin/env bash
# Builds a wheel: wheel.sh TARGET_DIR TRIPLE GLIBC PYTHON [LIBRARIES]
#
# It brings the library inside FMUs for its own platform; or, with LIBRARIES, the folder in which `make platforms` leaves them,
# those for all. The module and the library are built by zig, on Linux for an old C library; see the Makefile. No Python of the
# other platform is needed: the module uses the stable ABI, and rustc writes what the linker must know of python3.dll itself.
set -eu

target_dir=$1 triple=$2 glibc=$3 python=$4 libraries=${5:-}
root=$(cd "$(dirname "$0")/.." && pwd)
package=$root/crates/python
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR=$target_dir
PATH=$(cd "$(dirname "$python")" && pwd):$PATH
export PATH
. "$root/tools/std.sh"

# zig names its headers relative to the present folder when it is somewhere in there; from tools/ it names them absolutely.
cd "$root/tools"
options=(--manifest-path "$package/Cargo.toml" --locked --zig --target "$triple")
case "$triple" in
*-linux-*) options+=(--compatibility "manylinux_${glibc/./_}") ;;
esac
if [ "$triple" = "$host" ]; then
    options+=(--release --interpreter "$python")
else
    # In the profile of the libraries, whose parts are there already. SUNDIALS needs nothing of math.h; see platforms.sh.
    options+=(--profile fmu)
    export BINDGEN_EXTRA_CLANG_ARGS="-D_MATH_H -D_MATH_H_"
    std=$(need_std "$triple") || {
        echo "there is no standard library of Rust $rust_version for $triple, and no wheel" >&2
        exit 1
    }
    allow_own_std "$std"
    options+=($std)
fi

wheel() {
    maturin build "${options[@]}" --out "$1"
}

mkdir -p "$package/python/mbfmu/lib" "$root/dist"
rm -rf "$package"/python/mbfmu/lib/*
cp "$root/docs/model.schema.json" "$package/python/mbfmu/"
"$python" "$package/licenses.py" "$triple"
if [ -n "$libraries" ]; then
    mkdir "$package/python/mbfmu/lib/platforms"
    for platform in linux64 win64 aarch64-linux darwin64; do
        [ -d "$libraries/$platform" ] || continue
        mkdir "$package/python/mbfmu/lib/platforms/$platform"
        cp "$libraries/$platform"/*mbfmu_shell.* "$package/python/mbfmu/lib/platforms/$platform/"
    done
    case "$triple" in
    *-windows-*) rm -f "$root"/dist/mbfmu-*-win_amd64.whl ;;
    *) rm -f "$root"/dist/mbfmu-*_"${triple%%-*}".whl ;;
    esac
    wheel "$root/dist"
else
    # Compiling the module leaves the library for FMUs, too; with it, it is packaged again.
    wheel "$target_dir/wheel"
    cp "$target_dir/$triple/release/deps/libmbfmu_shell.so" "$package/python/mbfmu/lib/"
    rm -f "$root"/dist/mbfmu-*.whl
    wheel "$root/dist"
fi
