#!/usr/bin/env bash
# Installs the Debian packages of the named groups of packages.txt, only those that are missing.
set -euo pipefail

packages_file=$(dirname "$0")/../packages.txt

is_installed() {
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

missing=()
for group in "$@"; do
    while read -r package; do
        is_installed "$package" || missing+=("$package")
    done < <(awk -v group="$group" '$1 == group { print $2 }' "$packages_file")
done
# Any Python that can make a virtual environment and has headers will do; else Debian's.
if [[ " $* " == *" setup "* ]] && ! "$(dirname "$0")/find_python.sh" >/dev/null; then
    missing+=(python3 python3-venv python3-dev)
fi
if ((${#missing[@]} == 0)); then
    exit 0
fi

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "error: these Debian packages are missing, and installing them needs root or sudo:" >&2
        echo "  apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing Debian packages: ${missing[*]}"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}"
