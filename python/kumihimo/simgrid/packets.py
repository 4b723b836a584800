"""How small packets must be for times near SimGrid's.

In SimGrid a message flows over all links of its path at once, at the rate of the slowest. Here a
packet is sent on a link at the link's own rate, and only when it can follow without a gap. Where a
link lies between slower ones, this costs up to a packet's time on the slower link, so that small
packets come near the flow.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kumihimo.simgrid.routes import Lists, Routes

# Of the time of an empty message, what a lone message may be late.
_LATE = Fraction(1, 200)
_SMALLEST, _LARGEST = 64, 65536
# The place of a rate among all rates.
_PLACE = np.uint32


def packet_bytes(routes: Routes) -> int:
    """Return the size of packets; 0 if messages need not be cut.

    It is a power of two from 64 to 65,536, so that a message alone in the network is late by at
    most 0.5 % of an empty message's time, or the smallest if none does that.
    """
    late = [
        (per_byte, latency)
        for way, latency in _shortest_latencies(routes).items()
        if (per_byte := _late_per_byte(way)) > 0
    ]
    if not late:
        return 0
    size = _LARGEST
    while size > _SMALLEST and any(per_byte * size > latency * _LATE for per_byte, latency in late):
        size //= 2
    return size


def _shortest_latencies(routes: Routes) -> dict[tuple[int, ...], int]:
    """Return of all ways over links of the same rates, in order, the least latency."""
    # Links, then pipes, then what stands where there is no path.
    links = [*routes.links, *(routes.links[first] for first in routes.pipes), (0, 0, 0, 0)]
    rates = list(dict.fromkeys(link[2] for link in links))
    places = {rate: place for place, rate in enumerate(rates)}
    rate_places = np.array([places[link[2]] for link in links], _PLACE)
    latencies = np.array([link[3] for link in links], np.int64)
    up, down, between = (
        _parts(lists, rate_places, latencies) for lists in (routes.up, routes.down, routes.between)
    )
    first: dict[int, int] = {}
    for host, kind in enumerate(routes.kinds):
        first.setdefault(kind, host)
    pairs = ((source, target) for source in first.values() for target in first.values())
    shortest: dict[bytes, int] = {}
    for (source, target), part, is_gap in zip(pairs, between, routes.gaps().flat, strict=True):
        if is_gap:
            continue
        way = up[source][0] + part[0] + down[target][0]
        latency = up[source][1] + part[1] + down[target][1]
        if latency < shortest.get(way, latency + 1):
            shortest[way] = latency
    return {
        tuple(rates[place] for place in np.frombuffer(way, _PLACE)): latency
        for way, latency in shortest.items()
    }


def _parts(
    lists: Lists, rate_places: npt.NDArray[np.uint32], latencies: npt.NDArray[np.int64]
) -> list[tuple[bytes, int]]:
    """Return of each list the places of its links' rates, as bytes, and the links' latency."""
    links = lists.links.astype(np.int64)
    places = rate_places[links].tobytes()
    width = rate_places.itemsize
    # Sums may run over, which their differences do not show.
    sums = np.concatenate(([0], np.cumsum(latencies[links])))[lists.begins.astype(np.int64)]
    ends = (lists.begins * width).tolist()
    return [
        (places[begin:end], latency)
        for (begin, end), latency in zip(pairwise(ends), np.diff(sums).tolist(), strict=True)
    ]


def _late_per_byte(rates_bps: tuple[int, ...]) -> Fraction:
    """Return by how much a packet takes longer than on the slowest link alone, in ps a byte."""
    times = [Fraction(8 * 10**12, rate) for rate in rates_bps]
    late = [max(Fraction(0), before - after) for before, after in pairwise(times)]
    return sum(late, times[-1] - max(times)) if times else Fraction(0)
