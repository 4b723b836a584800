"""Programs of examples/apps under every model of matching, with the depths of their queues."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.matching.cases import BY, HOST, MODELS, NOTHING, Group


@dataclass(frozen=True)
class Program:
    """A program.

    Attributes:
        name: What it is called.
        file: Its source in examples/apps.
        arguments: Of its command line.
    """

    name: str
    file: str
    arguments: str


@dataclass(frozen=True)
class Extent:
    """What is run.

    Attributes:
        programs: Which.
        ranks: Numbers of processes.
    """

    programs: tuple[Program, ...]
    ranks: tuple[int, ...]

    @property
    def hosts(self) -> int:
        """Of the platform."""
        return max(self.ranks)


SMALL = (
    Program("IS", "integer_sort.c", "S"),
    Program("FT", "fourier_transform.c", "S"),
    Program("MG", "multigrid.c", "S"),
    Program("CG", "conjugate_gradient.c", "S"),
    Program("wavefront", "wavefront.c", ""),
    Program("k-means", "k_means.c", ""),
    Program("advection", "advection_diffusion.c", "64 5"),
)
# Of these, smaller problems do not have a part for each rank.
_LARGER = {"IS": "A", "FT": "A 1", "advection": "256 5"}
LARGE = tuple(
    replace(program, arguments=_LARGER.get(program.name, program.arguments)) for program in SMALL
)
FULL = (Extent(SMALL, (16, 64)), Extent(LARGE, (256,)))
QUICK = (Extent(SMALL[:2], (16,)),)


def run_programs(campaign: Campaign, source: Path, extents: Sequence[Extent]) -> list[Row]:
    """Run the programs; return a row for each with its ranks and way of matching.

    Args:
        campaign: Runs the sweeps.
        source: The source tree.
        extents: What is run.
    """
    folder = source / "examples" / "apps"
    rows: list[Row] = []
    for extent in extents:
        programs = {
            f"{campaign.program(folder / program.file)} {program.arguments}".strip(): program
            for program in extent.programs
        }
        for group in (NOTHING, MODELS):
            rows += _run_one(campaign, source, group, programs, extent)
    free_ps = {
        (row["program"], row["ranks"]): row["virtual_time_ps"]
        for row in rows
        if row["model"] == NOTHING.name
    }
    return [
        {**row, "slower": row["virtual_time_ps"] / free_ps[row["program"], row["ranks"]] - 1}
        for row in rows
        if (row["program"], row["ranks"]) in free_ps
    ]


def _run_one(
    campaign: Campaign,
    source: Path,
    group: Group,
    programs: Mapping[str, Program],
    extent: Extent,
) -> Iterator[Row]:
    sweep = Sweep(
        f"programs-{group.name}-{extent.hosts}",
        group.file(source),
        programs=tuple(programs),
        ranks=extent.ranks,
        settings={**group.settings, "topology.hosts": [extent.hosts]},
    )
    for row in campaign.run(sweep):
        file = campaign.result(sweep.name, row)
        found = json.loads(file.read_text(encoding="utf-8"))["matching"]
        of_model = group.platform_of(source, row).config().get("matching", {})
        yield {
            "program": programs[row["command"]].name,
            "arguments": programs[row["command"]].arguments,
            "ranks": row["ranks"],
            "model": group.model_of(row),
            "by": str(row[BY]) if BY in group.settings else HOST,
            "virtual_time_ps": row["virtual_time_ps"],
            "matching_ps": found["time_ps"] / row["ranks"],
            "slowest_rank_ps": found["slowest_rank_time_ps"],
            "head_ps": of_model.get("head_latency_ps", 0),
            "payload_ps": of_model.get("body_latency_ps", 0),
            "arrivals": found["arrivals"],
            "unexpected_share": found["unexpected"] / found["arrivals"],
            "posted_deepest": found["posted_deepest"],
            "unexpected_deepest": found["unexpected_deepest"],
            "posted_searched": found["posted_searched"] / found["arrivals"],
            "unexpected_searched": found["unexpected_searched"] / found["receives"],
        }
