"""The table a run prints when it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from kumihimo.results import display
from kumihimo.results.approximate import approximate_line
from kumihimo.results.busy_links import busiest_by_kind
from kumihimo.results.collectives import collectives_line
from kumihimo.results.link_power import saving
from kumihimo.results.matching import matching_line
from kumihimo.results.phases import TITLES, VIRTUAL, phases_of
from kumihimo.results.ranking import (
    CLOCK_KEY,
    STATE_KEYS,
    busiest_rank,
    credit_wait_ps,
    extremes,
    last_rank,
    messages_per_cpu_second,
    most_clock_readings,
)
from kumihimo.results.run import Run
from kumihimo.results.service import service_line

# With more ranks than this the table gives the extremes instead of every rank.
MOST_RANK_ROWS = 16
BUSIEST_LINKS = 5
# A table in a file or a pipe does not depend on the terminal it was started from.
PIPED_WIDTH = 100
# Narrower than this the ranks' table leaves its last columns out.
FULL_WIDTH = 96


def print_result(run: Run, console: Console | None = None) -> None:
    """Print headline, ranks, links and status of a result."""
    console = table_console(console or Console())
    console.print(Group(*_parts(run, console.width)), highlight=False)


def table_console(console: Console) -> Console:
    """Return the console itself, or one of a fixed width if it is no terminal."""
    return console if console.is_terminal else Console(file=console.file, width=PIPED_WIDTH)


def _parts(run: Run, width: int) -> list[RenderableType]:
    document = run.document
    parts: list[RenderableType] = [Text(), _headline(run)]
    if run.host.get("phases"):
        parts += [Text(), _phases(run.host)]
    if document["per_rank"]:
        many = len(document["per_rank"]) > MOST_RANK_ROWS
        ranks = _rank_extremes(document) if many else _rank_rows(document)
        if width < FULL_WIDTH:
            # What was sent is in the folder; the times are what must not be cut.
            ranks.columns = ranks.columns[:-2]
        parts += [Text(), ranks]
    if CLOCK_KEY in document["totals"]:
        parts += [Text(_clock_line(document))]
    if document["per_link"]:
        parts += [Text(), _links(document)]
    if "link_power" in document:
        parts += [Text(), Text(link_power_line(document))]
    matching = matching_line(document) if "matching" in document else None
    if matching is not None:
        parts += [Text(), Text(matching)]
    if "approximate" in document:
        parts += [Text(), Text(approximate_line(document))]
    if "collectives" in document:
        parts += [Text(), Text(collectives_line(document["collectives"]))]
    if "service" in document:
        parts += [Text(), Text(service_line(document))]
    parts += [Text(f"Remark: {remark}", style="yellow") for remark in run.host.get("remarks", [])]
    parts += [Text(), _status(run)]
    return parts


def _headline(run: Run) -> Table:
    document, totals = run.document, run.document["totals"]
    facts = [
        ("Virtual time", display.format_time(document["virtual_time_ps"])),
        ("Messages", display.format_count(totals["messages"])),
        ("Bytes", display.format_bytes(totals["bytes"])),
        ("Control messages", display.format_count(totals["control_messages"])),
    ]
    costs = []
    if run.host:
        costs = [
            ("Wall time", display.format_seconds(run.host["wall_seconds"])),
            ("CPU time", display.format_seconds(run.host["cpu_seconds"])),
        ]
    speed = messages_per_cpu_second(document, run.host)
    if speed is not None:
        costs.append(("Messages per CPU second", display.format_short_count(speed)))
    costs.append(("Ranks", display.format_count(document["ranks"])))
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for style in ("bold", "", "bold", ""):
        table.add_column(style=style, justify="left" if style else "right")
    for left, right in zip(facts, costs + [("", "")] * (len(facts) - len(costs)), strict=True):
        table.add_row(*left, *right)
    return table


def _phases(host: Mapping[str, Any]) -> Table:
    phases = phases_of(host)
    program_s = host.get("program_cpu_seconds")
    titles, wall, cpu = [], ["wall"], ["CPU"]
    for title, wall_s, cpu_s in phases:
        titles.append(title)
        wall.append(display.format_seconds(wall_s))
        cpu.append(display.format_seconds(cpu_s))
        if title == TITLES[VIRTUAL] and program_s is not None:
            titles.append("of it, program")
            wall.append("")
            cpu.append(display.format_seconds(program_s))
    table = _table("Phase", *titles)
    table.add_row(*wall)
    table.add_row(*cpu)
    return table


def _rank_rows(document: Mapping[str, Any]) -> Table:
    clock = _clock_title(document)
    table = _table("Rank", "Compute", "Communication", "Wait", clock, "Sent", "Bytes sent")
    last = last_rank(document)
    for row in document["per_rank"]:
        is_last = row is last and len(document["per_rank"]) > 1
        table.add_row(
            str(row["rank"]),
            *_state_cells(row),
            display.format_time(row["finish_ps"]),
            display.format_count(row["messages_sent"]),
            display.format_bytes(row["bytes_sent"]),
            style="bold" if is_last else None,
        )
    return table


def _clock_line(document: Mapping[str, Any]) -> str:
    """Say what part of computing was readings of the clock."""
    totals = document["totals"]
    spent_ps = sum(totals[key] for key in STATE_KEYS)
    line = (
        f"Clock readings, in Compute: {display.format_time(totals[CLOCK_KEY])}, "
        f"{display.format_percent(totals[CLOCK_KEY], spent_ps)} of the ranks' time"
    )
    most = most_clock_readings(document)
    if most is not None:
        own_ps = sum(most[key] for key in STATE_KEYS)
        line += (
            f"; most in rank {most['rank']}: {display.format_time(most[CLOCK_KEY])}, "
            f"{display.format_percent(most[CLOCK_KEY], own_ps)}"
        )
    return line


def _clock_title(document: Mapping[str, Any]) -> str:
    # Not every rank of a partial result has finished.
    return "Finished at" if document["status"] == "complete" else "Clock at end"


def _rank_extremes(document: Mapping[str, Any]) -> Table:
    clock = _clock_title(document)
    table = _table("Ranks", "Compute", "Communication", "Wait", clock, "Sent", "Bytes sent")
    keys = (*STATE_KEYS, "finish_ps", "messages_sent", "bytes_sent")
    columns = [extremes(document, key) for key in keys]
    for index, name in enumerate(("least", "median", "most")):
        table.add_row(name, *_plain_cells([column[index] for column in columns]))
    chosen = [("last to end", last_rank(document)), ("most compute", busiest_rank(document))]
    for name, row in chosen:
        if row is not None:
            cells = _plain_cells([row[key] for key in keys])
            table.add_row(f"{name}: {row['rank']}", *cells, style="bold")
    return table


def _links(document: Mapping[str, Any]) -> Group:
    names = ["Use", "Bytes", "Packets", "Waited in queue", "Longest wait"]
    has_credit_waits = credit_wait_ps(document) > 0
    if has_credit_waits:
        names.append("For credit")
    table = _table("Busiest links", *names)
    notes = []
    for group in busiest_by_kind(document, BUSIEST_LINKS):
        for link in group.links:
            cells = [
                display.shorten(link["name"], 32),
                display.format_percent(link["busy_ps"], document["virtual_time_ps"]),
                display.format_bytes(link["bytes"]),
                display.format_count(link["packets"]),
                display.format_time(link["queue_wait_ps"]),
                display.format_time(link["longest_wait_ps"]),
            ]
            if has_credit_waits:
                cells.append(display.format_time(link["credit_wait_ps"]))
            table.add_row(*cells)
        if group.tie_note is not None:
            notes.append(Text(group.tie_note))
    return Group(table, *notes)


def link_power_line(document: Mapping[str, Any]) -> str:
    """Say what links drew and saved, and what that cost."""
    power = document["link_power"]
    total = power["total"]
    line = f"Link energy ({power['policy']}): {display.format_energy(total['energy_aj'])}"
    saved = saving(document)
    if saved is not None:
        line += (
            f", {saved[0]:.1%} less than links always on for as long; "
            f"an oracle's, {saved[1]:.1%} less"
        )
    wakes = display.format_count(total["wakes"])
    line += f"; {wakes} wakes, data waited {display.format_time(total['wake_stall_ps'])}"
    if total["frame_wait_ps"]:
        line += f", wake frames {display.format_time(total['frame_wait_ps'])}"
    return line


def _status(run: Run) -> RenderableType:
    where = Text(f"Result: {run.directory}") if run.directory else Text()
    if run.is_complete:
        event_hash = run.document["event_hash"]
        told = "no event" if event_hash is None else f"event hash {event_hash}"
        identity = f"complete, {told}"
        return Group(Text(identity, style="green"), *([where] if run.directory else []))
    reason = run.document["reason"] or "the reason is not known"
    reached = display.format_time(run.virtual_time_ps)
    text = Text(
        f"The run did not come to its end: {reason}\n"
        f"All figures are of the part up to {reached} of virtual time."
    )
    parts = [text, where] if run.directory else [text]
    return Panel(Group(*parts), title="partial result", border_style="red", title_align="left")


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), show_edge=False)
    table.add_column(first, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _state_cells(row: Mapping[str, Any]) -> list[str]:
    total = sum(int(row[key]) for key in STATE_KEYS)
    return [
        f"{display.format_time(row[key])} {display.format_percent(row[key], total):>7}"
        for key in STATE_KEYS
    ]


def _plain_cells(values: Sequence[int]) -> list[str]:
    times, messages, size_bytes = values[:-2], values[-2], values[-1]
    return [
        *(display.format_time(span) for span in times),
        display.format_count(messages),
        display.format_bytes(size_bytes),
    ]
