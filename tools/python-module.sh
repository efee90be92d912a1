#!/usr/bin/env bash
# Puts the Python module as `cargo test` has built it into a folder for tests: python-module.sh BUILD_FOLDER
set -eu

build=$1
root=$(cd "$(dirname "$0")/.." && pwd)
package=$build/python/mbfmu
rm -rf "$package"
mkdir -p "$package/lib"
cp "$root"/crates/python/python/mbfmu/*.py "$root"/crates/python/python/mbfmu/*.pyi "$root"/crates/python/python/mbfmu/py.typed "$package/"
cp "$root/docs/model.schema.json" "$package/"
ln -sf "$build/examples/libtest_module.so" "$package/_mbfmu.abi3.so"
ln -sf "$build/deps/libmbfmu_shell.so" "$package/lib/"
