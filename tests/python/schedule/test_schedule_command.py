"""`kumihimo schedule`: generate, convert, show, patterns."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kumihimo import _core
from kumihimo.cli.main import app

# Of each parameter two values that differ in every pattern that uses it.
TWO_VALUES: dict[str, tuple[Any, Any]] = {
    "bytes": (1000, 2000),
    "root": (0, 3),
    "distance": (1, 3),
    "seed": (1, 2),
    "work": (0, 5000),
    "iterations": (1, 2),
}
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


def test_both_forms_hold_the_same(tmp_path: Path) -> None:
    text, binary, again = tmp_path / "a.goal", tmp_path / "b.bin", tmp_path / "c"
    invoke("generate", "--pattern", "allreduce/ring", "-n", "5", "-b", "1kB", text)
    assert text.read_text().startswith("num_ranks 5\n")
    assert invoke("convert", text, binary) == (0, "")
    assert binary.read_bytes().startswith(b"KUMISCH\n")
    assert invoke("convert", binary, again, "--form", "goal") == (0, "")
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
        (("--pattern", "shift", "-b", "1"), '--bytes: "1" has no unit'),
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
    assert (code, "ends in .goal or .bin, or --form" in output) == (2, True)
    code, output = invoke("generate", *pattern, tmp_path / "none" / "x.bin")
    assert (code, "there is no folder" in output) == (2, True)
    code, output = invoke("generate", *pattern, "--form", "goal", tmp_path)
    assert (code, "is a folder" in output) == (2, True)


def test_a_mistake_in_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.goal"
    path.write_text("num_ranks 2\nrank 0 {\nsend 8b to 7\n}\n")
    code, output = invoke("convert", path, tmp_path / "out.bin")
    assert code == 2
    assert f"{path}: line 3: rank 0: there is no rank 7 to send to" in output
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
        _core.Schedule.generate(pattern, 8, **{"size_bytes": 800, keyword: value})
        for value in TWO_VALUES[parameter]
    )
    is_used = parameter in _core.pattern_kinds()[pattern]["parameters"]
    assert (first != second) == is_used


@pytest.mark.parametrize("pattern", _core.pattern_kinds())
def test_dimensions_count_where_the_table_says(pattern: str) -> None:
    def generate() -> _core.Schedule:
        return _core.Schedule.generate(pattern, 8, size_bytes=8, dimensions=[3])

    if "dimensions" in _core.pattern_kinds()[pattern]["parameters"]:
        with pytest.raises(ValueError, match="dimensions"):
            generate()
    else:
        assert generate() == _core.Schedule.generate(pattern, 8, size_bytes=8)
