"""Starts MPI jobs, natively and over Kumihimo, for the tests in this folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kumihimo.installed import library_path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
PROGRAMS = ROOT / "tests" / "programs"
PLATFORMS = ROOT / "platforms"
BUILD = ROOT / "build" / "tests"
JOB_LIMIT_S = 100
# Of a run of which a test looks at the report, or only at the tables.
FULL = ("--detail", "full")
WITH_TABLES = ("--detail", "tables")


@dataclass(frozen=True)
class Mpi:
    """An MPI implementation: its compilers, and how it starts a job over the computer's network."""

    name: str
    compilers: Mapping[str, str]
    launch: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)


MPICH = Mpi(
    name="mpich",
    compilers={".c": str(BIN / "mpicc"), ".cpp": str(BIN / "mpicxx")},
    launch=(str(BIN / "mpiexec"),),
    environment={"FI_PROVIDER": "tcp", "MPIR_CVAR_CH4_NETMOD": "ofi", "MPIR_CVAR_NOLOCAL": "1"},
)
OPEN_MPI = Mpi(
    name="openmpi",
    compilers={".c": "mpicc.openmpi", ".cpp": "mpicxx.openmpi", ".f90": "mpif90.openmpi"},
    # One-sided operations over messages: the default component crashes over tcp.
    launch=(
        *("mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"),
        *("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "osc", "pt2pt"),
    ),
    environment={
        "MPI4PY_RC_THREAD_LEVEL": "serialized",
        "MPI4PY_MPIABI": "openmpi",
        "MPI4PY_LIBMPI": "/usr/lib/x86_64-linux-gnu/libmpi.so.40",
    },
)
BY_NAME = {mpi.name: mpi for mpi in (MPICH, OPEN_MPI)}


@dataclass(frozen=True)
class Job:
    """What came out of a job."""

    stdout: str
    stderr: str
    result: dict[str, Any]
    folder: Path

    @property
    def clocks_ps(self) -> list[int]:
        """The clocks that the program `patterns` printed, by rank."""
        found = re.findall(r"^rank (\d+) clock_ps (\d+)$", self.stdout, re.MULTILINE)
        return [clock for _, clock in sorted((int(rank), int(clock)) for rank, clock in found)]

    @property
    def cards(self) -> list[str]:
        """The names of the cards that the report has a picture of."""
        page = (self.folder / "report.html").read_text()
        return re.findall(r'<div class="drawing" id="drawing-([a-z-]+)"', page)


def compiled(binary: Path, inputs: Iterable[Path], command: Sequence[str]) -> Path:
    """Compile a program if it is older than what it is made of; return the binary.

    Tests in other processes may compile or run the same program, so it is replaced as a whole.

    Args:
        binary: Where the program belongs.
        inputs: The files that it is made of, or with.
        command: What compiles it, but for the binary's name.
    """
    newest = max(path.stat().st_mtime for path in inputs)
    if not binary.exists() or binary.stat().st_mtime < newest:
        binary.parent.mkdir(parents=True, exist_ok=True)
        new = binary.with_name(f"{binary.name}.{os.getpid()}")
        run([*command, "-o", str(new)])
        new.replace(binary)
    return binary


def build(mpi: Mpi, source: Path) -> Path:
    """Compile a program for an MPI library if it is older than what it is made of."""
    # The C++ bindings in the headers of Open MPI do not pass -Wextra.
    flags = {".c": ["-Wall", "-Wextra", "-Werror"], ".cpp": ["-Wall", "-Werror"], ".f90": []}
    command = [mpi.compilers[source.suffix], "-O1", "-g", *flags[source.suffix], str(source)]
    if source.suffix != ".f90":
        command += ["-I", str(ROOT / "include"), "-lm", "-lpthread", "-ldl"]
    binary = BUILD / mpi.name / source.stem
    if source.suffix == ".f90":
        # Modules that were compiled with it.
        modules = binary.with_name(f"{source.stem}.modules")
        modules.mkdir(parents=True, exist_ok=True)
        command += ["-I", str(ROOT / "include"), "-J", str(modules)]
    # With this file for the command.
    headers = (ROOT / "include" / "kumihimo").iterdir()
    inputs = [source, Path(__file__), *source.parent.glob("*.h"), *headers]
    return compiled(binary, inputs, command)


def build_counting(source: Path, *options: str) -> Path:
    """Compile a program for MPICH with the plug-in, so that it counts its work."""
    command = [str(BIN / "kumihimo"), "cc", "-O2", *options, str(source), "-lm", "-ldl"]
    inputs = [source, *source.parent.glob("*.h"), library_path("kumi-passes")]
    return compiled(BUILD / "counting" / source.stem, inputs, command)


def command_of(mpi: Mpi, program: str, *arguments: str) -> list[str]:
    """The command line of a test program, which is compiled first if it has to be."""
    for suffix in mpi.compilers:
        source = PROGRAMS / f"{program}{suffix}"
        if source.exists():
            return [str(build(mpi, source)), *arguments]
    script = PROGRAMS / f"{program}.py"
    assert script.exists(), f"no test program {program} for {mpi.name}"
    return [sys.executable, str(script), *arguments]


def run(
    command: Sequence[str],
    environment: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    limit_s: int = JOB_LIMIT_S,
) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed; a failure shows what it printed and how to repeat it."""
    finished = subprocess.run(
        command,
        env={**os.environ, **(environment or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
    )
    assert finished.returncode == 0, (
        f"status {finished.returncode} from: {' '.join(command)}\n"
        f"{finished.stdout[-4000:]}\n{finished.stderr[-4000:]}"
    )
    return finished


def run_native(mpi: Mpi, ranks: int, command: Sequence[str], cwd: Path | None = None) -> str:
    """Run a job over tcp on this computer; return what it printed."""
    return run([*mpi.launch, "-n", str(ranks), *command], mpi.environment, cwd).stdout


def run_simulated(
    mpi: Mpi,
    ranks: int,
    command: Sequence[str],
    folder: Path,
    *,
    platform: Path,
    options: Sequence[str] = (),
    before: Sequence[str] = (),
    cwd: Path | None = None,
    limit_s: int = JOB_LIMIT_S,
) -> Job:
    """Run a job over Kumihimo; return what it printed and its result, only totals by default.

    Args:
        mpi: Which MPI library the command was built with.
        ranks: How many ranks.
        command: The program and its arguments.
        folder: Where the result goes; must not exist.
        platform: The platform file.
        options: More options of `kumihimo run`.
        before: A command that starts the whole, such as `env NAME=VALUE`.
        cwd: The folder to run in.
        limit_s: After how long the job has failed, in seconds.
    """
    started = run(
        [
            *before,
            *(str(BIN / "kumihimo"), "run", "-n", str(ranks), "--mpi", mpi.name),
            *("--platform", str(platform), "--out", str(folder)),
            *("--compute", "none", "--detail", "summary"),
            *options,
            "--",
            *command,
        ],
        cwd=cwd,
        limit_s=limit_s,
    )
    result = json.loads((folder / "result.json").read_text())
    return Job(started.stdout, started.stderr, result, folder)


def on_four_hosts(folder: Path, command: Sequence[str], *options: str) -> list[str]:
    """The command line of a run on four hosts, which may end in any way."""
    start = [str(BIN / "kumihimo"), "run", "-n", "4", "--quiet", "--compute", "none"]
    where = ["--platform", str(PLATFORMS / "star4.toml"), "--out", str(folder)]
    return [*start, *where, *options, "--", *command]


@contextmanager
def busy_computer(limit_s: int = 60) -> Iterator[None]:
    """Keep two processors busy with processes that come and go, for `limit_s` at most."""
    loop = (
        "import subprocess, sys, time\n"
        f"end = time.monotonic() + {limit_s}\n"
        "while time.monotonic() < end:\n"
        "    subprocess.run([sys.executable, '-c', 'sum(range(300000))'], check=True)\n"
    )
    loads = [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(2)]
    try:
        yield
    finally:
        for load in loads:
            load.kill()
            load.wait()
