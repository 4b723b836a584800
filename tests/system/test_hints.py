"""Hints of programs in every language: which links they wake."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from jobs import (
    BIN,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    PROGRAMS,
    ROOT,
    WITH_TABLES,
    Mpi,
    command_of,
    run,
    run_native,
    run_simulated,
)

PLATFORM = PLATFORMS / "star4-onoff.toml"
WOKEN = {
    "rank": ("host0->switch0", "switch0->host3"),
    "all": ("host0->switch0", "switch0->host1", "switch0->host2", "switch0->host3"),
    # Rank 0 is in the first half: its targets are in the second one.
    "member": ("host0->switch0", "switch0->host3"),
    "members": ("host0->switch0", "switch0->host2", "switch0->host3"),
    "none": (),
}
LANGUAGES = [
    (MPICH, "hints"),
    (OPEN_MPI, "hints"),
    (OPEN_MPI, "hints_fortran"),
    (MPICH, "py_hints"),
    (OPEN_MPI, "py_hints"),
]


def wakes(mpi: Mpi, command: list[str], what: str, folder: Path) -> tuple[Counter[str], str]:
    """Returns how often each link woke, and what the program printed."""
    job = run_simulated(
        *(mpi, 4, [*command, what], folder / what),
        platform=PLATFORM,
        options=("--link-power", "prewake", *WITH_TABLES),
    )
    links = pq.read_table(job.folder / "links.parquet").to_pylist()
    names = {row["link"]: row["name"] for row in links}
    rows = pq.read_table(job.folder / "link_power.parquet").to_pylist()
    return Counter({names[row["link"]]: row["wakes"] for row in rows}), job.stdout


@pytest.mark.parametrize(
    ("mpi", "program"), LANGUAGES, ids=[f"{program}-{mpi.name}" for mpi, program in LANGUAGES]
)
def test_hints_wake_the_links_to_whom_they_name(mpi: Mpi, program: str, tmp_path: Path) -> None:
    command = command_of(mpi, program)
    before, _ = wakes(mpi, command, "nothing", tmp_path)
    for what, expected in WOKEN.items():
        after, told = wakes(mpi, command, what, tmp_path)
        assert after - before == Counter(expected), what
        assert told.split() == [f"{what}:", "-1" if what == "none" else "0"]


@pytest.mark.parametrize(
    ("mpi", "program"), LANGUAGES, ids=[f"{program}-{mpi.name}" for mpi, program in LANGUAGES]
)
def test_natively_hints_do_nothing(mpi: Mpi, program: str) -> None:
    for what in ("all", "members", "none"):
        assert run_native(mpi, 4, command_of(mpi, program, what)).split() == [f"{what}:", "0"]


def test_the_fortran_module_is_compiled_with_the_program(tmp_path: Path) -> None:
    source = (PROGRAMS / "hints_fortran.f90").read_text()
    included = "include 'kumihimo/hint.f90'\n"
    assert included in source
    (tmp_path / "app.f90").write_text(source.replace(included, ""))
    module = ROOT / "include" / "kumihimo" / "hint.f90"
    run([str(BIN / "kumihimo"), "fc", str(module), "app.f90", "-o", "app"], cwd=tmp_path)
    before, _ = wakes(OPEN_MPI, [str(tmp_path / "app")], "nothing", tmp_path)
    after, _ = wakes(OPEN_MPI, [str(tmp_path / "app")], "members", tmp_path)
    assert after - before == Counter(WOKEN["members"])
