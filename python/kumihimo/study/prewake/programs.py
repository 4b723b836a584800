"""Compiles the study's programs, as any user would."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.installed import library_path


def compiled(source: Path, folder: Path, *, wakes: bool) -> Path:
    """Return a program that counts its work.

    It is compiled unless that was done since it, or the compiler's plug-in, changed.

    Args:
        source: The C file.
        folder: Where binaries are kept.
        wakes: Whether the compiler inserts wake-ups.

    Raises:
        UserError: If it cannot be compiled.
    """
    binary = folder / ("automatic" if wakes else "plain") / source.stem
    try:
        inputs = [source, *source.parent.glob("*.h"), library_path("kumi-passes")]
        newest = max(path.stat().st_mtime for path in inputs)
    except FileNotFoundError as error:
        raise UserError(f"cannot compile {source}: {error}") from error
    if binary.exists() and binary.stat().st_mtime >= newest:
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    options = ["--prewake"] if wakes else []
    command = [sys.executable, "-m", "kumihimo", "cc", *options, "-O2", str(source)]
    finished = subprocess.run(
        [*command, "-o", str(binary), "-lm"], capture_output=True, text=True, check=False
    )
    if finished.returncode != 0:
        raise UserError(f"cannot compile {source}:\n{finished.stderr.strip()}")
    return binary
