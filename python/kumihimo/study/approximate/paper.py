"""The published results compared with what was found, and why they differ [Fujiwara16]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kumihimo.errors import UserError
from kumihimo.study.contents import Line, Numbers

Row = Mapping[str, Any]

_PUBLISHED = {"CG": (-54, -23), "FT": (-66, -33), "k-means": (-43, 66)}
_WHY = {
    "CG": "Class S sends 2.8 kB at most, so that latency counts: that gains from the missing "
    "correction, and little from bandwidth. Class A sends ten times as much.",
    "CG, agreeing": "Compared with plain CG on the two exact networks, where ranks agree anyway. "
    "The sum of the first rank of each row is one more, exact, message on each of three levels.",
    "FT": "Transpositions fill the links: bandwidth counts, and with messages as short as those of "
    "class S also latency. The longer they are, the less correction adds to them; protected "
    "bits take one part of 17 of the bandwidth, whatever their length.",
    "k-means": "Why theirs took longer than with error correction is not known. Here it needs more "
    "iterations with errors, which may be the reason, but an iteration is a sum of "
    "396 B, whose time is the latency of switches: bandwidth gains nothing, and the "
    "missing correction much.",
}


def of(rows: Sequence[Row], **wanted: Any) -> list[Row]:  # noqa: ANN401
    """Return the rows with these values."""
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def one(rows: Sequence[Row], **wanted: Any) -> Row:  # noqa: ANN401
    """Return the row with these values.

    Raises:
        UserError: If its point failed.
    """
    found = of(rows, **wanted)
    if not found:
        raise UserError(f"no point has ended of {wanted}")
    return found[0]


def lines(networks: Sequence[Row], by_bits: Sequence[Row]) -> list[Line]:
    """Return the table 'paper, here, why'."""
    found = []
    for program, published in _PUBLISHED.items():
        for index, other in enumerate(("conventional", "corrected")):
            found.append(
                Line(
                    f"time of {program} with errors, {other} network",
                    f"{published[index]:+d} %",
                    _text(_changes(networks, program, other)),
                    _WHY[program],
                    _numbers(published[index], _changes(networks, program, other)),
                )
            )
            if program == "CG":
                found.append(
                    Line(
                        f"the same, with ranks that agree, {other} network",
                        "-",
                        _text(_changes(networks, program, other, ", agreeing")),
                        _WHY["CG, agreeing"],
                        _numbers(None, _changes(networks, program, other, ", agreeing")),
                    )
                )
    return [*found, *_results(networks, by_bits)]


def _changes(
    networks: Sequence[Row], program: str, other: str, variant: str = ""
) -> dict[str, float]:
    """Return by how many percent time changes in each class; "" for a program without classes."""
    found = {}
    for name in (program, f"{program} S", f"{program} A"):
        before = of(networks, program=name, network=other)
        after = of(networks, program=f"{name}{variant}", network="approximate")
        if before and after:
            change = 100 * (after[0]["seconds"] / before[0]["seconds"] - 1)
            found[name.removeprefix(program).strip()] = change
    return found


def _text(changes: Mapping[str, float]) -> str:
    return "; ".join(
        f"{change:+.0f} %{f', class {name}' if name else ''}" for name, change in changes.items()
    )


def _numbers(published: float | None, changes: Mapping[str, float]) -> Numbers:
    """Return the change of the largest class in numbers."""
    return Numbers(published, list(changes.values())[-1] if changes else None, "%")


def _results(networks: Sequence[Row], by_bits: Sequence[Row]) -> list[Line]:
    points = one(networks, program="k-means", network="approximate")
    exact = one(networks, program="k-means", network="conventional")
    plain, agreeing = (
        one(by_bits, program=name, protected_bits=16) for name in ("CG S", "CG S, agreeing")
    )
    transform = of(by_bits, program="FT S")
    return [
        Line(
            "iterations of k-means",
            "-",
            f"{points['iterations']} with errors, {exact['iterations']} without",
            "It ends when no point changes its cluster, which errors keep points doing.",
        ),
        Line(
            "points in another cluster",
            "0.003 %",
            f"{100 * points['error']:.3f} %; {100 * exact['error']:.3f} % without errors",
            "Clusters overlap here, so that there are points between them. Without errors the "
            "rounding of float sums does the same. Theirs had 11.5 million points, on which an "
            "error in a sum may weigh less.",
            Numbers(0.003, 100 * points["error"], "%"),
        ),
        Line(
            "result of CG, 16 protected bits",
            "the same value",
            f"error {plain['error']:.1e}; {agreeing['error']:.1e} if ranks agree",
            "Errors reach each rank of a row by itself, so that the copies of a vector differ, and "
            "the method then diverges. Whether and how the publication kept them equal is not "
            "known.",
        ),
        Line(
            "error of FT over protected bits",
            "falls; at least 8 bits are essential",
            "; ".join(
                f"{row['protected_bits']}: "
                + ("no number" if row["error"] is None else f"{row['error']:.0e}")
                for row in transform
            ),
            "Eight bits are the sign and seven of the eleven bits of the exponent: an error in the "
            "next one makes a number 2^8 times as large or small; with four protected bits, 2^128 "
            "times. "
            f"{sum(row['nan'] + row['inf'] for row in transform)} numbers became NaN or infinite: "
            "for that all bits of the exponent must be set.",
        ),
    ]
