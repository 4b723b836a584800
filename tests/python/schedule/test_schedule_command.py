"""`kumihimo schedule`: generate, convert, show, patterns."""

from __future__ import annotations

import io
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kumihimo import _core
from kumihimo.cli.main import app
from kumihimo.schedule.watch import WorkLine

# Of each parameter two values that differ in every pattern that uses it.
TWO_VALUES: dict[str, tuple[Any, Any]] = {
    "bytes": (1000, 2000),
    "root": (0, 3),
    "distance": (1, 3),
    "seed": (1, 2),
    "work": (0, 5000),
    "iterations": (1, 2),
}
# What a pattern cannot do without.
NEEDED: dict[str, dict[str, Any]] = {"alltoall/suh_shin": {"ranks": 16, "dimensions": [4, 4]}}
KEYWORDS = {"bytes": "size_bytes", "work": "compute_ps"}


def invoke(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["schedule", *map(str, arguments)], terminal_width=200)
    return result.exit_code, result.output


def summary_of(path: Path) -> dict[str, Any]:
    code, output = invoke("show", path, "--json")
    assert code == 0, output
    summary: dict[str, Any] = json.loads(output)
    return summary


def test_generate_and_show(tmp_path: Path) -> None:
    path = tmp_path / "all.bin"
    assert invoke("generate", "--pattern", "alltoall", "-n", "8", "-b", "1KiB", path) == (0, "")
    summary = summary_of(path)
    assert (summary["ranks"], summary["messages"], summary["receives"]) == (8, 56, 56)
    assert (summary["bytes"], summary["largest_message_bytes"]) == (56 * 1024, 1024)
    assert not summary["is_recorded"]
    shown = invoke("show", path)[1]
    assert "from 1 KiB to 1 KiB each" in shown


def test_every_parameter_reaches_the_schedule(tmp_path: Path) -> None:
    path = tmp_path / "halo.goal"
    arguments = "--pattern halo/2d -n 12 --bytes 80B --dimensions 4x3 --work 1us --iterations 3"
    assert invoke("generate", *arguments.split(), path)[0] == 0
    summary = summary_of(path)
    assert summary["messages"] == 12 * 4 * 3
    assert summary["compute_ps"] == 12 * 3 * 10**6


def test_a_plain_number_counts_bytes(tmp_path: Path) -> None:
    sizes = ("1024", "1 KiB")
    for size, path in zip(sizes, (tmp_path / "a.goal", tmp_path / "b.goal"), strict=True):
        assert invoke("generate", "--pattern", "shift", "-n", "4", "-b", size, path)[0] == 0
    assert (tmp_path / "a.goal").read_bytes() == (tmp_path / "b.goal").read_bytes()


