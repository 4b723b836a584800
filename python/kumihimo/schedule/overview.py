"""What is in a schedule, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from kumihimo import _core
from kumihimo.results import display
from kumihimo.schedule.files import order_text


def print_summary(name: str, summary: Mapping[str, Any], console: Console) -> None:
    """Print the totals that `_core.Schedule.summary()` gives."""
    console.print(name, style="bold")
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 2, 0, 0))
    table.add_column()
    table.add_column(justify="right")
    table.add_column()
    for row in _rows(summary):
        table.add_row(*row)
    console.print(table)


def print_patterns(console: Console) -> None:
    """Print every pattern with its parameters, and what the parameters mean."""
    kinds = _core.pattern_kinds()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("Pattern", "What happens", "Parameters"):
        table.add_column(heading, overflow="fold")
    everywhere = set.intersection(*(set(kind["parameters"]) for kind in kinds.values()))
    for name, kind in kinds.items():
        own = [parameter for parameter in kind["parameters"] if parameter not in everywhere]
        table.add_row(name, kind["help"], ", ".join(own))
    console.print(table)
    console.print()
    meanings = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("Parameter", "Meaning"):
        meanings.add_column(heading, overflow="fold")
    for name, text in _core.pattern_parameters().items():
        meanings.add_row(name, text)
    console.print(meanings)


def _rows(summary: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    def count(key: str) -> str:
        return display.format_count(summary[key])

    sizes = (
        f"from {display.format_bytes(summary['smallest_message_bytes'])} to "
        f"{display.format_bytes(summary['largest_message_bytes'])} each"
    )
    rows = [
        ("ranks", count("ranks"), ""),
        ("operations", count("operations"), f"with {count('dependences')} dependences"),
        ("messages", count("messages"), sizes if summary["messages"] else ""),
        ("bytes", display.format_bytes(summary["bytes"]), ""),
        ("receives", count("receives"), _wildcards(summary)),
        ("computing", display.format_time(summary["compute_ps"]), "of all ranks together"),
    ]
    if summary["waits"]:
        rows.append(("waits", count("waits"), "until a point of virtual time"))
    if summary["synchronisations"]:
        rows.append(("synchronisations", count("synchronisations"), "of all ranks together"))
    if summary["waits_after"]:
        rows.append(("timed waits", count("waits_after"), "until a time after a synchronisation"))
    if summary["hints"]:
        rows.append(("hints", count("hints"), "IN_KERNEL begins or ends"))
    if summary["approximate_messages"]:
        text = f"{display.format_bytes(summary['approximate_bytes'])} that may arrive with errors"
        rows.append(("approximate", count("approximate_messages"), text))
    if summary["is_recorded"]:
        software = display.format_time(summary["software_ps"])
        rows.append(("recorded", software, "in the MPI library, which replays as it was"))
        if summary["sleep_ps"]:
            rows.append(("asleep", display.format_time(summary["sleep_ps"]), "counts as waiting"))
    if summary["bare_messages"]:
        rows.append(("control messages", count("control_messages"), ""))
    counts = order_text(summary["recorded_polls"], summary["recorded_wildcards"])
    if counts is not None:
        rows.append(("recorded order", "", f"may depend on time: {counts}"))
    return rows


def _wildcards(summary: Mapping[str, Any]) -> str:
    wildcards = summary["receives_from_any"]
    return f"{display.format_count(wildcards)} of any rank or tag" if wildcards else ""
