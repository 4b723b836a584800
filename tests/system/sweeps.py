"""Small sweeps, for the tests in this folder."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from jobs import BIN
from star_platform import STAR_PLATFORM

# Each rank 0 reports where it is and waits in real time until a file is there.
WAITING = """\
import os, sys
from mpi4py import MPI
if MPI.COMM_WORLD.rank == 0:
    cores = ",".join(map(str, sorted(os.sched_getaffinity(0))))
    with open(f"{sys.argv[1]}.{os.getpid()}.new", "w") as file:
        file.write(f"{os.getpid()} {cores}")
    os.rename(file.name, f"started.{sys.argv[1]}.{os.getpid()}")
    while not os.path.exists("go"):
        os.stat(".")
MPI.COMM_WORLD.barrier()
"""
FAILING = """\
import sys
from mpi4py import MPI
if MPI.COMM_WORLD.size == 3:
    sys.exit("three are too many")
if MPI.COMM_WORLD.rank == 0:
    print("rank 0 of", MPI.COMM_WORLD.size)
MPI.COMM_WORLD.barrier()
"""
LIMIT_S = 100
# How Dask finds jobs in the tests' clusters; and it does not wait a quarter of a minute before it
# asks for another job in place of one that has ended.
CLUSTER = {
    "DASK_JOBQUEUE__SLURM__INTERFACE": "lo",
    "DASK_DISTRIBUTED__DEPLOY__LOST_WORKER_TIMEOUT": "1s",
}


@contextmanager
def sweeping(
    folder: Path, *options: str, environment: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """Starts `kumihimo sweep sweep.toml` in a folder, and ends it if it has not ended by itself."""
    process = subprocess.Popen(
        [str(BIN / "kumihimo"), "sweep", "sweep.toml", *options],
        cwd=folder,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def finished(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Return the exit status of a sweep, once it has ended, and what it told."""
    _, told = process.communicate(timeout=LIMIT_S)
    print(told)
    return process.returncode, told


def sweep(
    folder: Path, *options: str, environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run a sweep to its end."""
    with sweeping(folder, *options, environment=environment) as process:
        return finished(process)


def sweep_file(folder: Path, text: str) -> None:
    (folder / "star.toml").write_text(STAR_PLATFORM)
    (folder / "sweep.toml").write_text(f'platform = "star.toml"\n{text}')
    (folder / "waiting.py").write_text(WAITING)
    (folder / "failing.py").write_text(FAILING)


def rows_of(folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(
        folder / "kumi-sweep-sweep" / "sweep.parquet"
    ).to_pylist()
    return rows


def wait_for(what: Callable[[], Any]) -> Any:  # noqa: ANN401
    deadline_s = time.monotonic() + LIMIT_S
    while not (found := what()):
        assert time.monotonic() < deadline_s, "it did not happen in time"
        time.sleep(0.05)
    return found


def started(folder: Path) -> list[list[str]]:
    """The process and the cores of each rank 0 that waits."""
    return [path.read_text().split() for path in sorted(folder.glob("started.*"))]


def parent_of(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def members(group: int, word: bytes = b"") -> list[int]:
    """The living processes of a process group, of those with a word on their command line."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            state, _, of_group = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            if (
                int(of_group) == group
                and state != "Z"
                and word in (folder / "cmdline").read_bytes()
            ):
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue  # has ended, or is no process
    return found