def test_both_forms_hold_the_same(tmp_path: Path) -> None:
    text, binary, again = tmp_path / "a.goal", tmp_path / "b.bin", tmp_path / "c"
    invoke("generate", "--pattern", "allreduce/ring", "-n", "5", "-b", "1kB", text)
    assert text.read_text().startswith("num_ranks 5\n")
    assert invoke("convert", text, binary) == (0, "")
    assert binary.read_bytes().startswith(b"KUMISCH\n")
    assert invoke("convert", binary, again, "--format", "goal") == (0, "")
    assert again.read_bytes() == text.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--pattern", "gossip", "-b", "1B"), "there is no pattern 'gossip', only allgather/"),
        (
            (
                "--pattern",
                "halo/2d",
            ),
            "the pattern halo/2d needs --bytes",
        ),
        (("--pattern", "halo/2d", "-b", "1B", "--root", "1"), "halo/2d has no --root"),
        (("--pattern", "broadcast", "-b", "1B", "--root", "4"), "the root is rank 4"),
        (("--pattern", "halo/2d", "-b", "1B", "--dimensions", "3x3"), "product is the number"),
        (("--pattern", "halo/2d", "-b", "1B", "--dimensions", "2*2"), "--dimensions: expected"),
        (("--pattern", "alltoall", "-b", "1B", "--dimensions", "2x2"), "pairwise has no --dim"),
        (("--pattern", "alltoall/suh_shin", "-b", "1B"), "needs the dimensions of a torus"),
        (
            ("--pattern", "alltoall/suh_shin", "-b", "1B", "--dimensions", "2x2"),
            "each a multiple of 4, such as 8x12, not 2x2; alltoall/pairwise and alltoall/bruck",
        ),
        (
            ("--pattern", "alltoall/suh_shin", "-b", "1B", "--dimensions", "4x8"),
            "4x8 are those of 32 ranks, not of 4",
        ),
        (("--pattern", "shift", "-b", "1.5"), '--bytes: "1.5" has no unit'),
        (("--pattern", "shift", "-b", "-1B"), "--bytes: '-1B' is out of range"),
        (("--pattern", "shift", "-b", "1B", "--work", "5"), "--work:"),
    ],
)
def test_what_cannot_be_generated(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    code, output = invoke("generate", *arguments, "-n", "4", tmp_path / "x.goal")
    assert code == 2
    assert message in output
    assert not list(tmp_path.iterdir())


def test_names_that_say_no_form_and_places_that_cannot_be_written(tmp_path: Path) -> None:
    pattern = ("--pattern", "barrier", "-n", "2")
    code, output = invoke("generate", *pattern, tmp_path / "x.txt")
    assert (code, "ends in .goal or .bin, or --format" in output) == (2, True)
    code, output = invoke("generate", *pattern, tmp_path / "none" / "x.bin")
    assert (code, "there is no folder" in output) == (2, True)
    code, output = invoke("generate", *pattern, "--format", "goal", tmp_path)
    assert (code, "is a folder" in output) == (2, True)


def test_a_mistake_in_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.goal"
    path.write_text("num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n")
    code, output = invoke("convert", path, tmp_path / "out.bin")
    assert code == 2
    assert f"{path}:3: rank 0: there is no rank 7 to send to" in output
    assert not (tmp_path / "out.bin").exists()
    code, output = invoke("show", tmp_path / "missing.goal")
    assert (code, "No such file" in output) == (2, True)


def test_patterns_lists_every_pattern_and_parameter() -> None:
    code, output = invoke("patterns")
    assert code == 0
    kinds, parameters = _core.pattern_kinds(), _core.pattern_parameters()
    assert len(kinds) >= 18
    for name in [*kinds, *parameters]:
        assert name in output


@pytest.mark.parametrize("pattern", _core.pattern_kinds())
@pytest.mark.parametrize("parameter", TWO_VALUES)
def test_the_table_names_the_parameters_that_count(pattern: str, parameter: str) -> None:
    keyword = KEYWORDS.get(parameter, parameter)
    first, second = (
        _core.Pattern(
            pattern, **{"ranks": 8, "size_bytes": 800, **NEEDED.get(pattern, {}), keyword: value}
        ).generate()
        for value in TWO_VALUES[parameter]
    )
    is_used = parameter in _core.pattern_kinds()[pattern]["parameters"]
    assert (first != second) == is_used


@pytest.mark.parametrize("pattern", _core.pattern_kinds())
def test_dimensions_count_where_the_table_says(pattern: str) -> None:
    def generate() -> _core.Schedule:
        return _core.Pattern(pattern, 8, size_bytes=8, dimensions=[3]).generate()

    if "dimensions" in _core.pattern_kinds()[pattern]["parameters"]:
        with pytest.raises(ValueError, match="dimensions"):
            generate()
    else:
        assert generate() == _core.Pattern(pattern, 8, size_bytes=8).generate()


def test_a_schedule_that_is_too_large_is_refused_at_once(tmp_path: Path) -> None:
    arguments = ("--pattern", "alltoall/pairwise", "-n", "100000", "-b", "1KiB")
    code, output = invoke("generate", *arguments, tmp_path / "big.goal")
    assert code == 2
    assert "at least 19999800000 operations, and a schedule has 4294967294 at most" in output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("step", ["generate", "write", "read"])
def test_a_signal_ends_long_work_and_leaves_nothing(
    number: signal.Signals, step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = tmp_path / "source.bin", tmp_path / "out.goal"
    pattern = ("--pattern", "alltoall/linear", "-n", "400", "-b", "1KiB")
    assert invoke("generate", *pattern, source) == (0, "")
    steps = {"generate": "making", "write": "writing", "read": "reading"}

    def interrupt(line: WorkLine, _progress: dict[str, int]) -> None:
        if line.what.startswith(steps[step]):
            os.kill(os.getpid(), number)

    monkeypatch.setattr(WorkLine, "show", interrupt)
    words = ("convert", source) if step == "read" else ("generate", *pattern)
    code, output = invoke(*words, out)
    assert code == 128 + number
    assert f"stopped by {number.name}" in output
    assert list(tmp_path.iterdir()) == [source]


def test_progress_says_how_far_the_work_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    now_s = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now_s)
    terminal = Terminal()
    known = WorkLine("writing a.goal", 4000, stream=terminal)
    unknown = WorkLine("reading b.goal", None, stream=terminal)
    now_s = 110.0
    known.show({"messages": 1000})
    unknown.show({"messages": 1000})
    assert "writing a.goal: 25 % of 4,000 operations, 100/s" in terminal.getvalue()
    assert "reading b.goal: 1,000 operations, 100/s" in terminal.getvalue()


@pytest.mark.parametrize("form", ["goal", "binary"])
def test_a_schedule_is_read_from_a_pipe(form: str, tmp_path: Path) -> None:
    file, pipe = tmp_path / "file", tmp_path / "pipe"
    arguments = ("--pattern", "barrier", "-n", "4", "--format", form)
    assert invoke("generate", *arguments, file) == (0, "")
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(file.read_bytes()))
    writer.start()
    summary = summary_of(pipe)
    writer.join()
    assert summary == summary_of(file)


