"""How small packets must be for times near SimGrid's.

In SimGrid a message flows over all links of its path at once, at the rate of the slowest. Here a
packet is sent on a link at the link's own rate, and only when it can follow without a gap. Where a
link lies between slower ones, this costs up to a packet's time on the slower link, so that small
packets come near the flow.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from kumihimo.platform.simgrid.routes import Routes

# Of the time of an empty message, what a lone message may be late.
_LATE = Fraction(1, 200)
_SMALLEST, _LARGEST = 64, 65536


def packet_bytes(routes: Routes) -> int:
    """Return the size of packets; 0 if messages need not be cut.

    It is a power of two from 64 to 65,536, such that a message alone in the network is late by at
    most 0.5 % of an empty message's time, or the smallest if none does that.
    """
    latencies: dict[tuple[int, ...], int] = {}
    rates = [link[2] for link in routes.links]
    times = [link[3] for link in routes.links]
    for path in routes.ways():
        way = tuple([rates[link] for link in path])
        latency = sum([times[link] for link in path])
        if latency < latencies.get(way, latency + 1):
            latencies[way] = latency
    late = [
        (per_byte, latency)
        for way, latency in latencies.items()
        if (per_byte := _late_per_byte(way)) > 0
    ]
    if not late:
        return 0
    size = _LARGEST
    while size > _SMALLEST and any(per_byte * size > latency * _LATE for per_byte, latency in late):
        size //= 2
    return size


def _late_per_byte(rates_bps: tuple[int, ...]) -> Fraction:
    """Return by how much a packet takes longer than on the slowest link alone, in ps a byte."""
    times = [Fraction(8 * 10**12, rate) for rate in rates_bps]
    late = [max(Fraction(0), before - after) for before, after in pairwise(times)]
    return sum(late, times[-1] - max(times)) if times else Fraction(0)
