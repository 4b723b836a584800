"""Puts the page together."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kumihimo.results import display
from kumihimo.results.busy_links import busiest_by_kind, busiest_link, busiest_link_name
from kumihimo.results.configuration import flatten, platform_kind, value_text
from kumihimo.results.link_power import saving
from kumihimo.results.matching import matching_matters
from kumihimo.results.ranking import (
    CLOCK_KEY,
    STATE_KEYS,
    credit_wait_ps,
    last_rank,
    messages_per_cpu_second,
    parts_of_time,
)
from kumihimo.results.report.approximate_figure import approximate_figure
from kumihimo.results.report.collectives_figure import collectives_figure
from kumihimo.results.report.figure import Figure
from kumihimo.results.report.histogram_figures import queueing_figure, size_figure, wait_figure
from kumihimo.results.report.link_figure import link_figure
from kumihimo.results.report.matching_figure import matching_figure
from kumihimo.results.report.matrix_figure import matrix_figure
from kumihimo.results.report.power_figures import (
    energy_figure,
    idle_figure,
    power_timeline_figure,
)
from kumihimo.results.report.rank_figure import rank_figure
from kumihimo.results.report.render import render
from kumihimo.results.report.service_figure import service_figure
from kumihimo.results.report.statistics import message_statistics, state_statistics
from kumihimo.results.report.timeline_figure import timeline_figure
from kumihimo.results.report.topology_figure import topology_figure
from kumihimo.results.run import Run

MOST_TABLE_LINKS = 24


def report_page(run: Run) -> str:
    """Return the report of a result as one HTML document that needs no network.

    The tables in the result's folder are read piece by piece. A result without tables (recorded as
    a summary) gives a report of its totals alone.
    """
    return render(
        "page.html.j2",
        list(_figures(run)),
        document=run.document,
        title=_title(run.document),
        program=shlex.join(run.document["program"]),
        numbers=_headline(run),
        identity=_identity(run),
        configuration=list(_configuration(run.document)),
        links=_link_rows(run.document),
        link_ties=_tie_notes(run.document),
        has_credit_waits=credit_wait_ps(run.document) > 0,
        remarks=run.host.get("remarks", []),
        summary_only=not run.has_table("messages"),
        reached=display.format_time(run.virtual_time_ps),
    )


def _configuration(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in flatten(document["configuration"]):
        yield key, value_text(key, value)


def _figures(run: Run) -> Iterator[Figure]:
    document = run.document
    if document["per_rank"] and run.virtual_time_ps > 0:
        if run.has_table("states"):
            states = state_statistics(run)
            yield timeline_figure(states, run.virtual_time_ps)
        yield rank_figure(document)
    if run.has_table("messages"):
        messages = message_statistics(run)
        yield matrix_figure(messages)
        if run.virtual_time_ps > 0 and run.has_table("link_use"):
            yield link_figure(run)
            yield topology_figure(document)
        yield size_figure(messages)
        if run.virtual_time_ps > 0 and run.has_table("states"):
            yield wait_figure(states)
        yield queueing_figure(messages)
    if "link_power" in document and run.virtual_time_ps > 0:
        if run.has_table("power_states"):
            yield power_timeline_figure(run)
        yield energy_figure(document)
        yield idle_figure(document)
    if matching_matters(document):
        yield matching_figure(run)
    if "service" in document:
        yield service_figure(run)
    if "approximate" in document:
        yield approximate_figure(document)
    if "collectives" in document:
        yield collectives_figure(document)


def _title(document: Mapping[str, Any]) -> str:
    program = _program_name(document["program"])
    network = f"{document['platform_name']} ({platform_kind(document)} network)"
    return f"{program} on {network}, {document['ranks']} ranks"


def _program_name(program: Sequence[str]) -> str:
    """Return the name without its folder, of the script if there is one."""
    if len(program) > 1 and program[0] == "replay":
        is_pattern = program[1] == "--pattern" and len(program) > 2
        return f"Replay of {program[2] if is_pattern else program[1].rsplit('/', 1)[-1]}"
    names = [word.rsplit("/", 1)[-1] for word in program]
    if len(names) > 1 and names[0].startswith("python") and names[1].endswith(".py"):
        return names[1]
    return names[0] if names else "run"


def _headline(run: Run) -> list[tuple[str, str, str]]:
    """Return the numbers on top: value, name, and a word of explanation."""
    document, totals = run.document, run.document["totals"]
    spent = sum(totals[key] for key in STATE_KEYS)
    numbers = [
        (display.format_time(document["virtual_time_ps"]), "virtual time", _finish(document)),
        (display.format_short_count(totals["messages"]), "MPI messages",
         f"and {totals['control_messages']:,} control messages"),
        (display.format_bytes(totals["bytes"]), "payload",
         f"{display.format_bytes(totals['bytes'] / max(1, totals['messages']))} a message"),
        (display.format_percent(totals["wait_ps"], spent), "of the ranks' time waiting",
         _working(totals, spent)),
    ]  # fmt: skip
    busiest = busiest_link(document)
    if busiest is not None:
        use = display.format_percent(busiest[0]["busy_ps"], document["virtual_time_ps"])
        numbers.append((use, "use of the busiest link", busiest_link_name(*busiest)))
    saved = saving(document)
    if saved is not None:
        policy, energy = document["link_power"]["policy"], document["link_power"]["total"]
        name = f"less link energy than always on for as long ({policy})"
        note = f"{display.format_energy(energy['energy_aj'])}; an oracle's {saved[1]:.1%} less"
        numbers.append((f"{saved[0]:.1%}", name, note))
    speed = messages_per_cpu_second(document, run.host)
    if speed is not None:
        wall = display.format_seconds(run.host["wall_seconds"])
        cpu = display.format_seconds(run.host["cpu_seconds"])
        numbers.append((display.format_short_count(speed), "messages per CPU second",
                        f"{wall} wall, {cpu} CPU"))  # fmt: skip
    return numbers


def _working(totals: Mapping[str, Any], spent_ps: int) -> str:
    parts = parts_of_time(totals)
    text = f"{display.format_percent(parts['compute_ps'], spent_ps)} computing"
    if CLOCK_KEY in parts:
        text += f", {display.format_percent(parts[CLOCK_KEY], spent_ps)} reading the clock"
    return text


def _finish(document: Mapping[str, Any]) -> str:
    last = last_rank(document)
    if last is None or document["ranks"] == 1:
        return ""
    if document["status"] != "complete":
        return f"rank {last['rank']} was furthest"
    return f"rank {last['rank']} finished last"


def _identity(run: Run) -> list[tuple[str, str]]:
    document = run.document
    pairs = [
        ("Kumihimo", document["version"]),
        ("Event hash", document["event_hash"] or "none: no event"),
        ("Events", f"{document['events']:,}"),
        ("Seed", str(document["seed"])),
        ("Configuration hash", document["configuration_hash"]),
    ]
    if run.host:
        pairs.append(("Run on", f"{run.host['host']}, {run.host['date']}"))
    return pairs


def _link_rows(document: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    return [
        {
            "name": link["name"],
            "kind": group.kind,
            "bandwidth": display.format_rate(link["bandwidth_bps"]),
            "share": round(100 * link["busy_ps"] / max(1, document["virtual_time_ps"]), 1),
            "use": display.format_percent(link["busy_ps"], document["virtual_time_ps"]),
            "bytes": display.format_bytes(link["bytes"]),
            "packets": display.format_count(link["packets"]),
            "waited": display.format_time(link["queue_wait_ps"]),
            "longest": display.format_time(link["longest_wait_ps"]),
            "credit": display.format_time(link.get("credit_wait_ps", 0)),
        }
        for group in busiest_by_kind(document, MOST_TABLE_LINKS)
        for link in group.links
    ]


def _tie_notes(document: Mapping[str, Any]) -> Sequence[str]:
    groups = busiest_by_kind(document, MOST_TABLE_LINKS)
    return [group.tie_note for group in groups if group.tie_note is not None]
