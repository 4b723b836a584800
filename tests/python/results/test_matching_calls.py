"""At which calls matching took time."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kumihimo.results.matching_calls import calls_document, name_of_call
from kumihimo.results.summary import MatchingSite

PROGRAM = """\
int one(void) { return 1; }
int main(void) {
    return one() - 1;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A program with debugging information, and the place after its call in line 3."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "app.c").write_text(PROGRAM)
    path = folder / "app"
    subprocess.run(["gcc", "-g", "-O0", "-o", path, folder / "app.c"], check=True)
    code = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", path], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    call = next(i for i, line in enumerate(code) if "call" in line and "<one>" in line)
    return path, int(code[call + 1].split(":")[0], 16)


@pytest.mark.processes
def test_calls_are_named_by_their_lines(program: tuple[Path, int]) -> None:
    path, place = program
    sites: list[MatchingSite] = [
        (0, "MPI_Recv", str(path), place, 30),
        (1, "MPI_Recv", str(path), place, 50),
        (1, "MPI_Irecv", "", 0, 70),
        (1, "", "", 0, 900),
    ]
    found = calls_document(sites, slowest_rank=0)
    assert [name_of_call(call) for call in found["calls"]] == ["MPI_Recv at app.c:3", "MPI_Irecv"]
    assert [call["time_ps"] for call in found["calls"]] == [80, 70]
    assert found["slowest_rank_call"] == {**found["calls"][0], "time_ps": 30}
    of_other = calls_document(sites, slowest_rank=1)["slowest_rank_call"]
    assert of_other == {"function": "MPI_Irecv", "file": None, "line": None, "time_ps": 70}


def test_there_are_at_most_ten() -> None:
    sites: list[MatchingSite] = [(0, f"MPI_Recv{i}", "", i, 100 + i) for i in range(20)]
    found = calls_document(sites, slowest_rank=0)
    assert [call["function"] for call in found["calls"]] == [
        f"MPI_Recv{i}" for i in range(19, 9, -1)
    ]
    assert found["slowest_rank_call"]["function"] == "MPI_Recv19"


def test_nothing_is_said_of_what_belongs_to_no_call() -> None:
    assert calls_document([(0, "", "", 0, 900), (1, "MPI_Recv", "", 5, 3)], slowest_rank=0) == {}
