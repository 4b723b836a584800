"""Ranks start as copies of a process that was loaded once, or one by one where that cannot be."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from jobs import BIN, BY_NAME, JOB_LIMIT_S, MPICH, PLATFORMS, command_of, run, run_simulated

RANKS = 4


@pytest.fixture(scope="module")
def preloaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that says on stderr when it is loaded into a process of a run."""
    library = tmp_path_factory.mktemp("preloaded") / "libpreloaded.so"
    source = Path(__file__).parent / "preloaded.c"
    run(["cc", "-shared", "-fPIC", str(source), "-o", str(library), "-lpthread"])
    return library


def kumihimo_run(program: list[str], ranks: int = RANKS) -> list[str]:
    return [
        *(str(BIN / "kumihimo"), "run", "-n", str(ranks), "--compute", "none", "--quiet"),
        *("--platform", str(PLATFORMS / "star4.toml"), "--detail", "none", "--", *program),
    ]


def start(environment: dict[str, str], ranks: int = RANKS) -> subprocess.CompletedProcess[str]:
    """Run the program `start`, whose rank 0 gets one line of input."""
    return subprocess.run(
        kumihimo_run(command_of(MPICH, "start", "argument"), ranks),
        env={**os.environ, **environment},
        input="input\n",
        capture_output=True,
        text=True,
        timeout=JOB_LIMIT_S,
        check=False,
    )


@pytest.mark.parametrize(
    ("wish", "environment", "loads"),
    [
        ("", {}, 1),
        ("", {"KUMI_LOAD_ONCE": "off"}, RANKS),
        ("", {"KUMI_RANDOM_ADDRESSES": "on"}, RANKS),
        # Once more than there are ranks: that it cannot be copied shows when it is loaded.
        ("thread", {}, RANKS + 1),
        ("shared memory", {}, RANKS + 1),
        ("exit", {}, RANKS + 1),
    ],
)
def test_a_program_is_loaded_once_if_it_can_be_copied(
    wish: str, environment: dict[str, str], loads: int, preloaded: Path
) -> None:
    done = start({"LD_PRELOAD": str(preloaded), "PRELOADED": wish, **environment})
    assert done.returncode == 0, done.stderr
    assert "start: passed" in done.stdout
    assert done.stderr.splitlines() == ["loaded"] * loads


def test_few_ranks_are_loaded_one_by_one(preloaded: Path) -> None:
    done = start({"LD_PRELOAD": str(preloaded)}, ranks=2)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["loaded"] * 2


@pytest.mark.parametrize("ranks", [2, RANKS])
def test_closed_standard_streams_are_no_place_for_other_files(ranks: int) -> None:
    """Else what the program prints goes into files that its MPI library has opened."""
    command = kumihimo_run(command_of(MPICH, "collectives"), ranks)
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(
            ["sh", "-c", f'exec "$@" {closed}', "sh", *command],
            capture_output=True,
            text=True,
            timeout=JOB_LIMIT_S,
            check=False,
        )
        assert done.returncode == 0, (closed, done.stderr)
        assert done.stderr == ""
        assert ("passed" in done.stdout) == (">&-" not in closed.split()), closed


def test_a_run_without_tables_loads_no_library_for_them() -> None:
    """They take as long to load as all else of the command."""
    finished = start({"PYTHONPROFILEIMPORTTIME": "1"})
    assert finished.returncode == 0, finished.stderr
    loaded = [line.rpartition("|")[2].strip() for line in finished.stderr.splitlines()]
    assert "kumihimo.run.session" in loaded
    assert {"numpy", "pyarrow"}.isdisjoint(loaded)


# What a rank has read when it has started, and whether it can read the kernel's symbols itself.
READ = """\
#include <mpi.h>
#include <stdio.h>

int main(void) {
    MPI_Init(NULL, NULL);
    long read_bytes = -1;
    FILE* counters = fopen("/proc/self/io", "r");
    if (counters == NULL || fscanf(counters, "rchar: %ld", &read_bytes) != 1) return 1;
    FILE* symbols = fopen("/proc/kallsyms", "r");
    printf("%ld %s\\n", read_bytes, symbols == NULL ? "none" : "symbols");
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("mpi", BY_NAME)
def test_the_mpi_library_does_not_read_the_symbols_of_the_kernel(mpi: str, tmp_path: Path) -> None:
    """libfabric would do so twice in each rank, which is most of the start of Open MPI's ranks."""
    source, binary = tmp_path / "read.c", tmp_path / "read"
    source.write_text(READ)
    run([BY_NAME[mpi].compilers[".c"], str(source), "-o", str(binary)])
    job = run_simulated(
        BY_NAME[mpi], 2, [str(binary)], tmp_path / "out", platform=PLATFORMS / "star4.toml"
    )
    for line in job.stdout.splitlines():
        read_bytes, found = line.split()
        assert int(read_bytes) < 2_000_000
        assert found == ("symbols" if Path("/proc/kallsyms").exists() else "none")


# As libraries for Intel's networks do, but for twenty minutes in place of a tenth of a second.
TIMING = """\
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>
#include <x86intrin.h>

__attribute__((constructor)) static void time_the_counter(void) {
    struct timeval begin, now;
    gettimeofday(&begin, NULL);
    unsigned long long ticks = __rdtsc();
    do {
        usleep(125);
        gettimeofday(&now, NULL);
    } while (now.tv_sec - begin.tv_sec < 1200);
    double seconds = now.tv_sec - begin.tv_sec + 1e-6 * (now.tv_usec - begin.tv_usec);
    double frequency = (__rdtsc() - ticks) / seconds;
    if (frequency < 1e9 || frequency > 5e9) printf("%g ticks in a second\\n", frequency);
}
"""
LOADS = """\
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/time.h>

int main(int argc, char** argv) {
    struct timeval begin, now;
    gettimeofday(&begin, NULL);
    void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    gettimeofday(&now, NULL);
    MPI_Init(NULL, NULL);
    puts(library != NULL && now.tv_sec - begin.tv_sec < 600 ? "passed" : "failed");
    return MPI_Finalize();
}
"""


@pytest.mark.parametrize("mpi", BY_NAME)
@pytest.mark.parametrize("library", ["libpsm2.so.2.2", "libinfinipath.so.4.0"])
def test_no_rank_waits_for_libraries_that_time_the_counter(
    mpi: str, library: str, tmp_path: Path
) -> None:
    """Debian's Open MPI loads both. The program's own clocks do not see what is skipped."""
    for name, text in (("timing.c", TIMING), ("loads.c", LOADS)):
        (tmp_path / name).write_text(text)
    shared = ["-shared", "-fPIC", "-o", str(tmp_path / library)]
    run(["cc", str(tmp_path / "timing.c"), *shared])
    compiler = BY_NAME[mpi].compilers[".c"]
    run([compiler, str(tmp_path / "loads.c"), "-o", str(tmp_path / "loads"), "-ldl"])
    command = [str(tmp_path / "loads"), str(tmp_path / library)]
    platform = PLATFORMS / "star4.toml"
    job = run_simulated(BY_NAME[mpi], 2, command, tmp_path / "out", platform=platform)
    assert job.stdout == "passed\npassed\n"
