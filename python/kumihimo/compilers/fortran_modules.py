"""Modules of MPI for flang, which cannot read those that MPI libraries bring for gfortran."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from kumihimo.errors import UserError

_SOURCE = Path(__file__).with_name("mpi.f90")
# So that flang says in few words that it cannot read it, where the scan of sources missed a use.
_REFUSED = "mpi_f08"
_USES_REFUSED = re.compile(rf"^\s*use\s*(,\s*\w+\s*)?(::)?\s*{_REFUSED}\b", re.IGNORECASE)
_SUFFIXES = frozenset((".f", ".f90", ".f95", ".f03", ".f08", ".for", ".ftn", ".f18"))
_LIMIT_S = 60


def refuse_other_modules(arguments: Sequence[str]) -> None:
    """Look for what flang cannot compile, before it says so in its own way.

    Args:
        arguments: Of the compiler. Sources among them that are compiled by conditions are left to
            the compiler.

    Raises:
        UserError: If a source uses the module mpi_f08.
    """
    for argument in arguments:
        if Path(argument).suffix.lower() not in _SUFFIXES:
            continue
        try:
            lines = Path(argument).read_text(errors="replace").splitlines()
        except OSError:
            continue
        if any(line.startswith("#if") for line in lines):
            continue
        for number, line in enumerate(lines, 1):
            if _USES_REFUSED.match(line):
                raise UserError(
                    f"{argument}:{number}: the module mpi_f08 cannot be had with flang here; use "
                    "the module mpi or include 'mpif.h', or compile with mpifort.openmpi and run "
                    "with --compute measured"
                )


def modules_folder(wrapper: str, variable: str, flang: str) -> Path:
    """Return a folder with the module `mpi` for flang, which is made at its first use.

    It is kept in $XDG_CACHE_HOME/kumihimo, for each version of the compiler and of the MPI library.

    Args:
        wrapper: The MPI library's compiler command.
        variable: The environment variable that tells it which compiler to call.
        flang: That compiler's path.

    Raises:
        UserError: If the module cannot be compiled or kept.
    """
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(base).expanduser() / "kumihimo" / f"flang-{_fingerprint(wrapper, flang)}"
    if (folder / "mpi.mod").exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".flang.") as stage:
            made = Path(stage) / "modules"
            made.mkdir()
            options = ["-fsyntax-only", "-module-dir", str(made), str(_SOURCE)]
            _run([wrapper, *options], {variable: flang})
            (made / f"{_REFUSED}.mod").write_text("kumihimo fc has no such module\n")
            _put_in_place(made, folder)
    except OSError as error:
        raise UserError(f"{folder}: the module mpi cannot be kept there: {error}") from error
    return folder


def _put_in_place(made: Path, folder: Path) -> None:
    """Rename a whole folder, unless another process was faster."""
    try:
        made.rename(folder)
    except OSError:
        if not (folder / "mpi.mod").exists():
            raise


def _fingerprint(wrapper: str, flang: str) -> str:
    """Return what changes with all that the module is made of."""
    digest = hashlib.sha256(_SOURCE.read_bytes())
    compiler = Path(flang).resolve()
    digest.update(f"{compiler} {compiler.stat().st_size} {compiler.stat().st_mtime_ns}".encode())
    for folder in _run([wrapper, "--showme:incdirs"]).split():
        for header in sorted(Path(folder).glob("mpif*.h")):
            digest.update(header.read_bytes())
    return digest.hexdigest()[:16]


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """Return what a command printed, which must succeed."""
    done = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        raise UserError(f"{command[0]} cannot compile the module mpi: {done.stderr.strip()}")
    return done.stdout
