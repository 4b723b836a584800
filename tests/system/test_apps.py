"""Real programs, natively and over Kumihimo: they verify their results themselves."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from jobs import MPICH, OPEN_MPI, PLATFORMS, ROOT, build, build_counting, run_native, run_simulated

APPS = ROOT / "examples" / "apps"


@dataclass(frozen=True)
class App:
    """A program of examples/apps/ with its arguments.

    Attributes:
        source: The name of its file.
        arguments: What makes it small.
        counted_ranks: On how many ranks it also runs as a program that counts its work.
    """

    source: str
    arguments: tuple[str, ...] = ()
    counted_ranks: tuple[int, ...] = (16, 64)

    def __str__(self) -> str:
        return "-".join((self.source, *self.arguments))


C_APPS = (
    App("prewake.c", ("-o", "20")),
    App("prewake.c", ("-o", "20", "-p", "5000")),
    App("prewake.c", ("-o", "20", "-w", "5000"), (16,)),
    App("conjugate_gradient.c", ("S",), (16, 32, 64)),
    App("conjugate_gradient.c", ("S", "agree"), (32,)),
    App("fourier_transform.c", ("S",)),
    App("integer_sort.c", ("S",)),
    App("multigrid.c", ("S",), (16, 32, 64)),
    App("wavefront.c"),
    App("k_means.c"),
    App("k_means.c", ("8192", "11", "9", "50", "50", "float"), (16,)),
    App("advection_diffusion.c", ("64", "5")),
    App("ring_shift.c", ("alltoall", "50", "2")),
    App("ring_shift.c", ("allgather", "50", "1", "100000"), (16,)),
)
APPS_OF_TODAY = (*C_APPS, App("conjugate_gradient.py"))
COUNTED = [
    pytest.param(app, ranks, id=f"{app}-{ranks}") for app in C_APPS for ranks in app.counted_ranks
]


def verdicts(output: str) -> list[str]:
    """What a program printed, but for the time it took; all of it must be verified."""
    lines = [line for line in output.splitlines() if "virtual_seconds" not in line]
    assert lines
    assert all(line.endswith(": VERIFIED") for line in lines), output
    return lines


@pytest.mark.parametrize("app", APPS_OF_TODAY, ids=str)
def test_natively_and_simulated(app: App, tmp_path: Path) -> None:
    source = APPS / app.source
    program = [sys.executable, str(source)] if source.suffix == ".py" else [build(MPICH, source)]
    command = [*map(str, program), *app.arguments]
    job = run_simulated(MPICH, 4, command, tmp_path / "result", platform=PLATFORMS / "star4.toml")
    assert verdicts(job.stdout) == verdicts(run_native(MPICH, 4, command))
    assert job.result["totals"]["messages"] > 0


@pytest.mark.parametrize(("app", "ranks"), COUNTED)
def test_counted(app: App, ranks: int, tmp_path: Path) -> None:
    job = run_simulated(
        MPICH,
        ranks,
        [str(build_counting(APPS / app.source)), *app.arguments],
        tmp_path / "result",
        platform=PLATFORMS / "star64.toml",
        options=["--compute", "counted", "--detail", "summary"],
    )
    verdicts(job.stdout)
    assert all(rank["compute_ps"] > 0 for rank in job.result["per_rank"])


@pytest.mark.parametrize("arguments", [["unexpected", "40"], ["posted", "100", "30"]])
def test_queue_depth(arguments: list[str], tmp_path: Path) -> None:
    """Its line has a time. Natively libfabric's tcp keeps only some tens of unexpected messages."""
    command = [str(build(MPICH, APPS / "queue_depth.c")), *arguments]
    job = run_simulated(MPICH, 2, command, tmp_path / "result", platform=PLATFORMS / "qsnet2.toml")
    assert job.stdout.endswith(" ns, VERIFIED\n")
    assert run_native(MPICH, 2, command).endswith(" ns, VERIFIED\n")
    others = int(arguments[1])
    assert job.result["matching"][f"{arguments[0]}_deepest"] in (others + 1, others + 2)


def messages_of(tmp_path: Path, *arguments: str) -> int:
    """How many messages the benchmark of sleeping links sends on four ranks."""
    command = [str(build(MPICH, APPS / "prewake.c")), *arguments]
    folder = tmp_path / "-".join(arguments)
    job = run_simulated(MPICH, 4, command, folder, platform=PLATFORMS / "star4.toml")
    verdicts(job.stdout)
    return int(job.result["totals"]["messages"])


