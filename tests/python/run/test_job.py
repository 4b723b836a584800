"""Real processes: started, served by our process manager, and gone at the end."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from kumihimo import _core
from kumihimo import run as run_package
from kumihimo.run.topology import write_topology

pytestmark = pytest.mark.processes

BIN = Path(sys.executable).parent
# MPICH over this computer's own network: only its start is of interest here.
NATIVE = {
    "FI_PROVIDER": "tcp",
    "MPIR_CVAR_CH4_NETMOD": "ofi",
    "MPIR_CVAR_NOLOCAL": "1",
    "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_NUM_CELLS": "2",
    "UCX_MEM_MMAP_HOOK_MODE": "none",
}
PROGRAM = """
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1 && rank == 1) MPI_Abort(MPI_COMM_WORLD, atoi(argv[1]));
    MPI_Finalize();
    return sum == size * (size - 1) / 2 ? 0 : 99;
}
"""


def test_the_stub_names_what_the_module_has() -> None:
    stub = Path(run_package.__file__).parents[1] / "_core.pyi"
    tree = ast.parse(stub.read_text())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    assert functions | classes.keys() == {name for name in dir(_core) if name[0] != "_"}
    for name, node in classes.items():
        if issubclass(getattr(_core, name), Exception):
            continue
        functions = {entry.name for entry in node.body if isinstance(entry, ast.FunctionDef)}
        members = {member for member in functions if member[0] != "_"}
        expected = {member for member in dir(getattr(_core, name)) if member[0] != "_"}
        assert members == expected, name


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("job")
    (folder / "sum.c").write_text(PROGRAM)
    subprocess.run([str(BIN / "mpicc"), "sum.c", "-o", "sum"], cwd=folder, check=True)
    return folder / "sum"


def make_job(
    ranks: int,
    arguments: Sequence[str],
    *,
    ahead: bool = True,
    pmi_values: Sequence[tuple[str, str]] = (),
) -> _core.Job:
    environment = {**os.environ, **NATIVE}
    return _core.Job(
        ranks,
        [os.fsencode(argument) for argument in arguments],
        [os.fsencode(f"{name}={value}") for name, value in environment.items()],
        writes_answers_ahead=ahead,
        pmi_values=pmi_values,
    )


def run_to_end(job: _core.Job) -> list[_core.JobEvent]:
    events = []
    job.start()
    for _ in range(600):
        events += job.step(0.1)
        if job.running == 0:
            return events
    job.kill_all()
    raise AssertionError(f"{job.running} ranks did not end")


def memory_name(job: _core.Job) -> str:
    """How MPICH's names of its memory begin: by the FNV-1a hash of the key-value space's name."""
    world = 2166136261
    for byte in job.name.encode():
        world = ((world ^ byte) * 16777619) & 0xFFFFFFFF
    return f"mpich_shm_{world:x}_"


def shared_memory_of(job: _core.Job) -> list[Path]:
    return list(Path("/dev/shm").glob(f"{memory_name(job)}*"))


@pytest.mark.parametrize("ahead", [True, False], ids=["ahead", "one-by-one"])
@pytest.mark.parametrize("ranks", [1, 4, 64])
def test_mpich_starts_on_our_process_manager(
    ranks: int, ahead: bool, program: Path, tmp_path: Path
) -> None:
    values = [("PMI_hwloc_xmlfile", str(write_topology(tmp_path)))]
    job = make_job(ranks, [str(program)], ahead=ahead, pmi_values=values)
    events = run_to_end(job)
    assert sorted(event.rank for event in events) == list(range(ranks))
    assert {(event.kind, event.code) for event in events} == {("exited", 0)}
    assert {job.pmi_phase(rank) for rank in range(ranks)} == {"finalised"}
    assert job.kill_all()
    assert shared_memory_of(job) == []
    assert job.cpu_seconds > 0


def test_an_abort_reaches_the_launcher_and_nothing_stays(program: Path) -> None:
    job = make_job(4, [str(program), "17"])
    job.start()
    events: list[_core.JobEvent] = []
    while not any(event.kind == "pmi_abort" for event in events):
        events += job.step(10)
    (abort,) = (event for event in events if event.kind == "pmi_abort")
    assert (abort.rank, abort.code) == (1, 17)
    # MPICH leaves its memory if it aborts before its rank 0 has removed the name.
    Path("/dev/shm", f"{memory_name(job)}9").touch()
    assert job.kill_all()
    assert shared_memory_of(job) == []


def test_a_program_that_cannot_be_executed_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no program")
    with pytest.raises(PermissionError, match="cannot execute"):
        make_job(2, [str(tmp_path / "text")]).start()
    (tmp_path / "text").chmod(0o755)
    with pytest.raises(OSError, match="Exec format error"):
        make_job(2, [str(tmp_path / "text")]).start()


def test_impossible_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="a job needs a rank and a program"):
        make_job(0, ["/bin/true"])
    with pytest.raises(ValueError, match="a job needs a rank and a program"):
        make_job(1, [])
    with pytest.raises(IndexError, match="no such rank"):
        make_job(1, ["/bin/true"]).watch(1, os.getpid())
