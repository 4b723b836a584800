"""What `kumihimo study approximate` runs, and what it says of that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results import display
from kumihimo.study.approximate.figures import error_figure, network_figure
from kumihimo.study.approximate.paper import Row, lines, of, one
from kumihimo.study.approximate.programs import (
    conjugate_gradient,
    fourier_transform,
    k_means,
    poisson,
)
from kumihimo.study.approximate.runs import Group, Runner, run_convergence, run_group
from kumihimo.study.campaign import Campaign
from kumihimo.study.contents import Contents, StudyTable

# CG distinguishes its messages by their sizes on odd powers of two.
_RANKS = 32
_MOST_ITERATIONS = 100
_INTRODUCTION = (
    "Three programs on three dragonflies of 256 switches: links of 100 Gb/s; of 1 Tb/s with error "
    "correction, which costs 100 ns at every switch; and of 1 Tb/s without, where one bit in "
    "100,000 is wrong on each link, and part of the messages may arrive so. The publication is the "
    "one that proposed such networks [Fujiwara16]; it ran larger problems on 256 nodes.",
    "The time is that which the programs measure, set-up and checks left out. Programs count their "
    "work (kumihimo cc), which nodes of 500 Gflop/s do. Of CG the partial sums of the "
    "matrix-vector product may arrive with errors, of FT the transpositions, of k-means the sums "
    "of coordinates; all else is exact. Of doubles 16 bits are protected, of floats 12.",
    "The error of CG is that of the eigenvalue, of FT the largest of a checksum, both relative; of "
    "k-means the share of points in another cluster than by exact sums; of Poisson's equation the "
    "largest of the solution.",
)


def _optional(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda value: "-" if value is None else write(value)


def _time(seconds: float) -> str:
    return display.format_time(seconds * 1e12)


_NETWORK_COLUMNS = {
    "program": ("program", "{}".format),
    "ranks": ("ranks", "{:,}".format),
    "network": ("network", "{}".format),
    "seconds": ("time", _time),
    "of_conventional": ("of conventional", _optional("{:.3f}".format)),
    "of_corrected": ("of corrected", _optional("{:.3f}".format)),
    "iterations": ("iterations", _optional("{:,}".format)),
    "error": ("error", _optional("{:.1e}".format)),
    "messages": ("messages", "{:,}".format),
    "approximate_messages": ("with errors allowed", _optional("{:,}".format)),
}
_BITS_COLUMNS = {
    "program": ("program", "{}".format),
    "protected_bits": ("protected bits", "{:,}".format),
    "runs": ("runs", "{:,}".format),
    "error": ("error (median)", _optional("{:.1e}".format)),
    "largest_error": ("largest error", _optional("{:.1e}".format)),
    "failed_runs": ("runs without a number", "{:,}".format),
    "iterations": ("iterations (median)", _optional("{:,g}".format)),
    "seconds": ("time (median)", _optional(_time)),
    "wrong_bits": ("wrong bits", "{:,}".format),
    "expected_wrong_bits": ("by closed form", "{:,.0f}".format),
    "nan": ("NaN", "{:,}".format),
    "inf": ("infinite", "{:,}".format),
    "bandwidth_share": ("bandwidth", "{:.4f}".format),
    "expected_bandwidth_share": ("by closed form", "{:.4f}".format),
}


def find(campaign: Campaign, source: Path, quick: bool) -> Contents:
    """Run the study.

    Raises:
        UserError: If it cannot be run, or gave too little.
    """
    runner = Runner(campaign, source)
    bits = (8, 12, 16, 64) if quick else (4, 8, 9, 10, 12, 16, 24, 32, 64)
    seeds = (0,) if quick else (0, 1, 2)
    small = (
        conjugate_gradient("S", _RANKS, agrees=False),
        conjugate_gradient("S", _RANKS, agrees=True),
        fourier_transform("S", _RANKS),
        k_means(8_192 if quick else 65_536, _MOST_ITERATIONS, _RANKS),
    )
    networks, by_bits = run_group(runner, Group("small", small, bits, seeds))
    if not quick:
        large = (
            conjugate_gradient("A", _RANKS, agrees=False),
            conjugate_gradient("A", _RANKS, agrees=True),
            fourier_transform("A", _RANKS),
        )
        group = Group("large", large, (16,), (0,), ("seconds", "error"))
        more, more_bits = run_group(runner, group)
        finds = ("error", "iterations")
        group = Group("poisson", (poisson(64, 16),), (12, 16, 24, 32, 64), seeds, finds)
        networks += more
        by_bits += [*more_bits, *run_convergence(runner, group)]
    # Every program on every network, or there is nothing to compare.
    if len(networks) < 3 * len(small) or not by_bits:
        raise UserError(f"too few points have ended: see the sweeps in {campaign.folder}")
    return Contents(
        title="Links that corrupt bits, and programs that tolerate it",
        introduction=_INTRODUCTION,
        summary=_findings(networks, by_bits),
        lines=lines(networks, by_bits),
        tables=(
            StudyTable("networks", "The three networks", networks, _NETWORK_COLUMNS),
            StudyTable("bits", "Protected bits", by_bits, _BITS_COLUMNS),
        ),
        figures=(network_figure(networks), error_figure(by_bits)),
        failed=campaign.status != 0,
    )


def _findings(networks: Sequence[Row], by_bits: Sequence[Row]) -> list[str]:
    plain, agreeing = (
        one(by_bits, program=name, protected_bits=16) for name in ("CG S", "CG S, agreeing")
    )
    transform = [row for row in of(by_bits, program="FT S") if row["error"] is not None]
    low, high = transform[0], transform[-1]
    points = one(networks, program="k-means", network="approximate")
    exact = one(networks, program="k-means", network="conventional")
    found = sum(row["wrong_bits"] for row in by_bits)
    expected = sum(row["expected_wrong_bits"] for row in by_bits)
    rounding = max(1 - row["bandwidth_share"] / row["expected_bandwidth_share"] for row in by_bits)
    return [
        "FT S takes "
        f"{one(networks, program='FT S', network='approximate')['of_conventional']:.3f} of the "
        "time on the conventional network, and "
        f"{one(networks, program='FT S', network='approximate')['of_corrected']:.3f} of that with "
        f"error correction. Its error falls from {low['error']:.1e} with {low['protected_bits']} "
        f"protected bits to {high['error']:.1e} with {high['protected_bits']}.",
        f"CG as it is does not stand errors: with 16 protected bits its eigenvalue is "
        f"{100 * plain['error']:.0f} % off, because ranks of a column then go on with different "
        "numbers. If the ranks of a row take the sum of one of them, exactly, the error is "
        f"{agreeing['error']:.1e}, {_loss(networks)}.",
        f"k-means needs {points['iterations']} iterations in place of {exact['iterations']}, until "
        f"no point changes its cluster, and puts {100 * points['error']:.3f} % of the points in "
        f"another one; by floats without errors, {100 * exact['error']:.3f} %.",
        f"{found:,} bits were wrong, {100 * (found / expected - 1):+.1f} % from the closed form; "
        f"{sum(row['wrong_protected_bits'] for row in by_bits)} of them were protected. Bandwidth "
        f"is that of 4w / (4w + p), or up to {100 * rounding:.1f} % less, because messages have "
        "whole bytes.",
    ]


def _loss(networks: Sequence[Row]) -> str:
    """Return what agreeing costs, of the time on the network with errors."""
    plain, agreeing = (
        one(networks, program=name, network="approximate")["seconds"]
        for name in ("CG S", "CG S, agreeing")
    )
    return f"in {agreeing / plain:.2f} times the time"