def test_dummy_messages_are_sent_at_their_step(tmp_path: Path) -> None:
    plain = messages_of(tmp_path, "-o", "10", "-n", "100")
    assert messages_of(tmp_path, "-o", "10", "-n", "100", "-p", "99") == plain + 10 * 3
    assert messages_of(tmp_path, "-o", "10", "-n", "100", "-p", "100") == plain


@pytest.mark.parametrize(
    ("source", "ranks", "arguments", "message"),
    [
        ("prewake.c", 1, ["-o", "0"], "usage: prewake"),
        ("conjugate_gradient.c", 1, ["Z"], "usage: conjugate_gradient"),
        ("conjugate_gradient.c", 3, ["S"], "conjugate_gradient: needs 2^n ranks"),
        ("fourier_transform.c", 3, ["S"], "the ranks must divide the field's first two sides"),
        ("integer_sort.c", 3, ["S"], "integer_sort: needs 2^n ranks"),
        ("multigrid.c", 3, ["S"], "multigrid: needs 2^n ranks"),
        ("wavefront.c", 4, ["1"], "at least as many cells as ranks"),
        ("k_means.c", 1, ["10", "16"], "at least as many points"),
        ("k_means.c", 1, ["1000", "16", "4", "9", "101"], "usage: k_means"),
        ("k_means.c", 1, ["error"], "k_means: error needs float"),
        ("advection_diffusion.c", 3, ["64"], "expected POINTS that ranks divide"),
        ("ring_shift.c", 2, ["broadcast"], "expected allreduce, allgather or alltoall"),
        ("ring_shift.c", 2, ["allreduce", "-1"], "expected SHIFTS of 0 and more"),
        ("queue_depth.c", 3, ["posted"], "queue_depth: needs 2 ranks"),
        ("queue_depth.c", 2, ["both"], "usage: queue_depth unexpected DEPTH"),
        ("queue_depth.c", 2, ["posted", "9", "10"], "expected a depth from 0 to 100000"),
    ],
)
def test_what_a_program_cannot_do_is_said(
    source: str, ranks: int, arguments: list[str], message: str, tmp_path: Path
) -> None:
    said = tmp_path / "said"
    # Not by way of mpiexec, which may lose what ranks printed last before they ended the job.
    program = ["sh", "-c", f'exec "$@" >> {said} 2>&1', "sh", str(build(MPICH, APPS / source))]
    command = [*MPICH.launch, "-n", str(ranks), *program, *arguments]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode != 0
    assert message in said.read_text()


@pytest.mark.parametrize(
    ("source", "arguments", "largest"),
    [
        ("conjugate_gradient.c", ["S", "error"], 1e-10),
        ("fourier_transform.c", ["error", "S", "2"], 1e-9),
        ("k_means.c", ["4096", "8", "4", "20", "10", "error", "float"], 0),
        ("conjugate_gradient.py", ["32", "200", "error"], 1e-7),
        # Too few iterations: wrong, and it goes on.
        ("conjugate_gradient.py", ["32", "2", "error"], None),
    ],
)
def test_an_error_is_told(source: str, arguments: list[str], largest: float | None) -> None:
    file = APPS / source
    program = [sys.executable, str(file)] if file.suffix == ".py" else [str(build(MPICH, file))]
    output = run_native(MPICH, 4, [*program, *arguments])
    found = re.search(r"error (\S+)$", output, re.MULTILINE)
    assert found is not None, output
    assert float(found[1]) <= largest if largest is not None else float(found[1]) > 1e-7
    assert ("WRONG" in output) == (largest is None)


def thermodynamics(output: str) -> list[str]:
    """The lines of LAMMPS with step, temperature, energies and pressure."""
    found = re.search(r"^Step Temp .*?(?=^Loop time)", output, re.MULTILINE | re.DOTALL)
    assert found is not None, output
    return found[0].splitlines()


def test_lammps(tmp_path: Path) -> None:
    """Debian's own binary, unmodified: the same trajectory as natively."""
    command = ["/usr/bin/lmp", "-in", str(APPS / "melt.lammps"), "-log", "none"]
    job = run_simulated(
        OPEN_MPI, 8, command, tmp_path / "result", platform=PLATFORMS / "star64.toml"
    )
    lines = thermodynamics(job.stdout)
    assert len(lines) == 1 + 6
    assert lines == thermodynamics(run_native(OPEN_MPI, 8, command))
    # Five thousand messages and more are positions and forces of a hundred steps.
    assert job.result["totals"]["messages"] > 5000
