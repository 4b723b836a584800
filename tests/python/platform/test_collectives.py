"""[mpi.collectives]: that "library" changes nothing, the option, and what is refused."""

from __future__ import annotations

import pytest
from platform_texts import STAR, parse, problems

from kumihimo.platform import Chosen, Platform, parse_platform

GUARD = f'{STAR}[mpi.collectives]\nmode = "scheduled"\nguard = "40 ns"\n'


def chosen(text: str, mode: str) -> Platform:
    return parse_platform(text, "platform.toml", chosen=Chosen(collectives=mode))


def test_without_it_nothing_changes() -> None:
    plain = parse(STAR)
    assert "collectives" not in plain.config()
    by_library = parse(f'{STAR}[mpi.collectives]\nmode = "library"\n')
    assert by_library.canonical() == plain.canonical()
    assert by_library.config() == plain.config()


def test_what_the_core_gets() -> None:
    wanted = {"mode": "scheduled", "guard_ps": 40_000, "wakes": "by_clock"}
    assert parse(GUARD).config()["collectives"] == wanted
    none = parse(f'{STAR}[mpi.collectives]\nmode = "scheduled"\nwakes = "none"\n')
    assert none.config()["collectives"]["wakes"] == "none"
    assert chosen(STAR, "scheduled").config()["collectives"]["guard_ps"] == 0


def test_jitter_is_also_for_replays() -> None:
    late = parse(f'{STAR}[mpi.collectives]\njitter = "40 ns"\n')
    assert late.config()["start_jitter_ps"] == 40_000
    assert "collectives" not in late.config()
    assert late.canonical() == {**parse(STAR).canonical(), "mpi.collectives.jitter": 40_000}
    none = parse(f'{STAR}[mpi.collectives]\njitter = "0 ns"\n')
    assert none.canonical() == parse(STAR).canonical()
    assert "start_jitter_ps" not in none.config()


def test_the_option_stands_for_the_key() -> None:
    assert chosen(GUARD, "scheduled").canonical() == parse(GUARD).canonical()
    assert chosen(GUARD, "library").canonical() == parse(STAR).canonical()
    assert chosen(STAR, "scheduled").canonical() != parse(STAR).canonical()


@pytest.mark.parametrize(
    ("lines", "key", "message"),
    [
        ('mode = "clock"', "mode", 'expected one of "library", "scheduled"'),
        ('mode = "scheduled"\nguard = 3', "guard", "has no unit"),
        ('mode = "scheduled"\nguard = "-1 ns"', "guard", "must be at least 0 ns"),
        ('guard = "1 ns"', "guard", "applies only with"),
        ('wakes = "none"', "wakes", "applies only with"),
        ('mode = "scheduled"\nwakes = "all"', "wakes", 'expected one of "by_clock", "none"'),
        ('jitter = "2 s"', "jitter", "must be at most 1 s"),
    ],
)
def test_bad_values_are_refused_with_their_line(lines: str, key: str, message: str) -> None:
    line, path, said = problems(f"{STAR}[mpi.collectives]\n{lines}\n")[0]
    assert (path, line) == (f"mpi.collectives.{key}", STAR.count("\n") + 2 + lines.count("\n"))
    assert message in said