def test_plain_text_tells_what_is_lost(tmp_path: Path) -> None:
    source, out = tmp_path / "own.goal", tmp_path / "plain.goal"
    source.write_text("num_ranks 1\nrank 0 {\ncalc 1500ps\nwait_until 3\n}\n")
    code, output = invoke("convert", source, out, "--portable")
    assert code == 0
    assert output.splitlines() == [
        f"kumihimo: warning: {out}: times rounded to nanoseconds: 1",
        f"kumihimo: warning: {out}: waits until a point of time, written as calc 0: 1",
    ]
    assert out.read_text() == "num_ranks 1\n\nrank 0 {\nl0: calc 2\nl1: calc 0\n}\n"
    pattern = ("--pattern", "barrier", "-n", "2", "--work", "1500 ps")
    assert invoke("generate", *pattern, out, "--portable")[0] == 0
    assert "calc 2\n" in out.read_text()
    code, output = invoke("convert", source, tmp_path / "a.bin", "--portable")
    assert (code, "--portable is for GOAL text" in output) == (2, True)


def test_schedules_are_joined_and_bracketed_by_hints(tmp_path: Path) -> None:
    setup, kernel, both = (tmp_path / name for name in ("setup.bin", "kernel.bin", "both.goal"))
    assert invoke("generate", "--pattern", "alltoall", "-n", "4", "-b", "64B", setup)[0] == 0
    shifts = "--pattern shift/direct -n 4 --bytes 10KB --iterations 5 --in-kernel"
    assert invoke("generate", *shifts.split(), kernel) == (0, "")
    assert invoke("join", setup, kernel, both) == (0, "")
    summary = summary_of(both)
    assert summary["messages"] == 4 * 3 + 4 * 5
    assert summary["hints"] == 4 * 2
    assert both.read_text().count("hint IN_KERNEL 1") == 4
    assert "IN_KERNEL begins or ends" in invoke("show", both)[1]


def test_schedules_of_different_sizes_are_not_joined(tmp_path: Path) -> None:
    small, large, out = (tmp_path / name for name in ("small.goal", "large.goal", "out.goal"))
    small.write_text("num_ranks 2")
    large.write_text("num_ranks 3")
    code, output = invoke("join", small, large, out)
    assert code == 2
    assert "schedules of 2 and of 3 ranks cannot be joined" in output
    assert not out.exists()


def test_polls_and_wildcards_of_recorded_calls_are_kept(tmp_path: Path) -> None:
    text, binary, joined = tmp_path / "a.goal", tmp_path / "b.bin", tmp_path / "c.goal"
    text.write_text("num_ranks 1\nrecorded_polls 3\nrecorded_wildcards 1\n\nrank 0 {\n}\n")
    assert invoke("convert", text, binary) == (0, "")
    assert "may depend on time: 3 polls, 1 wildcard" in invoke("show", binary)[1]
    assert invoke("join", binary, text, joined)[0] == 0
    assert joined.read_text().startswith("num_ranks 1\nrecorded_polls 6\nrecorded_wildcards 2\n")
    code, output = invoke("convert", binary, tmp_path / "d.goal", "--portable")
    assert code == 0
    assert "polls and wildcards of recorded calls, which are left out: 4" in output
    assert "recorded" not in (tmp_path / "d.goal").read_text()
