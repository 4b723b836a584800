"""Prints a comparison on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from kumihimo.results import display
from kumihimo.results.busy_links import busiest_link_name
from kumihimo.results.configuration import value_text
from kumihimo.results.ranking import STATE_KEYS
from kumihimo.results.terminal import table_console

_Facts = dict[str, Any]
_QUEUE_WAITS = "Waits in link queues"


def print_comparison(comparison: dict[str, Any], console: Console) -> None:
    """Print what `compare_results` returned."""
    table_console(console).print(Group(*_parts(comparison)), highlight=False)


def _parts(comparison: dict[str, Any]) -> Iterator[RenderableType]:
    results: list[_Facts] = comparison["results"]
    labels = labels_of(results)
    yield Text()
    yield _table(results, labels)
    for label, facts in zip(labels, results, strict=True):
        if facts["status"] != "complete":
            reason = facts["reason"] or "the reason is not known"
            yield Text(f"{label} is partial: {reason}", style="bold red")
    yield Text()
    if comparison["same_event_hash"]:
        yield Text(f"Event hash: {results[0]['event_hash']}, the same in all.")
    else:
        hashes = ", ".join(facts["event_hash"] or "none" for facts in results)
        yield Text(f"Event hashes differ: {hashes}.")
    yield Text()
    if comparison["differences"]:
        yield Text("What differs:", style="bold")
        yield _difference_table(comparison["differences"], labels)
    else:
        yield Text("Program and configuration are the same.")


def labels_of(results: Sequence[_Facts]) -> list[str]:
    """Name each result by its folder, or by its whole path where names are not enough."""
    directories = [Path(facts["directory"]) for facts in results]
    names = [directory.absolute().name for directory in directories]
    if len(set(names)) == len(names):
        return names
    return [str(directory) for directory in directories]


def _table(results: Sequence[_Facts], labels: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("")
    for label in labels:
        table.add_column(label, justify="right", overflow="fold")
    for name, cells in comparison_rows(results):
        table.add_row(name, *cells)
    return table


def comparison_rows(results: Sequence[_Facts]) -> list[tuple[str, list[str]]]:
    """Return the rows about the results: the name of each row, and its cells."""
    rows = _rows()
    if any(facts["credit_wait_ps"] for facts in results):
        place = [name for name, _ in rows].index(_QUEUE_WAITS) + 1
        rows.insert(place, ("Waits of links for credit", _credit_wait))
    if any(facts["matching"] and facts["matching"]["time_ps"] for facts in results):
        rows += _matching_rows()
    if any(facts["link_power"] for facts in results):
        rows = rows[:2] + _power_rows() + rows[2:]
    return [(name, [cell(facts) for facts in results]) for name, cell in rows]


def _rows() -> list[tuple[str, Callable[[_Facts], str]]]:
    """Return the name of each row and how it is written for one result."""
    return [
        ("Virtual time", lambda facts: display.format_time(facts["virtual_time_ps"])),
        ("  over the first", _ratio),
        ("Messages", _messages),
        ("Bytes", lambda facts: display.format_bytes(facts["totals"]["bytes"])),
        ("Control messages", _control_messages),
        ("Compute, all ranks", lambda facts: _share(facts, "compute_ps")),
        ("Communication, all ranks", lambda facts: _share(facts, "communication_ps")),
        ("Wait, all ranks", lambda facts: _share(facts, "wait_ps")),
        ("Compute of a rank", lambda facts: _span(facts, "compute_ps")),
        ("Communication of a rank", lambda facts: _span(facts, "communication_ps")),
        ("Wait of a rank", lambda facts: _span(facts, "wait_ps")),
        ("Rank that ends last", lambda facts: _or_dash(facts["last_rank_to_finish"])),
        ("Rank that computes longest", lambda facts: _or_dash(facts["rank_with_most_compute"])),
        ("Busiest link", _busiest_name),
        ("  its use", _busiest_use),
        (_QUEUE_WAITS, lambda facts: display.format_time(facts["queue_wait_ps"])),
        ("Wall time", lambda facts: _seconds(facts["wall_seconds"])),
        ("CPU time", lambda facts: _seconds(facts["cpu_seconds"])),
    ]


def _matching_rows() -> list[tuple[str, Callable[[_Facts], str]]]:
    """Return the rows of matching, for results in which it takes time."""

    def of_matching(key: str, write: Callable[[int], str]) -> Callable[[_Facts], str]:
        return lambda facts: write(facts["matching"][key]) if facts["matching"] else "–"

    return [
        ("Matching, all ranks", of_matching("time_ps", display.format_time)),
        ("  of the slowest rank", of_matching("slowest_rank_time_ps", display.format_time)),
        ("  most posted receives", of_matching("posted_deepest", display.format_count)),
        ("  most unexpected messages", of_matching("unexpected_deepest", display.format_count)),
    ]


def _power_rows() -> list[tuple[str, Callable[[_Facts], str]]]:
    """Return the rows of link power, for results whose links have a power model."""

    def of_power(write: Callable[[dict[str, Any]], str]) -> Callable[[_Facts], str]:
        return lambda facts: write(facts["link_power"]) if facts["link_power"] else "–"

    return [
        ("Links", of_power(lambda power: str(power["policy"]))),
        ("Link energy", of_power(lambda power: display.format_energy(power["energy_aj"]))),
        ("  over the first", of_power(lambda power: _times(power["energy_ratio"]))),
        (
            "  an oracle's at the same times, likewise",
            of_power(lambda power: _times(power["oracle_energy_ratio"])),
        ),
        ("Wakes of links", of_power(lambda power: display.format_count(power["wakes"]))),
        ("Data waited for wakes", of_power(lambda p: display.format_time(p["wake_stall_ps"]))),
        ("Wake frames of ranks", of_power(lambda p: display.format_count(p["wake_frames"]))),
        ("Frames waited for wakes", of_power(lambda p: display.format_time(p["frame_wait_ps"]))),
    ]


def _times(ratio: float | None) -> str:
    return "–" if ratio is None else f"{ratio:.4g} ×"


def _messages(facts: _Facts) -> str:
    return display.format_count(facts["totals"]["messages"])


def _control_messages(facts: _Facts) -> str:
    return display.format_count(facts["totals"]["control_messages"])


def _credit_wait(facts: _Facts) -> str:
    return display.format_time(facts["credit_wait_ps"])


def _ratio(facts: _Facts) -> str:
    return _times(facts["time_ratio"])


def _share(facts: _Facts, key: str) -> str:
    spent = sum(facts["totals"][state] for state in STATE_KEYS)
    span = display.format_time(facts["totals"][key])
    return f"{span} {display.format_percent(facts['totals'][key], spent):>7}"


def _span(facts: _Facts, key: str) -> str:
    extremes = facts["per_rank"][key]
    least, most = (display.format_time(extremes[which]) for which in ("least", "most"))
    return least if least == most else f"{least} to {most}"


def _busiest_name(facts: _Facts) -> str:
    if not facts["busiest_link"]:
        return "–"
    return busiest_link_name(facts["busiest_link"], facts["busiest_link_ties"])


def _busiest_use(facts: _Facts) -> str:
    link = facts["busiest_link"]
    return display.format_percent(link["busy_ps"], facts["virtual_time_ps"]) if link else "–"


def _seconds(seconds: float | None) -> str:
    return "–" if seconds is None else display.format_seconds(seconds)


def _or_dash(value: int | None) -> str:
    return "–" if value is None else str(value)


def _difference_table(differences: dict[str, list[Any]], labels: Sequence[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("Key", overflow="fold")
    for label in labels:
        table.add_column(label, justify="right", overflow="fold")
    for key, cells in difference_rows(differences):
        table.add_row(Text(key), *map(Text, cells))
    return table


def difference_rows(differences: dict[str, list[Any]]) -> list[tuple[str, list[str]]]:
    """Return each key that is not the same in all results, and its value in each, as text."""
    return [
        (key, [value_text(key, value) for value in values]) for key, values in differences.items()
    ]
