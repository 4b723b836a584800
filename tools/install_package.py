#!/usr/bin/env python3
"""Installs the package, editable, into the environment whose interpreter runs this.

pip removes what is installed before it copies what is new, and in between the command does not
work. Here it installs into a folder next to it, and each file is then renamed into place: a call of
the command meanwhile finds the old files or the new ones.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAME = "kumihimo"
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-build-isolation",
       "--no-deps", "--no-warn-script-location", "--ignore-installed")  # fmt: skip


def main() -> None:
    """Build, install next to the old files, and put into place."""
    prefix = Path(sys.prefix)
    stage = Path(tempfile.mkdtemp(prefix=".install-", dir=prefix))
    try:
        command = [sys.executable, *PIP, "--prefix", str(stage), "--editable", "."]
        subprocess.run(command, check=True)
        replace_installation(stage, prefix)
    except subprocess.CalledProcessError as error:
        sys.exit(error.returncode)  # pip has printed why
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def replace_installation(stage: Path, prefix: Path) -> None:
    """Put each file of `stage` where it belongs under `prefix`; remove what is there no more."""
    before = installed_files(prefix)
    new = sorted(path.relative_to(stage) for path in stage.rglob("*") if not path.is_dir())
    for relative in new:
        target = prefix / relative
        target.parent.mkdir(parents=True, exist_ok=True)
        (stage / relative).replace(target)
    for relative in before - set(new):
        target = prefix / relative
        target.unlink(missing_ok=True)
        remove_empty(target.parent)


def remove_empty(folder: Path) -> None:
    """Remove a folder and those around it, as far as there is nothing in them."""
    while folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def installed_files(prefix: Path) -> set[Path]:
    """Return what is installed, from `prefix`, as pip has written it down."""
    found: set[Path] = set()
    for record in prefix.glob(f"lib/python*/site-packages/{NAME}-*.dist-info/RECORD"):
        packages = record.parent.parent
        for line in record.read_text(encoding="utf-8").splitlines():
            path = packages / line.split(",")[0]
            resolved = path.parent.resolve() / path.name
            if resolved.is_relative_to(prefix.resolve()):
                found.add(resolved.relative_to(prefix.resolve()))
    return found


if __name__ == "__main__":
    main()
