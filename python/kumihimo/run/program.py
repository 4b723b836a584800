"""The user's program: where it is, and which MPI library it was built for."""

from __future__ import annotations

import mmap
import os
import re
import shutil
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.run.options import MpiName

# Names of shared libraries that show an MPI library, by the binary interface they stand for.
_LIBRARIES: dict[str, MpiName] = {
    "libmpi.so.12": "mpich",
    "libmpi_abi.so.1": "mpich",
    "libmpi.so.40": "openmpi",
}
_DEBIAN_MPICH = "libmpich.so.12"
_TRACE_LINE = re.compile(r"^\s*(\S+)(?: => (not found|/\S+))?", re.MULTILINE)
# Also with the name of a library behind a dot: mpirun.openmpi, mpiexec.hydra.
_LAUNCHER = re.compile(r"(mpirun|mpiexec|orterun|prterun|prun|srun|aprun|jsrun)(\.\w+)?")
_CALL_OF_LAUNCHER = re.compile(rf"^\s*(?:exec\s+)?(?:\S*/)?(?P<name>{_LAUNCHER.pattern})\s", re.M)
_LONGEST_SCRIPT = 65536
_ELF_MAGIC = b"\x7fELF"
# Stands in the symbol table of what src/passes has been at.
_WORK_SYMBOL = b"\0kumi_work\0"


@dataclass(frozen=True)
class Program:
    """A program that can be started.

    Attributes:
        arguments: Its path, absolute or with a folder, and its arguments.
        mpi: The MPI library it is to run with.
        is_python: Whether it is a Python interpreter or a script for one.
        lacks_library: Whether the dynamic loader does not find its MPI library by itself.
        counts_work: Whether it was built to count its work (`kumihimo cc`).
        loads_shim: Whether it is known that libraries can be loaded before it: it is an executable
            that is linked with an MPI library, and runs with the user's own rights.
        launcher: What starts ranks by itself, if a script seems to call it; else "".
    """

    arguments: tuple[str, ...]
    mpi: MpiName
    is_python: bool
    lacks_library: bool = False
    counts_work: bool = False
    loads_shim: bool = False
    launcher: str = ""


def find_program(command: tuple[str, ...], mpi: MpiName | None) -> Program:
    """Find the program that the user named, and its MPI library.

    Args:
        command: The program as it was named, and its arguments.
        mpi: The MPI library that the user asked for; None to find out.

    Raises:
        UserError: If there is no such program, it cannot be executed, it is a launcher of ranks, or
            it was built for an MPI library that cannot be served.
    """
    path = locate_program(command[0])
    if _LAUNCHER.fullmatch(Path(path).name):
        raise UserError(
            f"{command[0]} starts ranks, which Kumihimo does itself: name the program without it, "
            "and give the number of ranks to Kumihimo (-n)"
        )
    arguments = (path, *command[1:])
    if _is_python(path):
        return Program(arguments, mpi or "mpich", is_python=True)
    if _is_static(path):
        raise UserError(
            f"{path} is statically linked: no network can be loaded into it; link it dynamically "
            "with an MPI library"
        )
    libraries = _linked_libraries(path)
    found = {name: _LIBRARIES[name] for name in libraries if name in _LIBRARIES}
    if _DEBIAN_MPICH in libraries:
        raise UserError(
            f"{path} was built with Debian's MPICH ({_DEBIAN_MPICH}), which cannot load a network: "
            f"build it with {Path(sys.prefix) / 'bin' / 'mpicc'} or with Open MPI's mpicc"
        )
    if len(set(found.values())) > 1:
        raise UserError(f"{path} is linked with two MPI libraries: {', '.join(sorted(found))}")
    for name, linked in found.items():
        if mpi is not None and mpi != linked:
            raise UserError(f"{path} was built for {linked} ({name}), not for --mpi {mpi}")
        return Program(
            arguments,
            linked,
            is_python=False,
            lacks_library=libraries[name] is None,
            counts_work=_contains(path, _WORK_SYMBOL),
            loads_shim=not Path(path).stat().st_mode & (stat.S_ISUID | stat.S_ISGID),
        )
    # A script, or a program that loads MPI later: the user knows, else it is MPICH.
    return Program(arguments, mpi or "mpich", is_python=False, launcher=_launcher_in(path))


