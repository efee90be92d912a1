#!/usr/bin/env bash
# Installs the build tools that are missing on a Debian machine, or says what to install elsewhere.
set -eu

missing=()
command -v cmake >/dev/null || missing+=(cmake)
command -v cc >/dev/null || missing+=(build-essential)
ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || [ -n "${LIBCLANG_PATH:-}" ] || missing+=(libclang-dev)
command -v npm >/dev/null || missing+=(nodejs npm)
python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || missing+=(python3-venv)
command -v readelf >/dev/null || missing+=(binutils)

if ! command -v cargo >/dev/null; then
    echo "Rust is missing: install it with rustup (stable, 1.89 or newer)" >&2
    exit 1
fi
if [ ${#missing[@]} -eq 0 ]; then
    exit 0
fi
if ! command -v apt-get >/dev/null; then
    echo "missing build tools: ${missing[*]} (Debian names); install them and try again" >&2
    exit 1
fi
sudo=""
if [ "$(id -u)" -ne 0 ]; then
    sudo="sudo"
fi
echo "installing ${missing[*]}"
$sudo apt-get update -qq
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
