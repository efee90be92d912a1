# The standard library of Rust for other platforms; read by platforms.sh.

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

# What cargo needs to know to build a standard library with these options. That is reserved for nightly compilers and the sources of
# rustup; both can be told otherwise.
allow_own_std() {
    [ -n "$1" ] || return 0
    export RUSTC_BOOTSTRAP=1
    __CARGO_TESTS_ONLY_SRC_ROOT=$(rust_src)
    export __CARGO_TESTS_ONLY_SRC_ROOT
}
