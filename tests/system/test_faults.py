"""Whatever goes wrong: one message that names the rank and the cause, and nothing is left."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jobs import MPICH, OPEN_MPI, Mpi, command_of, on_four_hosts, run
from leftovers import (
    has_begun_to_write_result,
    in_private_mounts,
    processes_of,
    rank_process,
    wait_until_gone,
    with_shared_memory_in,
)

LIMIT_S = 90
# By then Open MPI's ranks are up, and what they share while they start is gone again.
START_UP_S = 3
ATTEMPTS = 5


@dataclass(frozen=True)
class Failed:
    """A run that has ended."""

    status: int
    stderr: str
    folder: Path
    launcher_pid: int

    @property
    def messages(self) -> list[str]:
        """What Kumihimo said was wrong."""
        return [line for line in self.stderr.splitlines() if line.startswith("kumihimo: error:")]


@contextmanager
def running(
    tmp_path: Path, command: Sequence[str], *options: str
) -> Iterator[subprocess.Popen[str]]:
    """A run that is under way, with folders of its own for temporary files and shared memory."""
    (tmp_path / "scratch").mkdir()
    (tmp_path / "memory").mkdir()
    with subprocess.Popen(
        with_shared_memory_in(
            tmp_path / "memory", on_four_hosts(tmp_path / "result", command, *options)
        ),
        env={**os.environ, "TMPDIR": str(tmp_path / "scratch")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def end_of(process: subprocess.Popen[str], tmp_path: Path) -> Failed:
    """Wait for the end of a run, and check that nothing but its result is left."""
    _, stderr = process.communicate(timeout=LIMIT_S)
    assert processes_of(process.pid) == []
    assert leftovers_in(tmp_path) == []
    return Failed(process.returncode, stderr, tmp_path / "result", process.pid)


def leftovers_in(tmp_path: Path) -> list[Path]:
    """Files and folders that are neither the result nor the test's own."""
    expected = {tmp_path / name for name in ("result", "scratch", "memory")}
    temporary = [*(tmp_path / "scratch").iterdir(), *(tmp_path / "memory").iterdir()]
    return [*(path for path in tmp_path.iterdir() if path not in expected), *temporary]


def fail(tmp_path: Path, command: Sequence[str], *options: str) -> Failed:
    """A run to its end."""
    with running(tmp_path, command, *options) as process:
        return end_of(process, tmp_path)


def result_of(failed: Failed) -> dict[str, object]:
    """The result that was written all the same."""
    result: dict[str, object] = json.loads((failed.folder / "result.json").read_text())
    return result


