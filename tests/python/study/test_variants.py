"""Combinations of settings: what is read, and what each does to the others."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from kumihimo.errors import UserError
from kumihimo.study.variants.axes import Axis, read_axis
from kumihimo.study.variants.effects import effects, interactions
from kumihimo.study.variants.session import VariantOptions, name_of

AXES = (read_axis("link-power=always_on,prewake"), read_axis("link.latency=1 us,2 us"))


def row(power: str, latency: str, time_ps: int) -> dict[str, Any]:
    return {"link_power.policy": power, "link.latency": latency, "virtual_time_ps": time_ps}


ROWS = [
    row("always_on", "1 µs", 100),
    row("always_on", "2 µs", 200),
    row("prewake", "1 µs", 110),
    row("prewake", "2 µs", 330),
]


def test_short_names_are_keys_of_platform_files() -> None:
    assert AXES[0] == Axis("link-power", "link_power.policy", ("always_on", "prewake"))
    assert AXES[1].column == "link.latency"
    assert read_axis("approx=none,a.toml").column == "approx"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("service", "expected NAME=VALUE,VALUE"),
        ("=a,b", "expected NAME=VALUE,VALUE"),
        ("service=hint", "at least two values, each once"),
        ("service=hint,hint", "at least two values, each once"),
        ("service=hint,", "at least two values, each once"),
        ("servise=none,hint", "there is no 'servise'; expected link-power, service"),
    ],
)
def test_what_cannot_be_varied(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_axis(text)


def test_the_study_file_has_all_values() -> None:
    axes = [*AXES, read_axis("approx=none,a.toml"), read_axis("mpi.service.connection_cap=1,2")]
    options = VariantOptions(
        axes=axes,
        platform=Path("/m.toml"),
        command=["./a", "1"],
        ranks=4,
        out=Path("/out"),
        compute="none",
        predicts=True,
    )
    found = tomllib.loads(options.sweep().text())
    assert found["approx"] == ["none", "a.toml"]
    assert found["parameters"] == {
        "link_power": {"policy": ["always_on", "prewake"]},
        "link": {"latency": ["1 µs", "2 µs"]},
        "mpi": {"service": {"connection_cap": [1, 2]}},
    }
    assert found["programs"] == ["./a 1"]
    assert found["run"]["predict"] == "on"
    assert found["run"]["folder"] == str(Path.cwd())


def test_values_are_those_of_the_table() -> None:
    assert read_axis("link.latency=1000 ns, 2 us").values == ("1 µs", "2 µs")
    assert read_axis("mpi.service.connection_cap=1,2").values == ("1", "2")
    assert read_axis("link.latency=1,2 us").values == ("1", "2 µs")


def test_each_alone_and_in_the_whole() -> None:
    found = effects(ROWS, AXES, "virtual_time_ps")
    assert [(each["technique"], each["alone"], each["whole"]) for each in found] == [
        ("link-power = prewake", 1.1, 1.65),
        ("link.latency = 2 µs", 2.0, 3.0),
    ]


def test_pairs_that_hinder_each_other() -> None:
    (found,) = interactions(ROWS, AXES, "virtual_time_ps")
    assert found["factor"] == pytest.approx(3.3 / (1.1 * 2.0))


def test_a_missing_point_is_no_number() -> None:
    assert effects(ROWS[:3], AXES, "virtual_time_ps")[0]["whole"] is None
    assert interactions(ROWS[:3], AXES, "virtual_time_ps") == []


def test_combinations_are_named_by_what_differs() -> None:
    assert name_of(("always_on", "1 µs"), AXES) == "as it is"
    assert name_of(("prewake", "2 µs"), AXES) == "prewake + link.latency 2 µs"
