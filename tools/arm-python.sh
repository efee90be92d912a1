#!/usr/bin/env bash
# Unpacks Debian's Python for 64-bit ARM, which QEMU runs, into a folder: arm-python.sh FOLDER
# Nothing is installed. Prints its version, such as 3.11.
set -eu

folder=$1
codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
if [ ! -d "$folder/root/usr/bin" ]; then
    mkdir -p "$folder/state/lists/partial" "$folder/cache/archives/partial" "$folder/packages"
    cd "$folder"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $codename main" >sources.list
    touch status
    apt=(-qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null
        -o "Dir::State=$folder/state" -o "Dir::Cache=$folder/cache" -o "Dir::State::status=$folder/status"
        -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root)
    apt-get "${apt[@]}" update >&2
    # With all that they need.
    names=$(apt-get "${apt[@]}" -s install --no-install-recommends python3-minimal libpython3-stdlib libstdc++6 | awk '$1 == "Inst" {print $2}')
    (cd packages && apt-get "${apt[@]}" download $names >&2)
    for package in packages/*.deb; do dpkg -x "$package" unpacked; done
    rm -rf packages state cache
    mv unpacked root
fi
basename "$(ls "$folder"/root/usr/bin/python3.[0-9]* | head -1)" | sed 's/^python//'
