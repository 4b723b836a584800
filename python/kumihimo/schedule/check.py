"""Checks the steps of a schedule or pattern on a platform: links, blocks, and closed forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.platform import Platform
from kumihimo.results import display
from kumihimo.schedule.pattern import SUH_SHIN, PatternRequest, torus_sides
from kumihimo.schedule.watch import watched


@dataclass(frozen=True, kw_only=True)
class SuhShinForms:
    """The closed forms of Suh and Shin's all-to-all, for one rank.

    On a torus of n dimensions with the side a and N ranks they are n (a/4 + 1) start-ups,
    n N (a + 4) / 8 blocks and n (a - 1) hops; with unequal sides, sums over the dimensions.
    """

    startups: int
    blocks: int
    hops: int

    @classmethod
    def of(cls, sides: Sequence[int]) -> SuhShinForms:
        """Return the forms for a torus whose sides are multiples of 4."""
        return cls(
            startups=sum(side // 4 + 1 for side in sides),
            blocks=prod(sides) * sum(side + 4 for side in sides) // 8,
            hops=sum(side - 1 for side in sides),
        )


@dataclass(frozen=True, kw_only=True)
class StepReport:
    """What a check found.

    Attributes:
        name: The file or the pattern.
        platform: The platform file.
        steps: What `_core.Pattern.check_steps` or `_core.Schedule.check_steps` gives.
        delivery: What `_core.Pattern.check_delivery` gives; None if blocks are not known.
        forms: The closed forms for this torus; None if there are none.
        has_forms: Whether the forms must hold.
        hint: What may help if a link is shared.
    """

    name: str
    platform: str
    steps: dict[str, Any]
    delivery: dict[str, Any] | None
    forms: SuhShinForms | None
    has_forms: bool
    hint: str = ""

    def problems(self) -> list[str]:
        """Return what is wrong, each in a sentence; nothing if all is proved."""
        found = []
        if self.steps["shared_links"]:
            found.append(_shared_text(self.steps) + self.hint)
        if self.delivery is not None and self.delivery["wrong"]:
            count = self.delivery["wrong"]
            more = f" (and {count - 1:,} more)" if count > 1 else ""
            found.append(f"blocks go wrong: {self.delivery['first_wrong']}{more}")
        if self.has_forms:
            found += [
                f"{name}: {value:,} found, {form:,} by the formula"
                for name, value, form in self._totals()
                if form is not None and value != form
            ]
        return found

    def as_json(self) -> dict[str, Any]:
        """Return everything, for other programs."""
        forms = self.forms
        return {
            **self.steps,
            "formulas": None if forms is None else vars(forms),
            "delivery": self.delivery,
            "problems": self.problems(),
        }

    def print(self, console: Console) -> None:
        """Print what was found, next to the formulas."""
        console.print(f"{self.name} on {self.platform}", style="bold")
        table = Table(box=None, pad_edge=True, padding=(0, 2, 0, 0), header_style="")
        table.add_column("")
        table.add_column("found", justify="right")
        table.add_column("" if self.forms is None else "Suh and Shin", justify="right")
        table.add_column("")
        table.add_row("ranks", f"{self.steps['ranks']:,}", "", "")
        table.add_row("steps", f"{self.steps['steps']:,}", "", "")
        table.add_row("messages", f"{self.steps['messages']:,}", "", "of all ranks")
        for name, value, form in self._totals():
            text = display.format_bytes(value) if name == "bytes" else f"{value:,}"
            table.add_row(name, text, "" if form is None else f"{form:,}", "of a rank, at most")
        shared = self.steps["shared_links"]
        table.add_row("shared links", f"{shared:,}", "", "taken by two messages of a step")
        if self.delivery is not None:
            count, wrong = self.delivery["blocks"], self.delivery["wrong"]
            what = "all at their targets" if not wrong else f"{wrong:,} rules broken"
            table.add_row("blocks followed", f"{count:,}", "", what)
        console.print(table)

    def _totals(self) -> list[tuple[str, int, int | None]]:
        """Return name, number and closed form of what a rank sends."""
        forms = self.forms
        blocks = None if forms is None or self.delivery is None else forms.blocks
        return [
            ("start-ups", self.steps["startups"], None if forms is None else forms.startups),
            ("bytes" if self.delivery is None else "blocks", self.steps["bytes"], blocks),
            ("hops", self.steps["hops"], None if forms is None else forms.hops),
        ]


def check_pattern(
    request: PatternRequest, platform: Platform, network: _core.Network, hosts: Sequence[int]
) -> StepReport:
    """Check the steps of a pattern; rank r is at host `hosts[r]`.

    Messages have one byte for each block.

    Raises:
        UserError: If the pattern or its size is impossible, or if a signal asks to end.
    """
    pattern = request.check()
    delivery = None
    try:
        with watched(f"checking {pattern.name}") as look:
            steps = pattern.check_steps(network, hosts, look)
            if pattern.name.startswith("alltoall/"):
                delivery = pattern.check_delivery(look)
    except ValueError as error:
        raise UserError(f"--pattern {request.name}: {error}") from error
    is_suh_shin = pattern.name == SUH_SHIN
    sides = request.sides() if is_suh_shin else torus_sides(platform)
    # Hops are those of the formula if neighbours in the torus of ranks are neighbours on it.
    has_forms = (
        is_suh_shin and sides == torus_sides(platform) and list(hosts) == [*range(len(hosts))]
    )
    return StepReport(
        name=pattern.name,
        platform=platform.file,
        steps=steps,
        delivery=delivery,
        forms=_forms(sides, request.ranks) if delivery is not None else None,
        has_forms=has_forms,
        hint=_hint(platform) if is_suh_shin else "",
    )


def check_schedule(
    file: Path,
    schedule: _core.Schedule,
    platform: Platform,
    network: _core.Network,
    hosts: Sequence[int],
) -> StepReport:
    """Check the steps of a schedule that was read from a file; rank r is at host `hosts[r]`.

    Raises:
        UserError: If a signal asks to end.
    """
    try:
        with watched(f"checking {file}", schedule.operations) as look:
            steps = schedule.check_steps(network, hosts, look)
    except ValueError as error:
        raise UserError(f"{file}: {error}") from error
    return StepReport(
        name=str(file),
        platform=platform.file,
        steps=steps,
        delivery=None,
        forms=_forms(torus_sides(platform), schedule.ranks),
        has_forms=False,
        hint=_hint(platform),
    )


def _forms(sides: Sequence[int] | None, ranks: int) -> SuhShinForms | None:
    """Return the closed forms if the ranks fill a torus that they hold for."""
    if sides is None or len(sides) < 2 or any(side % 4 for side in sides) or prod(sides) != ranks:
        return None
    return SuhShinForms.of(sides)


def _hint(platform: Platform) -> str:
    sides = torus_sides(platform)
    if sides is None or 8 not in sides or platform["topology.halfway_run"] == 2:
        return ""
    return "; Suh and Shin's all-to-all on rings of 8 needs topology.halfway_run = 2"


def _shared_text(steps: dict[str, Any]) -> str:
    shared = steps["first_shared"]
    (source, target), (other, its_target) = shared["first"], shared["second"]
    more = steps["shared_links"] - 1
    return (
        f"step {shared['step'] + 1}: the messages from rank {source} to {target} and from rank "
        f"{other} to {its_target} both take the link {shared['link']}"
        + (f" (and {more:,} more)" if more else "")
    )
