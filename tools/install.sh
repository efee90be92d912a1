#!/usr/bin/env bash
# Installs the build tools that are missing on a Debian machine, or says what to install elsewhere.
# With the word `hosts`: what the hosts of the tests need beyond them; without it, the tests of that host are skipped.
# With the word `sanitize`: valgrind.
set -eu

# Packages that are not there, by their Debian names.
missing_tools() {
    command -v cmake >/dev/null || echo cmake
    command -v cc >/dev/null || echo build-essential
    ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || [ -n "${LIBCLANG_PATH:-}" ] || echo libclang-dev
    command -v npm >/dev/null || echo nodejs npm
    python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || echo python3-venv
    command -v readelf >/dev/null || echo binutils
}

# The host ecos is linked with oneTBB.
missing_libraries() {
    PATH="$PATH:/sbin:/usr/sbin" ldconfig -p 2>/dev/null | grep -q 'libtbb\.so\.12' || echo libtbb12
}

install_packages() {
    local sudo=""
    if [ "$(id -u)" -ne 0 ]; then
        sudo="sudo"
    fi
    echo "installing $*"
    $sudo apt-get update -qq
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

if [ "${1:-}" = hosts ]; then
    missing=$(missing_libraries)
    if [ -n "$missing" ] && ! { command -v apt-get >/dev/null && install_packages $missing; }; then
        echo "$missing (Debian name) cannot be installed; the tests with the host ecos will be skipped" >&2
    fi
    exit 0
fi

if [ "${1:-}" = sanitize ]; then
    if ! command -v valgrind >/dev/null && ! { command -v apt-get >/dev/null && install_packages valgrind; }; then
        echo "valgrind cannot be installed; the library will not be watched by it" >&2
    fi
    exit 0
fi

if ! command -v cargo >/dev/null; then
    echo "Rust is missing: install it with rustup (stable, 1.89 or newer)" >&2
    exit 1
fi
missing=$(missing_tools)
if [ -z "$missing" ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "missing build tools: $(echo $missing) (Debian names); install them and try again" >&2
    exit 1
fi
install_packages $missing
