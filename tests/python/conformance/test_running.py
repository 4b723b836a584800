"""Commands that are run with a limit of time, and the two sides that start them."""

import sys
import time
from pathlib import Path

import pytest

from conformance.running import folder_with_links, run
from conformance.sides import (
    NATIVE,
    asked_for_multiple,
    kumihimo,
    own_message,
    with_refusal,
    without_own_messages,
)


@pytest.mark.processes
def test_output_and_status(tmp_path: Path) -> None:
    script = "import os, sys; print(os.environ['A']); print('e', file=sys.stderr); sys.exit(3)"
    finished = run([sys.executable, "-c", script], {"A": "b"}, tmp_path, 60)
    assert (finished.status, finished.output, finished.errors) == (3, "b\n", "e\n")


@pytest.mark.processes
def test_after_the_limit_all_processes_of_the_session_end(tmp_path: Path) -> None:
    # The child is in a process group of its own, as ranks are.
    child = "import os, time; os.setpgid(0, 0); print(os.getpid(), flush=True); time.sleep(300)"
    parent = (
        f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); "
        "time.sleep(300)"
    )
    finished = run([sys.executable, "-c", parent], {}, tmp_path, 3)
    assert finished.status is None
    stat = Path("/proc") / finished.output.strip() / "stat"
    until = time.monotonic() + 30
    while stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < until
        time.sleep(0.01)


def test_programs_find_each_other_in_a_folder_of_their_own(tmp_path: Path) -> None:
    programs, sources = tmp_path / "build", tmp_path / "sources"
    for folder, names in ((programs, ("program", "program.o")), (sources, ("hosts.txt", "p.c"))):
        folder.mkdir()
        for name in names:
            (folder / name).write_text("#!/bin/sh\n")
    (programs / "program").chmod(0o755)
    with folder_with_links(programs, sources) as folder:
        assert sorted(path.name for path in folder.iterdir()) == ["hosts.txt", "program"]
        (folder / "written").write_text("")
    assert not folder.exists()
    assert not (programs / "written").exists()


def test_only_mpiexec_gets_its_own_options_and_limit() -> None:
    simulated = kumihimo(Path("star.toml"))
    assert NATIVE.command(3, ["./p", "x"], 5, ["-q"])[1:] == ["-n", "3", "-q", "./p", "x"]
    assert "-q" not in simulated.command(3, ["./p", "x"], 5, ["-q"])
    assert simulated.command(3, ["./p", "x"], 5, ["-q"])[-3:] == ["--", "./p", "x"]
    assert simulated.command(1, ["p"], 5)[-4:-2] == ["--stall-timeout", "5"]
    assert NATIVE.limit_environment(5)["MPIEXEC_TIMEOUT"] == "5"
    assert simulated.limit_environment(5) == {}


def test_messages_of_kumihimo_are_told_from_those_of_ranks() -> None:
    errors = "rank\nkumihimo: error: deadlock:\n  rank 0 waits\n  rank 1 waits\nmore\n  of it\n"
    assert without_own_messages(errors) == "rank\nmore\n  of it\n"
    assert own_message(errors) == "deadlock:"
    assert own_message("kumihimo: warning: slow\n" + errors) == "deadlock:"
    assert own_message("kumihimo: warning: slow\nrank\n") == ""
    assert asked_for_multiple("rank\nkumihimo: the program asked for MPI_THREAD_MULTIPLE; ...\n")
    assert not asked_for_multiple("the program asked for MPI_THREAD_MULTIPLE\n" + errors)


def test_what_fails_after_a_refused_call_says_so() -> None:
    refused = "is not supported in a simulated run: its number of processes is fixed"
    warned = f"rank\nkumihimo: MPI_Comm_join {refused}; the program gets an error\n"
    reason = with_refusal("ends with status 1", warned)
    assert reason == (
        "ends with status 1, after an error of MPI_Comm_join: its number of processes is fixed"
    )
    ended = f"rank 0: MPI_Comm_accept {refused}"
    assert with_refusal(ended, warned) == ended
    assert with_refusal("ends with status 1", "rank\nMPI_Comm_join\n") == "ends with status 1"
