"""Columns of sweeps that tell what the techniques did."""

from __future__ import annotations

from kumihimo.sweep.techniques import TECHNIQUE_COLUMNS, technique_columns

DOCUMENT = {
    "link_power": {
        "total": {
            "energy_aj": 5_000_000,
            "oracle_energy_aj": 4_000_000,
            "wakes": 3,
            "wake_stall_ps": 2,
        }
    },
    "matching": {"time_ps": 70, "unexpected": 8},
    "service": {
        "largest_memory": {"bytes": 1000},
        "connections_asked": 12,
        "most_connections": 3,
        "refused": 4,
        "closings": 2,
        "packets": 99,
    },
    "approximate": {"messages": 6, "wrong_bits": 5, "nan": 1, "inf": 0},
    "collectives": {"synchronisations": 7, "waits": 60, "missed": 2},
}


def test_every_technique_has_its_columns() -> None:
    columns = technique_columns(DOCUMENT)
    assert set(columns) == set(TECHNIQUE_COLUMNS)
    assert columns["link_energy_pj"] == 5
    assert columns["rank_memory_bytes"] == 1000
    assert columns["missed_steps"] == 2


def test_what_a_point_has_not_is_left_out() -> None:
    assert technique_columns({}) == {}
    assert technique_columns({"matching": {"time_ps": 0, "unexpected": 8}}) == {}
