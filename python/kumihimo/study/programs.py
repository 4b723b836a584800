"""Compiles the programs of a study, as any user would."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

from kumihimo.errors import UserError
from kumihimo.installed import include_path, library_path

MpiName = Literal["mpich", "openmpi"]


def compiled(
    source: Path,
    folder: Path,
    *,
    counts: bool = True,
    wakes: bool = False,
    mpi: MpiName = "mpich",
) -> Path:
    """Return a program of C.

    It is compiled unless that was done since it, or the compiler's plug-in, changed.

    Args:
        source: The C file.
        folder: Where binaries are kept.
        counts: Whether the program counts its work, which needs the plug-in.
        wakes: Whether the compiler inserts wake-ups; only if it counts.
        mpi: Its MPI library; MPICH unless it counts.

    Raises:
        UserError: If it cannot be compiled.
    """
    variant = "automatic" if wakes else "plain" if counts else "uncounted"
    if mpi != "mpich":
        variant += f"-{mpi}"
    binary = folder / variant / source.stem
    try:
        inputs = [source, *source.parent.glob("*.h")]
        if counts:
            inputs.append(library_path("kumi-passes"))
        newest = max(path.stat().st_mtime for path in inputs)
    except FileNotFoundError as error:
        raise UserError(f"cannot compile {source}: {error}") from error
    if binary.exists() and binary.stat().st_mtime >= newest:
        return binary
    binary.parent.mkdir(parents=True, exist_ok=True)
    compiler = [_mpicc(), f"-I{include_path()}"]
    if counts:
        options = ["--prewake"] if wakes else []
        compiler = [sys.executable, "-m", "kumihimo", "cc", "--mpi", mpi, *options]
    finished = subprocess.run(
        [*compiler, "-O2", str(source), "-o", str(binary), "-lm"],
        capture_output=True,
        text=True,
        check=False,
    )
    if finished.returncode != 0:
        raise UserError(f"cannot compile {source}:\n{finished.stderr.strip()}")
    return binary


def _mpicc() -> str:
    """Return the compiler of the MPI library that was installed next to this package, or any."""
    beside = Path(sys.executable).parent / "mpicc"
    found = str(beside) if beside.exists() else shutil.which("mpicc")
    if found is None:
        raise UserError("there is no mpicc, neither next to this Python nor on the PATH")
    return found