# What goes wrong on rank 1, the status, and the message, for both MPI libraries.
FAULTS: dict[str, tuple[int, str]] = {
    "segv": (139, r"rank 1 was killed by SIGSEGV"),
    "kill": (137, r"rank 1 was killed by SIGKILL"),
    "c-abort": (134, r"rank 1 was killed by SIGABRT"),
    "exit": (1, r"rank 1 ended (without calling MPI_Finalize|early; mpirun's exit code is 1)"),
    "exit-status": (42, r"rank 1 ended (with exit code 42|early; mpirun's exit code is 42)"),
    "abort": (17, r"rank 1 called MPI_Abort with code 17"),
    "sleep": (4, r"virtual time has come to its end, after 53 days, .*: rank.* did not finish"),
    "deadlock": (3, r"deadlock at .*: every rank waits, and no message is in flight"),
    # Processes are past their sends, whose payloads were copied.
    "exchange": (3, r"deadlock at .*: every rank waits, and no message is in flight"),
}
# What needs a watchdog, since no process ends.
STALLS: dict[str, str] = {
    "loop": r"no progress for 2 s .* rank 1 \(process \d+\) holds the run .* computes or loops",
    "poll": r"no progress for 2 s .* rank 1 \(process \d+\) holds the run .* polls",
    "stop": r"rank 1 \(process \d+\) was stopped",
}


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named(mpi: Mpi, fault: str, tmp_path: Path) -> None:
    status, message = FAULTS[fault]
    failed = fail(tmp_path, command_of(mpi, "faults", fault), "--mpi", mpi.name)
    assert len(failed.messages) == 1, failed.stderr
    assert re.search(message, failed.messages[0]), failed.stderr
    assert failed.status == status
    result = result_of(failed)
    assert result["status"] == "partial"
    assert re.search(message, str(result["reason"]))


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
@pytest.mark.parametrize("cores", ["1", "2"])
def test_an_abort_does_not_wait_for_endless_computing(cores: str, mpi: Mpi, tmp_path: Path) -> None:
    command = command_of(mpi, "faults", "abort-beside-loop")
    options = ("--cores", cores, "--stall-timeout", "60", "--mpi", mpi.name)
    failed = fail(tmp_path, command, *options)
    assert failed.status == 17
    assert re.search(
        r"rank 1 called MPI_Abort with code 17; ranks? .* still computed", failed.stderr
    )


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_the_mpi_library_says_what_it_gave_up_for(mpi: Mpi, tmp_path: Path) -> None:
    failed = fail(tmp_path, command_of(mpi, "faults", "mpi-error"), "--mpi", mpi.name)
    assert re.search(r"MPI_ERR_TAG: invalid tag|Invalid tag, value is -7", failed.stderr)
    assert len(failed.messages) == 1, failed.stderr
    assert re.search(
        r"the MPI library of rank 1 gave up|rank 1 ended early; mpirun's exit code is 4",
        failed.messages[0],
    )
    assert failed.status != 0


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
@pytest.mark.parametrize("fault", STALLS)
def test_a_rank_that_holds_the_run_is_named(mpi: Mpi, fault: str, tmp_path: Path) -> None:
    command = command_of(mpi, "faults", fault)
    failed = fail(tmp_path, command, "--stall-timeout", "2", "--mpi", mpi.name)
    assert len(failed.messages) == 1, failed.stderr
    assert re.search(STALLS[fault], failed.messages[0]), failed.stderr
    assert failed.status == 124
    assert result_of(failed)["status"] == "partial"


def test_a_deadlock_says_what_each_rank_waits_for(tmp_path: Path) -> None:
    failed = fail(tmp_path, command_of(MPICH, "faults", "deadlock"))
    for rank, other in ((0, 1), (1, 0), (2, 1), (3, 1)):
        line = rf"rank {rank} waits in MPI_Recv for a message from rank {other}"
        assert re.search(line, failed.stderr), failed.stderr


# Hosts 0 and 2 have a route, and so have hosts 1 and 3; others have none.
GAPS = """\
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<host id="c" speed="1Gf"/><host id="d" speed="1Gf"/>
<link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="c"><link_ctn id="l"/></route>
<route src="b" dst="d"><link_ctn id="l"/></route>
</zone></platform>
"""


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_only_a_message_between_hosts_without_a_route_is_a_fault(
    mpi: Mpi, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    platform = tmp_path_factory.mktemp("platform") / "gaps.xml"
    platform.write_text(GAPS)
    options = ("--mpi", mpi.name, "--platform", str(platform))
    (tmp_path / "good").mkdir()
    # Ranks 0 and 1 send to ranks 2 and 3.
    good = fail(tmp_path / "good", command_of(mpi, "patterns", "pairs", "1000"), *options)
    assert (good.status, good.messages) == (0, []), good.stderr
    (tmp_path / "bad").mkdir()
    bad = fail(tmp_path / "bad", command_of(mpi, "patterns", "incast", "1000"), *options)
    assert bad.status == 1
    message = rf'rank \d sends to rank \d, but {platform} has no route from "\w" to "\w"'
    assert re.fullmatch(f"kumihimo: error: {message}", "".join(bad.messages)), bad.stderr
    assert result_of(bad)["status"] == "partial"


def test_a_crash_after_finalize_spoils_only_the_status(tmp_path: Path) -> None:
    failed = fail(tmp_path, command_of(MPICH, "faults", "after-finalize"))
    assert failed.status == 137
    assert "rank 1 was killed by SIGKILL after MPI_Finalize" in failed.messages[0]
    assert result_of(failed)["status"] == "complete"


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI])
def test_threads_that_are_in_mpi_at_once_are_refused(mpi: Mpi, tmp_path: Path) -> None:
    failed = fail(tmp_path, command_of(mpi, "threads", "careless"), "--mpi", mpi.name)
    assert failed.status == 1
    (message,) = failed.messages
    assert "a thread calls MPI_Sendrecv while another thread of the rank is in MPI" in message
    assert "MPI_THREAD_SERIALIZED at most" in message


