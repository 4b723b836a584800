"""How long Suh and Shin's all-to-all takes on a cube of rings, step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kumihimo.platform import Platform

_GROUP = 4
# Request, answer and acknowledgement cross the same path as the data.
_RENDEZVOUS_MESSAGES = 3


@dataclass(frozen=True)
class Step:
    """A step of the algorithm.

    Attributes:
        hops_ps: Latency of the longest path of its messages.
        blocks: Number of blocks in each message.
    """

    hops_ps: int
    blocks: int


@dataclass(frozen=True)
class Cube:
    """A torus of equal sides, of two dimensions or more.

    Attributes:
        side: Number of hosts along a ring; a multiple of 4.
        hop_ps: Latency of a hop in each dimension.
        platform: With the rates and what messages cost.
        packet_bytes: Size of a packet of a synchronisation.
    """

    side: int
    hop_ps: tuple[int, ...]
    platform: Platform
    packet_bytes: int

    @property
    def ranks(self) -> int:
        """Number of hosts, which have one rank each."""
        return int(self.side ** len(self.hop_ps))

    def link_ps(self, size_bytes: int) -> int:
        """Return how long a link is busy with a message."""
        return -(-size_bytes * 8 * 10**12 // int(self.platform["switch_link.bandwidth"]))

    @property
    def synchronisation_ps(self) -> int:
        """Time from the last rank to enter until all start: once half way round each ring."""
        packet_ps = self.link_ps(self.packet_bytes)
        return sum(self.side // 2 * hop_ps + packet_ps for hop_ps in self.hop_ps)

    @property
    def packets(self) -> int:
        """Number of packets that a rank sends for a synchronisation."""
        return len(self.hop_ps) * (self.side - 1)

    def steps(self) -> Iterator[Step]:
        """Yield the steps of the algorithm in their order."""
        dimensions = len(self.hop_ps)
        longest = [
            max(self.hop_ps[d] for d in _dimensions_in(dimensions, phase))
            for phase in range(dimensions)
        ]
        groups = self.side // _GROUP
        for hop_ps in longest:
            for step in range(1, groups):
                # A group's blocks leave the message when it gets there.
                blocks = self.ranks * (groups - step) // groups
                yield Step(_GROUP * hop_ps, blocks)
        yield from (Step(_GROUP // 2 * hop_ps, self.ranks // 2) for hop_ps in longest)
        yield from (Step(hop_ps, self.ranks // 2) for hop_ps in self.hop_ps)

    def links_ps(self, block_bytes: int) -> int:
        """Return how long the links of a rank are busy with its messages."""
        return sum(self.link_ps(step.blocks * block_bytes) for step in self.steps())

    def steps_ps(self, block_bytes: int, *, eager_limit: int, overhead_ps: int = 0) -> int:
        """Return how long all steps take, one after the other.

        Args:
            block_bytes: What each rank has for each other one.
            eager_limit: Longer messages go by rendezvous.
            overhead_ps: What sender and receiver together spend on a message.
        """
        control_ps = self.link_ps(int(self.platform["mpi.control_size"]))
        time_ps = 0
        for step in self.steps():
            size_bytes = step.blocks * block_bytes
            time_ps += step.hops_ps + self.link_ps(size_bytes) + overhead_ps
            if size_bytes > eager_limit:
                time_ps += _RENDEZVOUS_MESSAGES * (step.hops_ps + control_ps)
        return time_ps


def _dimensions_in(dimensions: int, phase: int) -> set[int]:
    """Return the dimensions along which ranks send in one of the first phases.

    In two dimensions half of the ranks begin with either. With each further dimension half of
    the ranks begin with the new one, and half end with it.
    """
    if dimensions == 2:
        return {0, 1}
    last = dimensions - 1
    found = {last} if phase in (0, last) else set()
    for before in (phase, phase - 1):
        if 0 <= before < last:
            found |= _dimensions_in(last, before)
    return found