def locate_program(name: str, folder: Path = Path()) -> str:
    """Return the path of a program, checked to be executable.

    Args:
        name: As the user named it: without a slash it is looked for in PATH.
        folder: Where it is to run; other names are from there.

    Raises:
        UserError: If there is none.
    """
    path = folder / name
    if "/" not in name:
        found = shutil.which(name)
        if found is not None:
            return found
        hint = f"; did you mean ./{name}?" if path.exists() else ""
        raise UserError(f"there is no program {name!r} in PATH{hint}")
    if not path.exists():
        raise UserError(f"there is no program {name}")
    if path.is_dir():
        raise UserError(f"{name} is a folder, not a program")
    if not os.access(path, os.X_OK):
        hint = f"; did you mean python {name}?" if path.suffix == ".py" else ""
        raise UserError(f"{name} is not executable{hint}")
    return name if folder == Path() else str(path)


def _is_python(path: str) -> bool:
    """Whether the file is a Python interpreter, or a script that names one."""
    if re.fullmatch(r"python[0-9.]*", Path(path).name):
        return True
    first_line = _first_bytes(path, 256).split(b"\n", 1)[0]
    return first_line.startswith(b"#!") and b"python" in first_line


def _launcher_in(path: str) -> str:
    """Return the first launcher of ranks that a script has as a command; "" if there is none."""
    script = _first_bytes(path, _LONGEST_SCRIPT)
    if not script.startswith(b"#!"):
        return ""
    call = _CALL_OF_LAUNCHER.search(script.decode(errors="replace"))
    return "" if call is None else call["name"]


def _first_bytes(path: str, count: int) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123 (a buffered read of a few bytes)
            return file.read(count)
    except OSError:
        return b""  # Executable, yet not readable: it may still run.


def _contains(path: str, text: bytes) -> bool:
    """Whether a file, which is not empty, holds `text`; False if it cannot be read."""
    try:
        with (
            Path(path).open("rb") as file,
            mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as image,
        ):
            return image.find(text) >= 0
    except OSError:
        return False  # As above.


def _linked_libraries(path: str) -> dict[str, str | None]:
    """Return the shared libraries of a program with their paths; None where none was found."""
    if _first_bytes(path, 4) != _ELF_MAGIC or not _is_dynamic(path):
        return {}
    # The loader itself prints what it would load, and ends without starting the program.
    import subprocess

    traced = subprocess.run(
        [path],
        env={**os.environ, "LD_TRACE_LOADED_OBJECTS": "1", "LD_PRELOAD": ""},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return {
        name: None if where == "not found" else where
        for name, where in _TRACE_LINE.findall(traced.stdout)
    }


def _is_static(path: str) -> bool:
    """Whether it is a program for this kind of computer that does without the dynamic loader."""
    header = _first_bytes(path, 64)
    if len(header) < 64 or header[:4] != _ELF_MAGIC or header[4] != 2:
        return False
    types_of_programs = (2, 3)
    return int.from_bytes(header[16:18], "little") in types_of_programs and not _is_dynamic(path)


def _is_dynamic(path: str) -> bool:
    """Whether an ELF file asks for the dynamic loader. Without it the program itself would run."""
    header = _first_bytes(path, 64)
    if len(header) < 64 or header[4] != 2:  # 64-bit programs only
        return False
    table = int.from_bytes(header[32:40], "little")
    entry_size = int.from_bytes(header[54:56], "little")
    count = int.from_bytes(header[56:58], "little")
    interpreter_segment = 3
    segments = _first_bytes(path, table + entry_size * count)
    types = (
        int.from_bytes(segments[start : start + 4], "little")
        for start in range(table, len(segments), max(entry_size, 1))
    )
    return interpreter_segment in types
