"""How Open MPI's mpirun starts the ranks of a run."""

from __future__ import annotations

from pathlib import Path

from jobs import BUILD, BY_NAME, PLATFORMS, command_of, compiled, run_simulated


def elsewhere() -> Path:
    """A library by which Open MPI has another host name and another process number."""
    source = Path(__file__).parent / "other_computer.c"
    command = ["cc", "-O1", "-shared", "-fPIC", str(source)]
    return compiled(BUILD / "other_computer.so", [source], command)


def test_a_run_is_the_same_on_every_computer_and_in_every_process(tmp_path: Path) -> None:
    """Connecting communicators sends both names, the number of the job as 8 to 10 digits."""
    hashes = set()
    # The job's number changes with the process's highest two of 16 bits in any case.
    for number, process in enumerate((100, 100 + 0x4000, 100 + 0x8000, 100 + 0xC000)):
        names = (f"COMPUTER={'node' * (number + 1)}", f"PROCESS={process}")
        job = run_simulated(
            BY_NAME["openmpi"],
            4,
            command_of(BY_NAME["openmpi"], "communicators"),
            tmp_path / str(number),
            platform=PLATFORMS / "star4.toml",
            before=("env", f"LD_PRELOAD={elsewhere()}", *names),
        )
        hashes.add(job.result["event_hash"])
    assert len(hashes) == 1


def test_ranks_start_here_whatever_a_batch_system_says(tmp_path: Path) -> None:
    """mpirun would start a part of the ranks on the job's other computers."""
    variables = ("SLURM_JOB_ID=7", "SLURM_JOBID=7", "SLURM_NODELIST=far[1-2]")
    job = run_simulated(
        BY_NAME["openmpi"],
        4,
        command_of(BY_NAME["openmpi"], "ring", "2", "100"),
        tmp_path / "result",
        platform=PLATFORMS / "star4.toml",
        before=("env", *variables, "SLURM_TASKS_PER_NODE=2(x2)"),
    )
    assert job.result["totals"]["messages"] > 0