def test_a_program_without_mpi_is_refused(tmp_path: Path) -> None:
    failed = fail(tmp_path, ["true"])
    assert failed.status == 1
    assert "ended without calling MPI_Init" in failed.messages[0]


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_libraries_of_different_builds_are_refused(
    mpi: Mpi, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = Path(__file__).parent / "other_table.c"
    program = tmp_path_factory.mktemp("program") / "other_table"
    # The program's own function comes before that of the shim.
    command = [mpi.compilers[".c"], "-rdynamic", str(source), "-o", str(program)]
    subprocess.run(command, check=True)
    failed = fail(tmp_path, [str(program)], "--mpi", mpi.name)
    assert failed.status == 1
    assert "libkumi-mpi and libkumi-fi are of different builds" in failed.messages[0]
    assert re.search(
        r"version 9999 of its table \(8 bytes\), the other expects version \d", failed.messages[0]
    )


def test_a_program_that_sends_nothing_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "bare.c").write_text(
        "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); return MPI_Finalize(); }\n"
    )
    program = tmp_path / "bare"
    subprocess.run([MPICH.compilers[".c"], f"{program}.c", "-o", str(program)], check=True)
    command = on_four_hosts(tmp_path / "result", [str(program)])
    finished = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert (finished.returncode, finished.stderr) == (0, "")


def test_a_rank_that_never_starts_mpi_is_named(tmp_path: Path) -> None:
    program = shlex.quote(command_of(MPICH, "ring")[0])
    failed = fail(tmp_path, ["sh", "-c", f"test $PMI_RANK = 2 || exec {program}"])
    assert failed.status == 1
    assert "rank 2 ended without calling MPI_Init; the others wait for it" in failed.messages[0]


@pytest.mark.parametrize(
    ("mpi", "variable"), [(MPICH, "PMI_RANK"), (OPEN_MPI, "OMPI_COMM_WORLD_RANK")]
)
def test_a_rank_killed_from_outside_is_named(mpi: Mpi, variable: str, tmp_path: Path) -> None:
    command = command_of(mpi, "faults", "loop")
    with running(tmp_path, command, "--mpi", mpi.name) as process:
        rank = rank_process(process.pid, 3, variable)
        time.sleep(START_UP_S)
        os.kill(rank, signal.SIGKILL)
        failed = end_of(process, tmp_path)
    assert failed.status == 137
    assert failed.messages == ["kumihimo: error: rank 3 was killed by SIGKILL"]


