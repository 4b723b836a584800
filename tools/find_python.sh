#!/usr/bin/env bash
# Prints the Python to make the virtual environment with: 3.11 or newer, able to make one (Debian
# splits that off as python3-venv) and with headers to build against (python3-dev). Debian's own
# comes first, because a version manager's python3 in PATH may vanish or change. PYTHON overrides.
set -euo pipefail

is_suitable() {
    "$1" - >/dev/null 2>&1 <<'PROBE'
import ensurepip, pathlib, sys, sysconfig, venv
assert sys.version_info >= (3, 11)
assert (pathlib.Path(sysconfig.get_paths()["include"]) / "Python.h").exists()
PROBE
}

if [[ -n ${PYTHON:-} ]]; then
    candidates=("$PYTHON")
else
    candidates=(/usr/bin/python3 python3 python3.11 python3.12 python3.13)
fi
for candidate in "${candidates[@]}"; do
    if command -v "$candidate" >/dev/null && is_suitable "$candidate"; then
        command -v "$candidate"
        exit 0
    fi
done
echo "no Python 3.11 or newer with venv and headers among: ${candidates[*]}" >&2
exit 1
