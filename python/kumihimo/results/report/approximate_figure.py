"""Bits that arrived corrupted, in messages that were allowed errors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kumihimo import vega
from kumihimo.results import display
from kumihimo.results.approximate import are_numbers_known, bits_by_position, exact_words
from kumihimo.results.report.figure import WIDTH, Figure, rows_data
from kumihimo.results.report.figure_table import FigureTable

# From the palette of Okabe and Ito, and darker or lighter ones of it for types of one kind.
TYPE_COLOURS = {
    "half": "#CC79A7",
    "bfloat16": "#A3527D",
    "float": "#56B4E9",
    "float complex": "#2A6F9E",
    "double": "#E69F00",
    "double complex": "#D55E00",
    "int8": "#C8BC2A",
    "int16": "#8A7F00",
    "int32": "#5CC7A2",
    "int64": "#008860",
}
# Number of bits of the fraction and of the exponent.
_FORMATS = {
    "half": (10, 5),
    "bfloat16": (7, 8),
    "float": (23, 8),
    "float complex": (23, 8),
    "double": (52, 11),
    "double complex": (52, 11),
}
_COLUMNS = {"type": "string", "position": "number", "meaning": "string", "bits": "number"}
_LABEL_EVERY = 4


def approximate_figure(document: Mapping[str, Any]) -> Figure:
    """Draw corrupted bits by position and type, with tables by type and by MPI function."""
    found = document["approximate"]
    rows = list(_rows(found))
    sentence = (
        "How often each bit of the numbers in messages arrived corrupted, by its position (0 is "
        "the least significant bit of a number, or of either part of a complex one) and by the "
        "type of the numbers. A bit that two links corrupted counts twice."
        if rows
        else "No bit arrived corrupted."
    )
    return Figure(
        "approximate",
        "Messages that were allowed errors",
        f"{sentence} {_totals(found)}",
        _chart(found, rows) if rows else None,
        len(rows),
        (_type_table(found), _function_table(found)),
    )


def _rows(found: Mapping[str, Any]) -> Iterator[tuple[str, int, str, int]]:
    for name, position, count in bits_by_position(found):
        if count:
            yield name, position, _meaning(name, position), count


def _meaning(datatype: str, position: int) -> str:
    """Return what a bit of a number stands for."""
    if datatype not in _FORMATS:
        return "integer"
    fraction, exponent = _FORMATS[datatype]
    if position < fraction:
        return "fraction"
    return "exponent" if position < fraction + exponent else "sign"


def _chart(found: Mapping[str, Any], rows: list[tuple[str, int, str, int]]) -> vega.Chart:
    types = [name for name in TYPE_COLOURS if any(row[0] == name for row in rows)]
    widest = max(len(found["by_datatype"][name]["wrong_bits"]) for name in types)
    positions = list(range(widest))
    most = max(row[3] for row in rows)
    return (
        vega.Chart(rows_data(_COLUMNS, rows), width=WIDTH, height=220)
        .mark("bar")
        .encode(
            x=vega.field("position:O", title="Position of the bit (0 is the least significant)",
                         scale=vega.scale(domain=positions, paddingInner=0.12),
                         axis=vega.axis(labelAngle=0, ticks=False, labelOverlap="greedy",
                                        values=[*positions[::_LABEL_EVERY], positions[-1]])),
            y=vega.field("bits:Q", title="Corrupted bits", stack="zero",
                         axis=vega.axis(format=",d", tickCount=min(5, most))),
            color=vega.field(
                "type:N",
                scale=vega.scale(domain=types, range=[TYPE_COLOURS[name] for name in types]),
                legend=vega.legend(title=None, orient="top"),
            ),
            tooltip=[
                vega.field("position:O", title="Position"),
                vega.field("meaning:N", title="Part of the number"),
                vega.field("type:N", title="Type"),
                vega.field("bits:Q", title="Corrupted bits", format=",d"),
            ],
        )
    )  # fmt: skip


def _totals(found: Mapping[str, Any]) -> str:
    count = display.format_count
    text = (
        f"{count(found['messages'])} messages ({display.format_bytes(found['bytes'])}) were "
        f"allowed errors and crossed links with noise. Corrupted bits: "
        f"{count(found['wrong_bits'])}"
    )
    text += (
        f"; numbers that became NaN: {count(found['nan'])}, infinite: {count(found['inf'])}."
        if are_numbers_known(found)
        else ". A replay has no payloads, so it is not known which numbers became NaN or infinite."
    )
    if found["link_bytes"]:
        text += (
            f" With all bits protected they would have taken "
            f"{display.format_time(found['saved_ps'])} more of an idle network, all together."
        )
    exact = exact_words(found)
    return f"{text} Messages that were exact: {', '.join(exact)}." if exact else text


def _type_table(found: Mapping[str, Any]) -> FigureTable:
    count = display.format_count
    numbers = ("nan", "inf", "restored") if are_numbers_known(found) else ()
    rows = [
        [
            name,
            count(row["messages"]),
            display.format_bytes(row["bytes"]),
            count(sum(row["wrong_bits"])),
            *(count(row[key]) for key in numbers),
        ]
        for name, row in found["by_datatype"].items()
    ]
    head = ["Type", "Messages", "Payload", "Corrupted bits"]
    head += ["Became NaN", "Became infinite", "Kept finite"] if numbers else []
    return FigureTable(head, rows)


def _function_table(found: Mapping[str, Any]) -> FigureTable:
    functions = sorted(
        found["by_function"].items(), key=lambda item: (-item[1]["wrong_bits"], item[0])
    )
    rows = [
        [
            name,
            display.format_count(row["messages"]),
            display.format_bytes(row["bytes"]),
            display.format_count(row["wrong_bits"]),
        ]
        for name, row in functions
    ]
    most = max([1, *(row["wrong_bits"] for _, row in functions)])
    bars = [round(100 * row["wrong_bits"] / most, 1) for _, row in functions]
    return FigureTable(["MPI function", "Messages", "Payload", "Corrupted bits"], rows, bars=bars)
