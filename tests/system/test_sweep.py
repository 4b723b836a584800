"""Sweeps on a real local cluster: tables, resuming, workers that are killed, Ctrl-C, jobs."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from functools import partial
from pathlib import Path

import pytest

from jobs import BY_NAME, command_of
from sweeps import (
    CLUSTER,
    finished,
    is_alive,
    members,
    parent_of,
    rows_of,
    started,
    sweep,
    sweep_file,
    sweeping,
    wait_for,
)

KILLING = """\
import os, signal
from mpi4py import MPI

def parent_of(process):
    with open(f"/proc/{process}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])

# One rank alone: a second would find that the launcher has another parent by then.
if MPI.COMM_WORLD.rank == 0:
    # The launcher is a copy of a process of the worker's.
    worker = parent_of(parent_of(os.getppid()))
    with open(f"/proc/{worker}/cmdline") as file:
        assert "multiprocessing" in file.read()
    os.kill(worker, signal.SIGKILL)
MPI.COMM_WORLD.barrier()
"""


def test_a_sweep_gives_a_table_figures_and_a_page(tmp_path: Path) -> None:
    program = " ".join(command_of(BY_NAME["mpich"], "patterns", "ping_pong", "1000", "3"))
    sweep_file(
        tmp_path,
        f'programs = "{program}"\npatterns = "shift/direct --bytes 1000B"\nranks = 2\n'
        "seeds = [0, 1]\n[parameters]\n"
        'link.latency = ["100 ns", "1 us"]\nmpi.send_overhead = ["0 ns", "5 ns"]\n',
    )
    assert sweep(tmp_path)[0] == 0
    rows = rows_of(tmp_path)
    assert [row["status"] for row in rows] == ["complete"] * 16
    for row in rows:
        # 1000 bytes take 1 µs at 8 Gb/s; two links on the way.
        one_way_ps = 1_000_000 + 2 * row["link.latency_ps"] + row["mpi.send_overhead_ps"]
        trips = 6 if row["kind"] == "program" else 1
        assert row["virtual_time_ps"] == trips * one_way_ps
        assert row["event_hash"]
        assert row["wall_seconds"] > 0
    folder = tmp_path / "kumi-sweep-sweep"
    names = {path.name for path in folder.iterdir()}
    figures = {
        f"virtual_time-by-{axis}.{kind}"
        for axis in ("link_latency_ps", "mpi_send_overhead_ps")
        for kind in ("svg", "png")
    }
    assert names == {"points", "sweep.json", "sweep.html", "sweep.parquet", *figures}
    assert (folder / "sweep.html").read_text().count("<svg") == 2
    assert (folder / "virtual_time-by-link_latency_ps.png").read_bytes().startswith(b"\x89PNG")


def test_finished_points_are_kept_and_failed_ones_run_again(tmp_path: Path) -> None:
    text = f'programs = "{sys.executable} failing.py"\nranks = [2, 3]\n[run]\ndetail = "summary"\n'
    sweep_file(tmp_path, text)
    status, told = sweep(tmp_path)
    assert status == 1
    assert "2 points: 1 complete, 1 failed" in told
    assert "failed: kind program" in told
    complete, failed = rows_of(tmp_path)
    assert (complete["status"], complete["exit_status"], complete["error"]) == ("complete", 0, None)
    assert (failed["status"], failed["exit_status"]) == ("failed", 1)
    assert failed["virtual_time_ps"] is None
    assert failed["error"]
    results = list((tmp_path / "kumi-sweep-sweep" / "results").iterdir())
    by_hash = {path.name: json.loads((path / "result.json").read_text()) for path in results}
    assert by_hash[complete["point"]]["event_hash"] == complete["event_hash"]
    (output,) = (path / "output.txt" for path in results if path.name == complete["point"])
    assert output.read_text() == "rank 0 of 2\n"

    sweep_file(tmp_path, text.replace("[2, 3]", "[2, 3, 4]"))
    status, told = sweep(tmp_path)
    assert status == 1
    assert "3 points: 1 complete, 1 failed, 1 kept from before" in told
    again = rows_of(tmp_path)
    assert again[0] == complete
    assert [row["status"] for row in again] == ["complete", "failed", "complete"]


def test_points_of_a_killed_worker_run_again(tmp_path: Path) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\nseeds = [0, 1]\n')
    with sweeping(tmp_path, "--workers", "1") as process:
        ((rank, _),) = wait_for(lambda: started(tmp_path))
        launcher = parent_of(int(rank))
        worker = parent_of(parent_of(launcher))
        os.kill(worker, signal.SIGKILL)
        # Nothing of the killed run stays, and the point begins anew.
        wait_for(lambda: not is_alive(int(rank)))
        wait_for(lambda: len(started(tmp_path)) == 2)
        (tmp_path / "go").touch()
        status, told = finished(process)
    assert status == 0
    assert told.count("a worker died; its point runs again: kind program") == 1
    assert "2 points: 2 complete, 0 failed" in told
    assert len(started(tmp_path)) == 3
    assert [row["status"] for row in rows_of(tmp_path)] == ["complete"] * 2
    assert not (tmp_path / "kumi-sweep-sweep" / "work").exists()


def test_a_point_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    programs = [f"{sys.executable} killing.py", f"{sys.executable} failing.py"]
    sweep_file(tmp_path, f"programs = {json.dumps(programs)}\nranks = 2\n")
    (tmp_path / "killing.py").write_text(KILLING)
    status, told = sweep(tmp_path, "--workers", "1")
    assert status == 1
    assert "2 points: 1 complete, 1 failed" in told
    killing, harmless = rows_of(tmp_path)
    assert killing["error"] == "4 workers died of it"
    assert harmless["status"] == "complete"


@pytest.mark.alone
def test_points_at_once_have_different_cores(tmp_path: Path) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\nseeds = [0, 1]\n')
    with sweeping(tmp_path, "--workers", "2") as process:
        wait_for(lambda: len(started(tmp_path)) == 2)
        (tmp_path / "go").touch()
        status, _ = finished(process)
    assert status == 0
    cores = [cores for _, cores in started(tmp_path)]
    assert all("," not in each for each in cores)
    if len(os.sched_getaffinity(0)) > 1:
        assert cores[0] != cores[1]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_sweep_keeps_what_is_finished(
    number: signal.Signals, tmp_path: Path
) -> None:
    programs = [f"{sys.executable} failing.py", f"{sys.executable} waiting.py a"]
    sweep_file(tmp_path, f"programs = {json.dumps(programs)}\nranks = 2\n")
    with sweeping(tmp_path, "--workers", "1") as process:
        ((rank, _),) = wait_for(lambda: started(tmp_path))
        # As a terminal does it: to every process of the group.
        os.killpg(process.pid, number)
        status, told = finished(process)
    assert status == 128 + number
    out = tmp_path / "kumi-sweep-sweep"
    assert told.splitlines() == [
        "kumihimo: interrupted: 2 points: 1 complete, 0 failed, 1 not run; "
        f"results in {out}; the same command goes on"
    ]
    assert not is_alive(int(rank))
    assert not {"work", "lock"} & {path.name for path in out.iterdir()}
    assert [row["command"] for row in rows_of(tmp_path)] == [programs[0]]
    (tmp_path / "go").touch()
    status, told = sweep(tmp_path)
    assert status == 0
    assert "2 points: 1 complete, 0 failed, 1 kept from before" in told


def test_ctrl_c_while_workers_start_ends_in_one_line(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = [2, 3]\n')
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    with sweeping(tmp_path, "--workers", "2", environment=environment) as process:
        # The interpreter of a worker, which has not come far yet.
        wait_for(lambda: members(process.pid, b"multiprocessing.spawn"))
        os.killpg(process.pid, signal.SIGINT)
        status, told = finished(process)
    assert status == 130
    assert len(told.splitlines()) == 1
    assert "2 points: 0 complete, 0 failed, 2 not run" in told
    wait_for(lambda: not members(process.pid))
    assert list(temporary.iterdir()) == []
    status, told = sweep(tmp_path, environment=environment)
    assert status == 0
    assert "2 points: 2 complete" in told
    assert list(temporary.iterdir()) == []


def test_a_second_sweep_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\n')
    with sweeping(tmp_path) as process:
        ((rank, _),) = wait_for(lambda: started(tmp_path))
        status, told = sweep(tmp_path)
        assert status == 1
        assert is_alive(int(rank))
        (tmp_path / "go").touch()
        assert finished(process)[0] == 0
    (line,) = told.splitlines()
    owner = f"another sweep (process {process.pid} on {socket.gethostname()}, since 20"
    assert line.startswith(f"kumihimo: error: kumi-sweep-sweep: {owner}")
    assert line.endswith("works in this folder; wait for its end, or name another folder")
    assert len(started(tmp_path)) == 1
    assert [row["status"] for row in rows_of(tmp_path)] == ["complete"]


def test_a_sweep_that_was_killed_does_not_lock_its_folder(tmp_path: Path) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\n')
    with sweeping(tmp_path) as process:
        ((rank, _),) = wait_for(lambda: started(tmp_path))
        process.kill()
        process.communicate()
        wait_for(lambda: not is_alive(int(rank)))
    (tmp_path / "go").touch()
    assert sweep(tmp_path)[0] == 0


SBATCH = """\
#!/bin/bash
cp "${!#}" "$JOBS/script"
setsid bash "$JOBS/script" > "$JOBS/job.log" 2>&1 &
echo "$!" >> "$JOBS/jobs"
echo "Submitted batch job $!"
"""
SCANCEL = """\
#!/bin/bash
kill -- "-$1"
"""


def slurm(folder: Path) -> dict[str, str]:
    """Return an environment in which two programs of ours stand for a cluster under Slurm."""
    commands = folder / "commands"
    commands.mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)
    return {
        **os.environ,
        "PATH": f"{commands}:{os.environ['PATH']}",
        "JOBS": str(commands),
        **CLUSTER,
        "DASK_JOBQUEUE__SLURM__QUEUE": "night",
    }


def test_jobs_of_a_batch_system_run_points(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = [2, 3, 4]\n')
    status, told = sweep(tmp_path, "--cluster", "slurm", environment=slurm(tmp_path))
    commands = tmp_path / "commands"
    assert status == 0, (commands / "job.log").read_text()
    assert "3 points: 3 complete, 0 failed" in told
    assert "#SBATCH -p night\n" in (commands / "script").read_text()
    assert [row["virtual_time_ps"] for row in rows_of(tmp_path)] == [1_200_000] * 3


def test_jobs_that_end_are_asked_for_again(tmp_path: Path) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\n')
    with sweeping(tmp_path, "--cluster", "slurm", environment=slurm(tmp_path)) as process:
        ((rank, _),) = wait_for(lambda: started(tmp_path))
        (job,) = (tmp_path / "commands" / "jobs").read_text().split()
        os.killpg(int(job), signal.SIGKILL)
        wait_for(lambda: not is_alive(int(rank)))
        wait_for(lambda: len(started(tmp_path)) == 2)
        (tmp_path / "go").touch()
        status, told = finished(process)
    assert status == 0
    assert "1 points: 1 complete, 0 failed" in told


def test_what_a_batch_system_says_when_it_refuses_a_job_ends_the_sweep(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = 2\n')
    environment = slurm(tmp_path)
    refusing = "#!/bin/bash\necho 'sbatch: error: no such partition: night' >&2\nexit 1\n"
    (tmp_path / "commands" / "sbatch").write_text(refusing)
    status, told = sweep(tmp_path, "--cluster", "slurm", environment=environment)
    assert status == 1
    assert told.splitlines() == [
        "kumihimo: error: cannot use the slurm cluster: "
        "sbatch refused a job: sbatch: error: no such partition: night"
    ]


def test_a_later_refusal_ends_the_sweep_too(tmp_path: Path) -> None:
    sweep_file(tmp_path, f'programs = "{sys.executable} waiting.py a"\nranks = 2\n')
    environment = slurm(tmp_path)
    with sweeping(tmp_path, "--cluster", "slurm", environment=environment) as process:
        wait_for(lambda: started(tmp_path))
        commands = tmp_path / "commands"
        (commands / "sbatch").write_text("#!/bin/bash\necho 'the cluster closes' >&2\nexit 1\n")
        os.killpg(int((commands / "jobs").read_text()), signal.SIGKILL)
        status, told = finished(process)
    assert status == 1
    assert "sbatch refused a job: the cluster closes" in told
    assert "Traceback" not in told


def test_a_sweep_that_waits_for_jobs_ends_by_a_signal(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = 2\n')
    environment = slurm(tmp_path)
    submitting = tmp_path / "submitting"
    (tmp_path / "commands" / "sbatch").write_text(f"#!/bin/bash\ntouch {submitting}\nsleep 3\n")
    with sweeping(tmp_path, "--cluster", "slurm", environment=environment) as process:
        wait_for(submitting.exists)
        process.terminate()
        status, told = finished(process)
    assert status == 128 + signal.SIGTERM
    assert "kumihimo: interrupted: 1 points" in told
    assert "Traceback" not in told


def test_two_sweeps_at_once_say_nothing_of_each_other(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    for folder in folders:
        folder.mkdir()
        sweep_file(folder, f'programs = "{sys.executable} waiting.py a"\nranks = 2\n')
    with (
        sweeping(folders[0], "--workers", "1") as one,
        sweeping(folders[1], "--workers", "1") as other,
    ):
        for folder in folders:
            wait_for(partial(started, folder))
            (folder / "go").touch()
        outcomes = [finished(one), finished(other)]
    assert [status for status, _ in outcomes] == [0, 0]
    assert not any("Port" in told or "Warning" in told for _, told in outcomes)


def test_a_batch_system_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = 2\n')
    status, told = sweep(tmp_path, "--cluster", "pbs")
    assert status == 2
    assert "kumihimo: error: cannot use the pbs cluster: there is no qsub here" in told


def test_errors_of_points_name_the_platform_of_the_sweep(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'schedules = "nine.goal"\n')
    (tmp_path / "nine.goal").write_text(
        "num_ranks 9\n" + "".join(f"rank {r} {{\n}}\n" for r in range(9))
    )
    status, told = sweep(tmp_path, "--workers", "1")
    assert status == 1
    wanted = "star.toml: 9 ranks do not fit: the platform has room for 4"
    assert f"kumihimo: error: {wanted}" in told
    (row,) = rows_of(tmp_path)
    assert row["error"] == f"kumihimo: error: {wanted}"


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    sweep_file(tmp_path, 'patterns = "shift/direct --bytes 1000B"\nranks = 2\n')
    status, told = sweep(tmp_path, "--out", ".")
    assert status == 2
    assert "is not the folder of a sweep, and not empty" in told
