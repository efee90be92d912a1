#!/usr/bin/env bash
# Builds the library inside FMUs for all platforms, and the command for Windows: platforms.sh TARGET_DIR [PACKAGE LIBRARY [PLATFORM...]]
#
# Cargo builds with zig as compiler and linker of C; `make platforms` puts it on the PATH. The libraries are left in
# TARGET_DIR/platforms/PLATFORM, where `mbfmu pack` looks. A platform whose standard library of Rust cannot be had is left
# out, with the reason. The profile is that for small libraries, see Cargo.toml.
set -eu

target_dir=$1
package=${2:-mbfmu-shell} library=${3:-mbfmu_shell}
shift $(($# < 3 ? $# : 3))
root=$(cd "$(dirname "$0")/.." && pwd)
profile=fmu
export CARGO_TARGET_DIR=$target_dir

# The Rust targets of a platform, one for each processor; with the oldest C library, where that is part of it.
triples() {
    case "$1" in
    linux64) echo x86_64-unknown-linux-gnu.2.17 ;;
    win64) echo x86_64-pc-windows-gnu ;;
    aarch64-linux) echo aarch64-unknown-linux-gnu.2.17 ;;
    darwin64) echo x86_64-apple-darwin aarch64-apple-darwin ;;
    *) return 1 ;;
    esac
}

# The file that cargo makes for a platform.
file_name() {
    case "$1" in
    win64) echo "$library.dll" ;;
    darwin64) echo "lib$library.dylib" ;;
    *) echo "lib$library.so" ;;
    esac
}

. "$root/tools/std.sh"

# LLVM's linker: rustup brings it with the compiler, Debian in the package lld.
apple_linker() {
    local own
    own=$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin/rust-lld
    if [ -x "$own" ]; then echo "$own"; else command -v lld; fi
}

# Which functions the libraries of macOS have, as far as they are needed. zig knows those of the C library; the standard library of
# Rust names two more for it, and calls nothing of them.
apple_sdk() {
    local folder=$target_dir/macos-libraries name
    mkdir -p "$folder/usr/lib"
    cp "$(python -c 'import pathlib, ziglang; print(pathlib.Path(ziglang.__file__).parent / "lib/libc/darwin/libSystem.tbd")')" "$folder/usr/lib/"
    for name in libc libm; do ln -sf libSystem.tbd "$folder/usr/lib/$name.tbd"; done
    printf '%s\n' '--- !tapi-tbd' 'tbd-version: 4' 'targets: [ x86_64-macos, arm64-macos ]' \
        "install-name: '/usr/lib/libiconv.2.dylib'" '...' >"$folder/usr/lib/libiconv.tbd"
    echo "$folder"
}

# zig's linker for macOS exports every function there is and leaves libraries for x86-64 unsigned. LLVM's heeds the list of functions
# that rustc gives it, and signs without a certificate ("ad hoc"), as macOS demands of libraries for ARM.
set_up_apple() {
    local linker sdk flags
    linker=$(apple_linker) || {
        echo "darwin64 is left out: there is no lld, which links it; rustup brings it with the compiler, Debian has a package of that name" >&2
        return 1
    }
    sdk=$(apple_sdk)
    # The install name is relative. Local symbols go here, because removing them later would break the signature.
    flags="-Clinker=$linker -Clinker-flavor=ld64.lld -Cstrip=none -Clink-arg=-install_name -Clink-arg=@rpath/fmu.dylib"
    flags+=" -Clink-arg=-adhoc_codesign -Clink-arg=-x -Clink-arg=-S -Clink-arg=-dead_strip_dylibs"
    export CARGO_TARGET_X86_64_APPLE_DARWIN_RUSTFLAGS=$flags CARGO_TARGET_AARCH64_APPLE_DARWIN_RUSTFLAGS=$flags
    # macOS 11 of 2020 is the first for ARM.
    export SDKROOT=$sdk MACOSX_DEPLOYMENT_TARGET=11.0
}

# Options of cargo for a Rust target; or why there is no library for a platform.
options_for() {
    local platform=$1 plain=$2
    need_std "$plain" || {
        echo "$platform is left out: there is no standard library of Rust $rust_version for $plain;" \
            "\`rustup target add $plain\` could not fetch it, and Debian has no rust-src $rust_version" >&2
        return 1
    }
}

# Compiles for one Rust target. On Windows the command comes with the library.
compile() {
    local triple=$1 options=$2 parts=(-p "$package" --lib)
    allow_own_std "$options"
    [ "$triple $package" != "x86_64-pc-windows-gnu mbfmu-shell" ] || parts+=(-p mbfmu --bin mbfmu)
    # From tools/, zig names its headers absolutely; see the Makefile.
    (cd "$root/tools" && cargo zigbuild --manifest-path ../Cargo.toml --profile "$profile" --locked "${parts[@]}" --target "$triple" $options)
}

build() (
    platform=$1 folder=$target_dir/platforms/$1 file=$(file_name "$1") built=()
    triples "$platform" >/dev/null || {
        echo "unknown platform: $platform" >&2
        exit 2
    }
    if [ "$platform" = darwin64 ] && ! set_up_apple; then return; fi
    for triple in $(triples "$platform"); do
        plain=${triple%.2.17}
        if ! options=$(options_for "$platform" "$plain"); then return; fi
        compile "$triple" "$options"
        built+=("$target_dir/$plain/$profile/$file")
    done
    mkdir -p "$folder"
    if [ "${#built[@]}" -gt 1 ]; then
        python "$root/tools/universal.py" "$folder/$file" "${built[@]}"
    else
        cp -u "${built[0]}" "$folder/"
        [ ! -f "${built[0]%/*}/mbfmu.exe" ] || cp -u "${built[0]%/*}/mbfmu.exe" "$folder/"
    fi
)

# SUNDIALS needs nothing of math.h but its name, in the headers of GNU and Apple, and the bindings of it fail on types of other platforms.
export BINDGEN_EXTRA_CLANG_ARGS="-D_MATH_H -D_MATH_H_ -D__MATH_H__"

[ $# -gt 0 ] || set -- linux64 win64 aarch64-linux darwin64
for platform in "$@"; do
    build "$platform"
done
