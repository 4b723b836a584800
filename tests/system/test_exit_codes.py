"""What ranks give to exit() after MPI_Finalize, and what their mpirun makes of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from jobs import MPICH, OPEN_MPI, Mpi, on_four_hosts, run


def end_of(program: str, mpi: Mpi, tmp_path: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """How a run of a C program on four hosts ends."""
    source = tmp_path / "program.c"
    source.write_text(program)
    binary = tmp_path / "program"
    run([mpi.compilers[".c"], str(source), "-o", str(binary), *flags])
    command = on_four_hosts(tmp_path / "result", [str(binary)])
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def is_complete(tmp_path: Path) -> bool:
    result = json.loads((tmp_path / "result" / "result.json").read_text())
    return bool(result["status"] == "complete")


ENDS = """
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (fork() == 0) return 3;  // no rank
    wait(NULL);
    return rank == 2 ? 9 : 0;
}
"""


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_an_exit_code_is_passed_on(mpi: Mpi, tmp_path: Path) -> None:
    ended = end_of(ENDS, mpi, tmp_path)
    assert ended.returncode == 9
    assert "kumihimo: error: rank 2 ended with exit code 9 after MPI_Finalize" in ended.stderr
    assert is_complete(tmp_path)


# Open MPI's mpirun answers after the two seconds that PMIx waits for it.
LATE = """
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <unistd.h>
static int ends;
int PMIx_Finalize(const void* info, size_t count) {
    int (*next)(const void*, size_t) = dlsym(RTLD_NEXT, "PMIx_Finalize");
    if (ends) {
        const pid_t mpirun = getppid();
        kill(mpirun, SIGSTOP);
        if (fork() == 0) {
            sleep(4);
            kill(mpirun, SIGCONT);
            _exit(0);
        }
    }
    return next(info, count);
}
int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ends = rank == 1;
    MPI_Finalize();
    return 0;
}
"""


def test_an_mpirun_that_answers_late_spoils_nothing(tmp_path: Path) -> None:
    ended = end_of(LATE, OPEN_MPI, tmp_path, "-D_GNU_SOURCE", "-rdynamic", "-ldl")
    assert "exited due to process rank" in ended.stderr  # by mpirun
    assert "mpirun reports a rank that failed, but all ended with exit code 0" in ended.stderr
    assert ended.returncode == 0
    assert is_complete(tmp_path)
