"""Schedules of the all-to-all: ways to keep its steps apart, compared with the closed form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumihimo.platform import load_platform
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.collectives.closed_form import Cube

NONE, EVERY_STEP, START, CLOCK = SCHEMES = ("none", "every_step", "start", "clock")
EAGER, RENDEZVOUS = PROTOCOLS = ("eager", "rendezvous")
_LIMITS = {EAGER: 2**40, RENDEZVOUS: 0}
_DIMENSIONS = 3
# Messages to the opposite point of a ring of 8 need both ways round.
_HALFWAY_RUN = 2


@dataclass(frozen=True)
class Extent:
    """What is run.

    Attributes:
        sides: Of the tori.
        blocks: Sizes of blocks in bytes.
    """

    sides: tuple[int, ...]
    blocks: tuple[int, ...]


FULL = Extent((4, 8, 16), (8, 64, 512, 4096, 65536))
QUICK = Extent((4, 8), (8, 4096))


def cube_of(source: Path, side: int) -> Cube:
    """Return the publication's torus with other sides; its synchronisations have no bytes."""
    platform = load_platform(source / "platforms" / "torus16x16x16.toml", tell=False)
    return Cube(side, platform.numbers("switch_link.latency"), platform, packet_bytes=0)


def run_schemes(campaign: Campaign, source: Path, extent: Extent) -> list[Row]:
    """Run the schedules; return a row for each torus, protocol, size of blocks and scheme.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        extent: What is run.
    """
    rows = []
    for side in extent.sides:
        cube = cube_of(source, side)
        for protocol in PROTOCOLS:
            rows += _run_one(campaign, cube, protocol, extent.blocks)
    return rows


def _run_one(campaign: Campaign, cube: Cube, protocol: str, blocks: tuple[int, ...]) -> list[Row]:
    lines = {_line(cube, scheme, block): (scheme, block) for block in blocks for scheme in SCHEMES}
    sweep = Sweep(
        f"schemes-{cube.side}-{protocol}",
        Path(cube.platform.file).resolve(),
        patterns=tuple(lines),
        ranks=(cube.ranks,),
        settings={
            "topology.sizes": [[cube.side] * _DIMENSIONS],
            "topology.halfway_run": [_HALFWAY_RUN],
            "mpi.eager_limit": [f"{_LIMITS[protocol]} B"],
            "mpi.synchronise_size": ["0 B"],
        },
    )
    found = {lines[row["command"]]: row for row in campaign.run(sweep)}
    results = []
    for (scheme, block), row in found.items():
        reference = found.get((EVERY_STEP, block))
        file = campaign.result(sweep.name, row)
        synchronised = json.loads(file.read_text(encoding="utf-8")).get("collectives", {})
        time_ps, form_ps = row["virtual_time_ps"], expected_ps(cube, scheme, block, protocol)
        results.append(
            {
                "side": cube.side,
                "ranks": cube.ranks,
                "protocol": protocol,
                "block_bytes": block,
                "scheme": scheme,
                "virtual_time_ps": time_ps,
                "expected_ps": form_ps,
                "deviation": None if form_ps is None else time_ps / form_ps - 1,
                "links_ps": cube.links_ps(block),
                "saved_ps": None if reference is None else reference["virtual_time_ps"] - time_ps,
                **_synchronisations(cube, synchronised),
            }
        )
    return results


def expected_ps(cube: Cube, scheme: str, block_bytes: int, protocol: str) -> int | None:
    """Return the time by the closed form; None where ranks go on as messages come."""
    count = {EVERY_STEP: sum(1 for _ in cube.steps()), CLOCK: 1}.get(scheme)
    if count is None:
        return None
    steps_ps = cube.steps_ps(block_bytes, eager_limit=_LIMITS[protocol])
    return count * cube.synchronisation_ps + steps_ps


def _line(cube: Cube, scheme: str, block_bytes: int) -> str:
    sides = "x".join([str(cube.side)] * _DIMENSIONS)
    line = f"alltoall/suh_shin --dimensions {sides} --bytes {block_bytes}B"
    return line if scheme == NONE else f"{line} --scheme {scheme}"


def _synchronisations(cube: Cube, found: Mapping[str, Any]) -> dict[str, int | None]:
    count = found.get("synchronisations", 0)
    return {
        "synchronisations": count,
        "synchronisation_ps": found["synchronisation_ps"] // count if count else None,
        "packets": found["packets"] // count // cube.ranks if count else None,
        "missed_steps": found.get("missed", 0),
    }
