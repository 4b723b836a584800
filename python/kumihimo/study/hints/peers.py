"""Closed forms: how many peers a rank has, what they take, and how long a shift takes."""

from __future__ import annotations

from dataclasses import dataclass

from kumihimo.platform import Platform

SHIFT_BYTES = 10_240
CALLS = 10
# Both neighbours in the ring.
RING_PEERS = 2


@dataclass(frozen=True)
class Collective:
    """A collective operation by one algorithm, of 64 B a rank.

    Attributes:
        name: For people.
        function: As the program `ring_shift` has it.
        environment: What makes MPICH take the algorithm, as for `env`.
        growth: "linear" in the number of ranks, "logarithmic" by recursive doubling, or "bruck".
    """

    name: str
    function: str
    environment: str
    growth: str

    def peers(self, ranks: int) -> int:
        """Return how many peers a rank has by this operation and by shifts; ranks are 2^n >= 4."""
        steps = ranks.bit_length() - 1
        if self.growth == "linear":
            return ranks - 1
        if self.growth == "bruck":
            # To and from ranks at distances of 2^k; half way round they are one, and at distance 1
            # they are the neighbours.
            return 2 * steps - 1
        # One of the neighbours is the first partner.
        return steps + 1


_ALLTOALL = "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM"
COLLECTIVES = (
    Collective(
        "Allreduce, recursive doubling",
        "allreduce",
        "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recursive_doubling",
        "logarithmic",
    ),
    Collective(
        "Allgather, recursive doubling",
        "allgather",
        "MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling",
        "logarithmic",
    ),
    Collective("Alltoall, scattered", "alltoall", f"{_ALLTOALL}=scattered", "linear"),
    Collective("Alltoall, Bruck", "alltoall", f"{_ALLTOALL}=brucks", "bruck"),
)


def connections(platform: Platform, service: str, peers: int) -> int:
    """Return how many connections a rank ends with.

    With HYBRID a rank asks as many peers as the cap allows, the next ones first in an all-to-all,
    and has as many again of those that have asked it. Only there do peers exceed the cap here.
    """
    most = 2 * int(platform["mpi.service.connection_cap"])
    return {"rc": peers, "ud": 0, "hybrid": min(peers, most), "hint": RING_PEERS}[service]


def memory_bytes(platform: Platform, service: str, count: int, *, refused: bool = False) -> int:
    """Return the memory of a rank with a number of connections.

    Args:
        platform: With the sizes.
        service: By what it sends.
        count: Of connections.
        refused: Whether a connection was refused, for which `rc` needs the pool.
    """
    of_each = int(platform["mpi.service.connection_memory"])
    of_each += int(platform["mpi.service.eager_buffers"])
    pool = int(platform["mpi.service.datagram_pool"]) if service != "rc" or refused else 0
    return int(platform["mpi.service.base_memory"]) + pool + count * of_each


def shift_ps(platform: Platform, service: str) -> int:
    """Return how long an eager shift takes once connections are there.

    All ranks send at once and each over links of its own: a star of two hops.
    """
    bits_ps = -(-SHIFT_BYTES * 8 * 10**12 // int(platform["link.bandwidth"]))
    time_ps = int(platform["mpi.send_overhead"]) + int(platform["mpi.receive_overhead"])
    time_ps += 2 * int(platform["link.latency"]) + bits_ps
    if service == "ud":
        packets = -(-SHIFT_BYTES // int(platform["mpi.service.mtu"]))
        time_ps += 2 * packets * int(platform["mpi.service.packet_cost"])
    return time_ps
