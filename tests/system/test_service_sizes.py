"""Connections and datagrams compared with closed forms, for messages of 1 B to 4 MiB."""

from __future__ import annotations

from pathlib import Path

import pytest

from services import run_service

PACKET_PS, MTU = 150_000, 2048
EAGER_LIMIT = 65_536
OVERHEAD_PS, LATENCY_PS = 250_000, 350_000
CONTROL_BYTES = 32
FEW, MANY = 4, 12


def link_ps(size_bytes: int) -> int:
    """The time of some bytes on a link of 54.5 Gb/s, rounded up."""
    return -(-size_bytes * 8 * 10_000 // 545)


def way_ps(size_bytes: int) -> int:
    """Over two links, of which the second begins with the first byte."""
    return 2 * LATENCY_PS + link_ps(size_bytes)


def shift_ps(folder: Path, service: str, size_bytes: int) -> float:
    """Return the time of a shift of the program `services`, which does nothing else here."""
    few, many = (
        run_service(
            folder / f"{service}{shifts}",
            service,
            program=("services", str(shifts), str(size_bytes), "none"),
            detail=(),
        )
        for shifts in (FEW, MANY)
    )
    more_ps = int(many.result["virtual_time_ps"]) - int(few.result["virtual_time_ps"])
    return more_ps / (2 * (MANY - FEW))


@pytest.mark.parametrize("size_bytes", [1, 2048, 2049, 65_536, 65_537, 1 << 20, 4 << 20])
def test_a_shift_takes_the_time_of_the_closed_form(size_bytes: int, tmp_path: Path) -> None:
    found = {name: shift_ps(tmp_path, name, size_bytes) for name in ("none", "rc", "ud")}
    print(f"{size_bytes} B: {found}")
    packets = -(-size_bytes // MTU)
    by_connection_ps = by_datagrams_ps = 2 * OVERHEAD_PS + way_ps(size_bytes)
    if size_bytes > EAGER_LIMIT:
        # The request to send, and the answer that fetches the data by a remote read.
        by_connection_ps += 2 * way_ps(CONTROL_BYTES)
        by_datagrams_ps += 2 * way_ps(CONTROL_BYTES)
        # The sender's end waits for the notice that the data have come. With datagrams it works on
        # those of its own receive meanwhile, for longer.
        by_connection_ps += way_ps(CONTROL_BYTES)
        packets += 1
        assert packets * PACKET_PS > way_ps(CONTROL_BYTES)
    assert found["rc"] == found["none"] == by_connection_ps
    assert found["ud"] == by_datagrams_ps + 2 * packets * PACKET_PS
