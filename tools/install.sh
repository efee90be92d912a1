#!/usr/bin/env bash
# Installs the build tools that are missing on a Debian machine, or names what to install elsewhere.
#
#     tools/install.sh            what building the command and the library needs
#     tools/install.sh missing    prints the Debian packages that the line above would install, and installs nothing
#     tools/install.sh lint       rustfmt and clippy
#     tools/install.sh viewer     Node.js, which bundles and tests the 3D viewer
#     tools/install.sh browser    Chromium, in which `make browser` tries it
#     tools/install.sh hosts      a library of one of the test hosts; without it, the tests with that host are skipped
#     tools/install.sh sanitize   valgrind
#     tools/install.sh platforms  Wine and QEMU, which play other machines; without one, the tests on that machine are skipped
#
# The checks use shell builtins and the tools they look for, nothing else. SYSTEM_ROOT is put before absolute paths, so
# that a test can run them against a made-up file system.
set -eu

# at_least WANTED TEXT: whether the first version in the text, as in "cmake version 3.25.1", is WANTED or newer.
at_least() {
    local wanted=$1
    [[ $2 =~ ([0-9]+)\.([0-9]+) ]] || return 1
    ((BASH_REMATCH[1] > ${wanted%.*} || (BASH_REMATCH[1] == ${wanted%.*} && BASH_REMATCH[2] >= ${wanted#*.})))
}

# The oldest Rust that builds the project, as Cargo.toml states it.
required_rust() {
    local line
    while read -r line; do
        [[ $line =~ ^rust-version\ *=\ *\"([0-9.]+)\" ]] && echo "${BASH_REMATCH[1]}" && return
    done <"${BASH_SOURCE[0]%/*}/../Cargo.toml"
}

# Whether a file is a libclang that bindgen takes: not libclang-cpp, of this machine's word size, release 6 or newer. A
# name without a release, or with the interface number 1 in its place, is taken as new enough.
is_libclang() {
    local name=${1##*/} header=""
    [[ -f $1 && $name != *-cpp.* ]] || return 1
    LC_ALL=C IFS= read -r -d '' -N 5 header <"$1" || return 1
    [[ $header == $'\x7fELF\x02' ]] || return 1
    if [[ $name =~ ^libclang-([0-9]+) || $name =~ ^libclang\.so\.([0-9]+) ]]; then
        ((BASH_REMATCH[1] == 1 || BASH_REMATCH[1] >= 6))
    fi
}

# Whether one of the folders holds a libclang.
holds_libclang() {
    local folder file
    for folder in "$@"; do
        [ -n "$folder" ] || continue
        for file in "$folder"/libclang.so "$folder"/libclang-*.so "$folder"/libclang.so.* "$folder"/libclang-*.so.*; do
            is_libclang "$file" && return
        done
    done
    return 1
}

# Looks where clang-sys, the loader of bindgen, looks: LIBCLANG_PATH alone if it is set, else the prefix of llvm-config,
# the folders of the linker's variables, and the usual ones.
has_libclang() {
    local root=${SYSTEM_ROOT:-} prefix folders
    if [ -n "${LIBCLANG_PATH:-}" ]; then
        is_libclang "$LIBCLANG_PATH" || holds_libclang "$LIBCLANG_PATH"
        return
    fi
    if prefix=$("${LLVM_CONFIG_PATH:-llvm-config}" --prefix 2>/dev/null); then
        holds_libclang "$prefix"/{bin,lib,lib64} && return
    fi
    IFS=: read -r -a folders <<<"${LD_LIBRARY_PATH:-}:${LIBRARY_PATH:-}"
    holds_libclang "${folders[@]}" "$root"/usr/local/llvm*/lib* "$root"/usr/local/lib*{/*/*,/*,} "$root"/usr/lib*{/*/*,/*,}
}

# Debian packages without which the command and the library cannot be built.
missing_tools() {
    # SUNDIALS asks for this release of cmake.
    at_least 3.18 "$(cmake --version 2>/dev/null)" || echo cmake
    command -v cc >/dev/null || echo build-essential
    command -v readelf >/dev/null || echo binutils
    has_libclang || echo libclang-dev
    python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || echo python3-venv
}

# The 3D viewer is bundled and tested by Node.js 18 or newer.
missing_viewer_tools() {
    at_least 18.0 "$(node --version 2>/dev/null)" || echo nodejs
    command -v npm >/dev/null || echo npm
}

# The host ecos is linked with oneTBB.
missing_libraries() {
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q 'libtbb\.so\.12' || echo libtbb12
}

missing_valgrind() {
    command -v valgrind >/dev/null || echo valgrind
}

# Wine plays 64-bit Windows, QEMU a 64-bit ARM processor with the C library of the second package.
missing_wine() {
    command -v wine64 >/dev/null || [ -x /usr/lib/wine/wine64 ] || echo wine64
}

missing_qemu() {
    command -v qemu-aarch64 >/dev/null || echo qemu-user
    [ -d /usr/aarch64-linux-gnu/lib ] || echo libc6-arm64-cross
}

missing_browser() {
    command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || echo chromium
}

# Installs Debian packages, if this is a machine that can.
install_packages() {
    local sudo=""
    command -v apt-get >/dev/null || return 1
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || return 1
        sudo="sudo"
    fi
    echo "installing $*"
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# need CHECK: installs the packages that the function CHECK prints, or fails with their names.
need() {
    local missing
    missing=$("$1")
    [ -n "$missing" ] || return 0
    if ! install_packages $missing; then
        echo "missing build tools:" $missing "(Debian names); install them and try again" >&2
        exit 1
    fi
    missing=$("$1")
    if [ -n "$missing" ]; then
        echo "the packages of this system are too old:" $missing "(Debian names); install newer ones and try again" >&2
        exit 1
    fi
}

# wish CHECK CONSEQUENCE: installs the packages that the function CHECK prints, or says what follows without them.
wish() {
    local missing
    missing=$("$1")
    [ -z "$missing" ] || install_packages $missing || echo "$missing (Debian name) cannot be installed; $2" >&2
}

check_rust() {
    local required found
    required=$(required_rust)
    if ! command -v cargo >/dev/null || ! found=$(rustc --version 2>/dev/null); then
        echo "Rust is missing: install it with rustup (stable, $required or newer)" >&2
        exit 1
    fi
    if ! at_least "$required" "$found"; then
        echo "$found is too old: $required or newer is needed (\`rustup update stable\`)" >&2
        exit 1
    fi
}

# With this variable set, bindgen looks nowhere else, and no package helps.
check_libclang_path() {
    if [ -n "${LIBCLANG_PATH:-}" ] && ! has_libclang; then
        echo "LIBCLANG_PATH is $LIBCLANG_PATH, where there is no libclang that bindgen takes; correct or unset it" >&2
        exit 1
    fi
}

check_lint() {
    if ! cargo fmt --version >/dev/null 2>&1 || ! cargo clippy --version >/dev/null 2>&1; then
        rustup component add rustfmt clippy
    fi
}

case "${1:-}" in
"")
    check_rust
    check_libclang_path
    need missing_tools
    ;;
missing)
    check_rust
    check_libclang_path
    missing_tools
    ;;
lint) check_lint ;;
viewer) need missing_viewer_tools ;;
hosts) wish missing_libraries "the tests with the host ecos will be skipped" ;;
sanitize) wish missing_valgrind "the library will not be watched by it" ;;
browser) wish missing_browser "the 3D page will not be tried in a browser" ;;
platforms)
    wish missing_wine "nothing will be run on Windows"
    wish missing_qemu "nothing will be run on ARM"
    ;;
*) echo "unknown word: $1" >&2 && exit 2 ;;
esac
