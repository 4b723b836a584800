"""Platforms for tests of exact times, and what their numbers say about one message."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

_TEMPLATE = """
name = "exact"
[topology]
{topology}
[link]
bandwidth = "{gbps} Gb/s"
latency = "{latency_ns} ns"
[switch]
latency = "{switch_ns} ns"
[network]
packet_size = "{packet_size}"
packet_header = "{header_bytes} B"
[node]
speed = "1 Gflop/s"
ranks = {ranks_per_host}
cores = {cores_per_host}
[mpi]
eager_limit = "{eager_limit_bytes} B"
send_completion = "{send_completion}"
control_size = "{control_bytes} B"
send_overhead = "{send_ns} ns"
receive_overhead = "{receive_ns} ns"
match_cost = "{match_ns} ns"
"""


@dataclass(frozen=True)
class ExactPlatform:
    """A platform in whole nanoseconds, with a packet for a whole message unless stated."""

    topology: dict[str, object] = field(default_factory=lambda: {"kind": "star", "hosts": 64})
    gbps: int = 10
    latency_ns: int = 100
    switch_ns: int = 0
    packet_size: str = "message"
    header_bytes: int = 0
    eager_limit_bytes: int = 65536
    send_completion: str = "sent"
    control_bytes: int = 32
    send_ns: int = 0
    receive_ns: int = 0
    match_ns: int = 0
    ranks_per_host: int = 1
    cores_per_host: int = 1

    def write(self, folder: Path) -> Path:
        """Write the platform file into `folder` and return its path."""
        lines = (
            f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
            for key, value in self.topology.items()
        )
        values = {**self.__dict__, "topology": "\n".join(lines)}
        path = folder / "platform.toml"
        path.write_text(_TEMPLATE.format(**values))
        return path

    @property
    def send_ps(self) -> int:
        """The sender's overhead for a message."""
        return self.send_ns * 1000

    @property
    def receive_ps(self) -> int:
        """The receiver's overhead for a message that waited for, or found, one entry."""
        return (self.receive_ns + self.match_ns) * 1000

    def serialisation_ps(self, size_bytes: int) -> int:
        """How long a link is taken by one packet of `size_bytes` and its header."""
        bit_ps = (size_bytes + self.header_bytes) * 8 * 1000
        return -(-bit_ps // self.gbps)

    def transfer_ps(self, size_bytes: int) -> int:
        """From the sender's network interface to the last byte at the receiver's, nothing else
        under way, through one switch: the links are as fast as each other, so a packet's tail
        follows its head through the switch without a stop."""
        return (
            2 * self.latency_ns * 1000 + self.switch_ns * 1000 + self.serialisation_ps(size_bytes)
        )
