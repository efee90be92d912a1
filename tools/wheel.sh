#!/usr/bin/env bash
# Builds the wheel: wheel.sh TARGET_DIR TRIPLE GLIBC PYTHON
# The module and the library inside FMUs are built by zig for an old C library; see the Makefile.
set -eu

target=$1 triple=$2 glibc=$3 python=$4
root=$(cd "$(dirname "$0")/.." && pwd)
package=$root/crates/python
export CARGO_TARGET_DIR=$target
PATH=$(dirname "$python"):$PATH
export PATH

# zig names its headers relative to the present folder when it is somewhere in there; from tools/ it names them absolutely.
cd "$root/tools"
wheel() {
    maturin build --manifest-path "$package/Cargo.toml" --release --locked --zig --target "$triple" \
        --compatibility "manylinux_${glibc/./_}" --interpreter "$python" --out "$1"
}

mkdir -p "$package/python/mbfmu/lib"
rm -f "$package"/python/mbfmu/lib/*
cp "$root/docs/model.schema.json" "$package/python/mbfmu/"
"$python" "$package/licenses.py" "$triple"
# Compiling the module leaves the library for FMUs, too; with it, it is packaged again.
wheel "$target/wheel"
cp "$target/$triple/release/deps/libmbfmu_shell.so" "$package/python/mbfmu/lib/"
rm -f "$root"/dist/mbfmu-*.whl
wheel "$root/dist"