def test_a_killed_mpirun_is_named(tmp_path: Path) -> None:
    command = command_of(OPEN_MPI, "faults", "loop")
    with running(tmp_path, command, "--mpi", "openmpi") as process:
        rank = rank_process(process.pid, 0, "OMPI_COMM_WORLD_RANK")
        time.sleep(START_UP_S)
        fields = Path(f"/proc/{rank}/stat").read_text().rpartition(")")[2].split()
        os.kill(int(fields[1]), signal.SIGKILL)
        failed = end_of(process, tmp_path)
    assert failed.status == 137
    assert failed.messages == ["kumihimo: error: mpirun was killed by SIGKILL"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_keeps_its_partial_result(
    number: signal.Signals, tmp_path: Path
) -> None:
    with running(tmp_path, command_of(MPICH, "faults", "loop")) as process:
        rank_process(process.pid, 3)
        time.sleep(0.5)
        process.send_signal(number)
        failed = end_of(process, tmp_path)
    assert failed.status == 128 + number
    assert len(failed.messages) == 1
    assert f"stopped by {number.name}" in failed.messages[0]
    assert result_of(failed)["status"] == "partial"


def test_whatever_a_rank_writes_into_the_segment_ends_with_a_message(tmp_path: Path) -> None:
    """Every run ends as damaged: the writes also meet guard lines, which are never written."""
    for seed in range(12):
        folder = tmp_path / str(seed)
        folder.mkdir()
        command = command_of(MPICH, "scribble", str(seed), "300", "150000")
        more = ("--profile-calls",) if seed % 2 == 1 else ()
        failed = fail(folder, command, "--stall-timeout", "3", *more)
        assert failed.status >= 0, f"seed {seed}: the launcher died of signal {-failed.status}"
        assert failed.status != 0, f"seed {seed}"
        assert "Traceback" not in failed.stderr, f"seed {seed}: {failed.stderr}"
        assert "deadlock" not in failed.stderr, f"seed {seed}: {failed.stderr}"
        assert "the run's state is damaged" in failed.stderr, f"seed {seed}: {failed.stderr}"


def signalled_while_writing(number: signal.Signals, folder: Path) -> Failed:
    """Send a signal to a run that has begun to write its result; return its end."""
    deadline_s = time.monotonic() + LIMIT_S
    with running(folder, command_of(MPICH, "scheduled_alltoall", "1000", "2000")) as process:
        while not has_begun_to_write_result(folder) and process.poll() is None:
            assert time.monotonic() < deadline_s
            time.sleep(0.002)
        process.send_signal(number)
        return end_of(process, folder)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_the_result_is_written_leaves_nothing(
    number: signal.Signals, tmp_path: Path
) -> None:
    # On a busy computer a signal may come after the result, which is then whole.
    for attempt in range(ATTEMPTS):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        failed = signalled_while_writing(number, folder)
        if failed.status != 0:
            break
        assert result_of(failed)["status"] == "complete"
    assert failed.status == 128 + number
    reason = "" if number == signal.SIGINT else f" by {number.name}"
    assert failed.stderr.strip().splitlines()[-1] == f"kumihimo: interrupted{reason}"
    assert not failed.folder.exists()


@pytest.mark.parametrize(
    ("mpi", "variable"), [(MPICH, "PMI_RANK"), (OPEN_MPI, "OMPI_COMM_WORLD_RANK")]
)
def test_nothing_survives_a_killed_launcher(mpi: Mpi, variable: str, tmp_path: Path) -> None:
    command = command_of(mpi, "faults", "loop")
    with running(tmp_path, command, "--mpi", mpi.name) as process:
        rank_process(process.pid, 3, variable)
        time.sleep(0.5)
        assert leftovers_in(tmp_path), "the records lie next to where the result would be"
        process.kill()
        process.wait()
        wait_until_gone(process.pid)
    deadline_s = time.monotonic() + 10
    while left := leftovers_in(tmp_path):
        assert time.monotonic() < deadline_s, left
        time.sleep(0.02)


@pytest.mark.parametrize("out", ["/proc/result", "occupied", "file"])
def test_an_unusable_result_folder_is_found_before_the_start(out: str, tmp_path: Path) -> None:
    (tmp_path / "occupied").mkdir()
    (tmp_path / "occupied" / "mine.txt").write_text("keep me")
    (tmp_path / "file").write_text("keep me")
    started = tmp_path / "started"
    command = on_four_hosts(tmp_path / out, ["touch", str(started)])
    finished = subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT_S, cwd=tmp_path, check=False
    )
    assert finished.returncode in (1, 2)
    assert finished.stderr.startswith("kumihimo: error:"), finished.stderr
    assert not started.exists()
    assert (tmp_path / "occupied" / "mine.txt").read_text() == "keep me"


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=256k none {shlex.quote(str(disk))}"
    command = command_of(MPICH, "ring", "2000", "8")
    finished = subprocess.run(
        in_private_mounts(mount, *on_four_hosts(disk / "result", command)),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert finished.returncode == 1, finished.stderr
    assert "No space left on device" in finished.stderr
    assert "kumihimo: error: the records of the run cannot be written" in finished.stderr


def test_too_little_shared_memory_is_named(tmp_path: Path) -> None:
    mount = "mount -t tmpfs -o size=64k none /dev/shm"
    command = on_four_hosts(tmp_path / "result", command_of(MPICH, "ring", "2", "8"))
    finished = subprocess.run(
        in_private_mounts(mount, *command),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert finished.returncode == 128 + signal.SIGBUS
    assert re.search(r"rank \d was killed by SIGBUS: is /dev/shm full\?", finished.stderr)


def test_64_mb_of_shared_memory_are_enough(tmp_path: Path) -> None:
    mount = "mount -t tmpfs -o size=64m none /dev/shm"
    count = 'trap "ls -A /dev/shm | wc -l" EXIT'
    command = shlex.join(
        on_four_hosts(tmp_path / "result", command_of(MPICH, "ring", "2", "1000000"))
    ).replace("-n 4", "-n 64")
    command = command.replace("star4.toml", "star64.toml")
    finished = subprocess.run(
        in_private_mounts(mount, "sh", "-c", f"{count}; {command}"),
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[-1] == "0", "files are left in shared memory"


CHILD = """\
#include <mpi.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int status = 0;
    MPI_Init(&argc, &argv);
    if (fork() == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        return 0;
    }
    wait(&status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return WEXITSTATUS(status) == 1 ? 7 : 0;
}
"""


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI], ids=lambda mpi: mpi.name)
def test_a_child_that_calls_mpi_is_told_so(mpi: Mpi, tmp_path: Path) -> None:
    (tmp_path / "scratch").mkdir()
    source = tmp_path / "scratch" / "child.c"
    source.write_text(CHILD)
    binary = tmp_path / "child"
    run([mpi.compilers[".c"], str(source), "-o", str(binary)])
    command = on_four_hosts(tmp_path / "result", [str(binary)])
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "a child process of rank 2 calls MPI_Barrier: only the rank itself can" in ended.stderr
    # The ranks go on.
    assert "ended with exit code 7 after MPI_Finalize" in ended.stderr


def test_a_program_without_mpi_leaves_no_result(tmp_path: Path) -> None:
    failed = fail(tmp_path, ["/bin/true"])
    assert failed.status == 1
    assert "there was nothing to simulate" in failed.stderr
    assert not failed.folder.exists()


def test_a_limit_on_files_is_named(tmp_path: Path) -> None:
    command = on_four_hosts(tmp_path / "result", command_of(MPICH, "ring"))
    ended = subprocess.run(
        ["prlimit", "--fsize=10240", *command], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "cannot prepare the run: " in ended.stderr
    assert "File too large" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_run_that_computes_nothing_says_that_rates_mean_nothing(tmp_path: Path) -> None:
    def remarks_of(program: str) -> str:
        folder = tmp_path / program
        command = on_four_hosts(folder, command_of(MPICH, program))
        subprocess.run(command, check=True, capture_output=True)
        return " ".join(json.loads((folder / "host.json").read_text())["remarks"])

    assert "rates that the program prints for it mean nothing" in remarks_of("clocks")
    assert "rates that" not in remarks_of("compute")
