#!/usr/bin/env bash
# Builds the library inside FMUs for other platforms: platforms.sh TARGET_DIR [PACKAGE LIBRARY [PLATFORM...]]
#
# Cargo builds with zig as compiler and linker of C; `make platforms` puts it on the PATH. The libraries are left in
# TARGET_DIR/platforms/PLATFORM, where `mbfmu pack` looks. A platform whose standard library of Rust cannot be had is left
# out, with the reason.
set -eu

target_dir=$1
package=${2:-mbfmu-shell} library=${3:-mbfmu_shell}
shift $(($# < 3 ? $# : 3))
root=$(cd "$(dirname "$0")/.." && pwd)
export CARGO_TARGET_DIR=$target_dir

# The Rust target of a platform; with the oldest C library, where that is part of it.
triple() {
    case "$1" in
    win64) echo x86_64-pc-windows-gnu ;;
    aarch64-linux) echo aarch64-unknown-linux-gnu.2.17 ;;
    *) return 1 ;;
    esac
}

# The file that cargo makes for a platform.
file_name() {
    case "$1" in
    win64) echo "$library.dll" ;;
    *) echo "lib$library.so" ;;
    esac
}

rust_version=$(rustc --version | cut -d' ' -f2)

has_std() {
    compgen -G "$(rustc --print target-libdir --target "$1")/libstd-*" >/dev/null
}

# Sources of the standard library of exactly this compiler, from Debian's backports, unpacked but not installed.
rust_src() {
    local folder=$target_dir/rust-src-$rust_version
    local library=$folder/usr/src/rustc-$rust_version/library apt version
    if [ ! -d "$library" ]; then
        command -v apt-get >/dev/null || return 1
        mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial"
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie-backports main" \
            >"$folder/sources.list"
        apt=(-qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
            -o "Dir::State=$folder/state" -o "Dir::Cache=$folder/cache" -o Dir::State::status=/var/lib/dpkg/status
            -o APT::Sandbox::User=root)
        apt-get "${apt[@]}" update >&2 || return 1
        version=$(apt-cache "${apt[@]}" madison rust-src | cut -d'|' -f2 | tr -d ' ' | grep "^$rust_version[+-]" | head -1)
        [ -n "$version" ] || return 1
        (cd "$folder" && apt-get "${apt[@]}" download "rust-src=$version" >&2 && dpkg -x rust-src_*.deb . && rm rust-src_*.deb) || return 1
    fi
    echo "$library"
}

# Makes sure of a standard library for a Rust target, and prints the options of cargo that it takes.
need_std() {
    has_std "$1" && return
    if command -v rustup >/dev/null && timeout 300 rustup target add "$1" >&2 && has_std "$1"; then
        return
    fi
    rust_src >/dev/null && echo "-Zbuild-std=std,panic_unwind"
}

build() {
    local platform=$1 triple plain options
    triple=$(triple "$platform") || {
        echo "unknown platform: $platform" >&2
        exit 2
    }
    plain=${triple%.2.17}
    if ! options=$(need_std "$plain"); then
        echo "$platform is left out: there is no standard library of Rust $rust_version for $plain;" \
            "\`rustup target add $plain\` could not fetch it, and Debian has no rust-src $rust_version" >&2
        return
    fi
    if [ -n "$options" ]; then
        # Building the standard library is reserved for nightly compilers and the sources of rustup; both can be told otherwise.
        export RUSTC_BOOTSTRAP=1
        __CARGO_TESTS_ONLY_SRC_ROOT=$(rust_src)
        export __CARGO_TESTS_ONLY_SRC_ROOT
    fi
    # From tools/, zig names its headers absolutely; see the Makefile.
    (cd "$root/tools" && cargo zigbuild --manifest-path ../Cargo.toml --release --locked -p "$package" --lib --target "$triple" $options)
    mkdir -p "$target_dir/platforms/$platform"
    cp -u "$target_dir/$plain/release/$(file_name "$platform")" "$target_dir/platforms/$platform/"
}

# SUNDIALS needs nothing of math.h but its name, and the bindings of it fail on types of other platforms.
export BINDGEN_EXTRA_CLANG_ARGS="-D_MATH_H -D_MATH_H_"

[ $# -gt 0 ] || set -- win64 aarch64-linux
for platform in "$@"; do
    build "$platform"
done
