"""The same program, the same output: over the computer's own network and over Kumihimo."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from jobs import BY_NAME, PLATFORMS, WITH_TABLES, command_of, run, run_native, run_simulated

BOTH = ("mpich", "openmpi")


@dataclass(frozen=True)
class Case:
    """A test program with its arguments and the MPI libraries it can be built with.

    Attributes:
        natively: Its arguments over the computer's own network, if they are others.
    """

    program: str
    arguments: tuple[str, ...] = ()
    mpis: tuple[str, ...] = BOTH
    ranks: int = 4
    natively: tuple[str, ...] | None = None

    def __str__(self) -> str:
        return "-".join((self.program, *self.arguments))


CASES = (
    Case("ring"),
    Case("ring", ("2", "100000")),
    Case("ping_pong", ranks=2),
    Case("collectives"),
    Case("collectives", ranks=3),
    Case("nonblocking_collectives"),
    Case("large", ranks=2),
    Case("derived_types"),
    Case("approximate"),
    Case("approximate_source"),
    Case("approximate_finite"),
    Case("services"),
    Case("scheduled_alltoall"),
    Case("scheduled_functions"),
    Case("wildcards"),
    Case("probe"),
    Case("cancel"),
    Case("claimed_messages"),
    Case("cancelled_receives", ranks=2),
    Case("cancelled_too_late", ranks=2),
    Case("freed_receive", ranks=2),
    # Over TCP, a large message of Open MPI to a rank that has ended may end its sender by SIGPIPE.
    Case("freed_receive", ("100000",), ranks=2, natively=()),
    Case("acknowledged_sends", ranks=5),
    Case("send_modes"),
    Case("truncation"),
    Case("persistent"),
    Case("ordering"),
    Case("own_messages"),
    Case("waiting_messages", ranks=2),
    Case("posted_and_computed", ranks=2),
    Case("communicators"),
    Case("communicators", ranks=2),
    Case("published", mpis=("mpich",)),  # Open MPI asks a server of its own for names
    # Open MPI 4 does not have sessions.
    *(
        Case("sessions", (way,), mpis=("mpich",))
        for way in ("alone", "before", "beside", "inside", "after", "some")
    ),
    Case("generalized_requests"),
    Case("topologies"),
    Case("topologies", ranks=3),
    Case("polling"),
    Case("sleeps"),
    Case("random_traffic", ("1", "100")),
    Case("rma_fence"),
    Case("rma_locks"),
    Case("own_accumulates", ranks=2),
    Case("rma_pscw"),
    Case("rma_dynamic"),
    Case("large_count", mpis=("mpich",)),  # Open MPI 4 does not have these calls
    Case("threads", ("funneled",)),
    Case("threads", ("serialized",)),
    Case("thread_waits"),
    Case("clocks"),
    Case("counter"),
    Case("compute"),
    Case("ring_cxx"),
    Case("approximate_source_cxx"),
    # The MPICH of PyPI comes without Fortran.
    Case("fortran_mpif", mpis=("openmpi",)),
    Case("fortran_use", mpis=("openmpi",)),
    Case("fortran_f08", mpis=("openmpi",)),
    Case("scheduled_fortran", mpis=("openmpi",)),
    Case("approximate_source_mpif", mpis=("openmpi",)),
    Case("approximate_source_f08", mpis=("openmpi",)),
    Case("scheduled_f08", mpis=("openmpi",)),
    Case("py_approximate_source"),
    Case("scheduled_functions_fortran", mpis=("openmpi",)),
    Case("scheduled_functions_f08", mpis=("openmpi",)),
    Case("py_messages"),
    Case("py_scheduled"),
    Case("py_scheduled_functions"),
    Case("py_windows"),
)
RUNS = [
    pytest.param(case, mpi, id=f"{case}-{case.ranks}-{mpi}") for case in CASES for mpi in case.mpis
]


@pytest.mark.parametrize("mpi_name", BOTH)
def test_files_that_are_written_and_read_in_the_background(mpi_name: str, tmp_path: Path) -> None:
    mpi = BY_NAME[mpi_name]
    # Paths are sent, too: those of runs that shall be alike are of one length. The library puts a
    # number of its own into the name of a file for a shared pointer.
    ways = {"native": (), "whole": (), "repeat1": ("unshared",), "repeat2": ("unshared",)}
    hashes = {}
    for name, way in ways.items():
        (tmp_path / name).mkdir()
        command = command_of(mpi, "files", str(tmp_path / name), *way)
        if name == "native":
            printed = run_native(mpi, 4, command)
        else:
            job = run_simulated(
                mpi, 4, command, tmp_path / f"{name}-out", platform=PLATFORMS / "star4.toml"
            )
            printed, hashes[name] = job.stdout, job.result["event_hash"]
        assert printed == "files: passed on 4 ranks\n"
    assert hashes["repeat1"] == hashes["repeat2"]
    for name in ("all", "split"):
        written = (tmp_path / "native" / name).read_bytes()
        assert (tmp_path / "whole" / name).read_bytes() == written


def test_a_store_after_a_sleep_is_not_seen_before(tmp_path: Path) -> None:
    """Under MPICH: gets need no target there; under Open MPI they wait for its next call."""
    mpi = BY_NAME["mpich"]
    command = command_of(mpi, "rma_stores")
    job = run_simulated(mpi, 2, command, tmp_path / "out", platform=PLATFORMS / "star4.toml")
    assert "rma_stores: passed" in job.stdout


@pytest.mark.parametrize(("case", "mpi_name"), RUNS)
def test_same_output(case: Case, mpi_name: str, tmp_path: Path) -> None:
    mpi = BY_NAME[mpi_name]
    command = command_of(mpi, case.program, *case.arguments)
    alone = case.arguments if case.natively is None else case.natively
    native = run_native(mpi, case.ranks, command_of(mpi, case.program, *alone))
    platform = PLATFORMS / ("star4.toml" if case.ranks <= 4 else "star64.toml")
    # Once with all records, which are checked when tables are made of them.
    options = WITH_TABLES if mpi_name == case.mpis[0] else ()
    job = run_simulated(
        mpi, case.ranks, command, tmp_path / "result", platform=platform, options=options
    )
    assert native, "a test program says that it passed"
    assert job.stdout == native
    # An MPI library that does not like a provider takes another one without a word.
    assert job.result["status"] == "complete"
    assert job.result["totals"]["messages"] > 0
    assert job.result["totals"]["bytes"] > 0
    assert job.result["virtual_time_ps"] > 0


@pytest.mark.parametrize("mpi_name", BOTH)
def test_ranks_find_the_names_of_their_hosts(mpi_name: str, tmp_path: Path) -> None:
    mpi = BY_NAME[mpi_name]
    platform = tmp_path / "two_a_host.toml"
    text = (PLATFORMS / "star4.toml").read_text()
    assert text.count("[node]\n") == 1
    platform.write_text(text.replace("[node]\n", "[node]\nranks = 2\n"))
    file = (str(tmp_path / "file"),) if mpi_name == "mpich" else ()
    job = run_simulated(
        mpi, 4, command_of(mpi, "host_names", *file), tmp_path / "result", platform=platform
    )
    lines = [f"rank {rank} on host{rank // 2}" for rank in range(4)]
    access = ["2 access it"] if file else []
    assert sorted(job.stdout.splitlines()) == [*access, "host_names: passed on 4 ranks", *lines]


def test_fortran_finds_the_name_of_its_host(tmp_path: Path) -> None:
    source = tmp_path / "name.f90"
    source.write_text(
        "program name\n  use mpi_f08\n  character(len=MPI_MAX_PROCESSOR_NAME) :: found\n"
        "  integer :: length, rank\n  call MPI_Init()\n  call MPI_Comm_rank(MPI_COMM_WORLD, rank)\n"
        "  call MPI_Get_processor_name(found, length)\n"
        "  if (rank == 1) print '(A,I0)', '[' // trim(found) // ']', length\n"
        "  call MPI_Finalize()\nend program\n"
    )
    mpi = BY_NAME["openmpi"]
    binary = tmp_path / "name"
    run([mpi.compilers[".f90"], str(source), "-o", str(binary), "-J", str(tmp_path)])
    platform = PLATFORMS / "star4.toml"
    job = run_simulated(mpi, 2, [str(binary)], tmp_path / "result", platform=platform)
    assert job.stdout == "[host1]5\n"
