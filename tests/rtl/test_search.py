"""Searchers in hardware give the answers of src/matching, command by command."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import (
    CANCEL,
    INSERT,
    PROBE,
    TAKE,
    Command,
    Queue,
    expected,
    random_commands,
)
from simulation import simulate

# Module, entries, width of a row (0: has none).
HARDWARE = [
    ("row_searcher", 32, 8),
    ("row_searcher", 16, 4),
    ("row_searcher", 8, 2),
    ("comparator_cells", 32, 0),
]


def answers_of(
    folder: Path, commands: list[Command], queue: Queue, module: str, entries: int, width: int
) -> list[list[int]]:
    """Return what hardware answers: found, pointer, cycles, waited; checked against the engine."""
    (folder / "commands").write_text("".join(command.line() + "\n" for command in commands))
    parameters = {"ENTRIES": entries, "STORES_WILDCARDS": int(queue == "posted")}
    if width:
        parameters["WIDTH"] = width
    files = {"COMMANDS": folder / "commands", "ANSWERS": folder / "answers"}
    simulate(folder, module, "bench_search", parameters, files)
    lines = (folder / "answers").read_text().splitlines()
    answers = [[int(word) for word in line.split()] for line in lines]
    for number, right in enumerate(expected(commands, queue, entries)):
        found, pointer, *_ = answers[number]
        assert found == right.found, (number, commands[number])
        assert not found or pointer == right.pointer, (number, commands[number])
    return answers


@pytest.mark.parametrize("queue", ["unexpected", "posted"])
@pytest.mark.parametrize(("module", "entries", "width"), HARDWARE)
def test_random_traffic(
    module: str, entries: int, width: int, queue: Queue, tmp_path: Path
) -> None:
    """More comes than goes, so that it is often full; the ring goes round many times."""
    commands = random_commands(entries + width, 900, queue, 0.55)
    answers = answers_of(tmp_path, commands, queue, module, entries, width)
    kinds = [(command.kind, answer[0]) for command, answer in zip(commands, answers, strict=True)]
    for kind in (INSERT, TAKE, PROBE, CANCEL):
        assert kinds.count((kind, 1)) >= 5
        assert kinds.count((kind, 0)) >= 5


@pytest.mark.parametrize(("module", "entries", "width"), HARDWARE)
def test_full_and_round(module: str, entries: int, width: int, tmp_path: Path) -> None:
    """Filled to the last entry, refused, emptied in order, and that three times."""
    fill = [Command(INSERT, tag=n % 3, pointer=n) for n in range(entries + 2)]
    empty = [Command(TAKE, any_tag=True) for _ in range(entries + 1)]
    answers = answers_of(tmp_path, (fill + empty) * 3, "unexpected", module, entries, width)
    found = [answer[0] for answer in answers]
    assert found == ([1] * entries + [0] * 2 + [1] * entries + [0]) * 3


@pytest.mark.parametrize(("module", "entries", "width"), HARDWARE)
def test_an_entry_that_is_never_taken(
    module: str, entries: int, width: int, tmp_path: Path
) -> None:
    """It is the oldest; what comes and goes behind it has all the other room."""
    commands = [Command(INSERT, tag=9, pointer=9)]
    for n in range(500):
        commands += [Command(INSERT, tag=n % 3, pointer=100 + n), Command(TAKE, tag=n % 3)]
    commands += [Command(INSERT, tag=1, pointer=n) for n in range(entries)]
    commands += [Command(PROBE, tag=9)]
    answers = answers_of(tmp_path, commands, "unexpected", module, entries, width)
    found = [answer[0] for answer in answers]
    assert found == [1] * 1001 + [1] * (entries - 1) + [0, 1]


@pytest.mark.parametrize(("entries", "width"), [(32, 8), (8, 2)])
def test_the_next_command_waits_a_bounded_time(entries: int, width: int, tmp_path: Path) -> None:
    """Also for the youngest of a full ring whose oldest is in the middle of a row."""
    rows = entries // width
    turn = [Command(INSERT, pointer=0), Command(TAKE)]
    fill = [Command(INSERT, tag=n, pointer=n) for n in range(entries)]
    commands = turn * (width // 2) + fill + [Command(TAKE, tag=entries - 1), Command(PROBE, tag=99)]
    answers = answers_of(tmp_path, commands, "unexpected", "row_searcher", entries, width)
    assert answers[-2][:3] == [1, entries - 1, rows + 2]
    # Given in the cycle after the one before it was taken.
    assert answers[-1][3] + 1 == 2 * rows + 4


@pytest.mark.parametrize(("module", "entries", "width"), HARDWARE)
def test_a_cancel_that_waits_for_a_search(
    module: str, entries: int, width: int, tmp_path: Path
) -> None:
    """It is given while the search before it runs, which takes the same entry, or another."""
    commands = [Command(INSERT, tag=n % 2, pointer=100 + n) for n in range(4)]
    commands += [
        Command(TAKE, tag=1),  # gets 101
        Command(CANCEL, pointer=101),  # too late
        Command(TAKE, tag=1),  # gets 103
        Command(CANCEL, pointer=102),
        Command(PROBE, any_tag=True),  # 100 is left
        Command(CANCEL, pointer=100),
        Command(PROBE, any_tag=True),
        Command(INSERT, tag=1, pointer=104),
        Command(TAKE, tag=1),
    ]
    answers = answers_of(tmp_path, commands, "unexpected", module, entries, width)
    assert [answer[0] for answer in answers[4:]] == [1, 0, 1, 1, 1, 1, 0, 1, 1]


def test_256_entries_are_searched_in_34_cycles(tmp_path: Path) -> None:
    commands = [Command(INSERT, tag=1, pointer=n) for n in range(255)]
    commands += [Command(INSERT, tag=2, pointer=255), Command(PROBE, tag=2), Command(PROBE, tag=3)]
    commands += [Command(PROBE, tag=1)]
    answers = answers_of(tmp_path, commands, "unexpected", "row_searcher", 256, 8)
    (_, last, to_the_end, _), (_, _, in_vain, _), (_, first, at_once, _) = answers[-3:]
    assert (last, first) == (255, 0)
    assert to_the_end <= 34
    assert in_vain <= 34
    assert at_once <= 3
