"""Keys of links, switches, packets and of messages inside a host."""

from kumihimo.platform.schema.key import (
    REQUIRED,
    Default,
    Key,
    Rule,
    SameAs,
    Section,
    When,
    machine,
)
from kumihimo.platform.schema.topologies import KINDS
from kumihimo.platform.schema.topologies.kind import KIND_PATH, MOST_LINK_CLASSES
from kumihimo.platform.schema.values import Measure, Several
from kumihimo.platform.units import DURATION, RATE, SIZE

BANDWIDTH = Measure(RATE, smallest="1 b/s", largest="1000 Tb/s")
LATENCY = Measure(DURATION, smallest="0 ns", largest="86400 s")


_OCCUPIED = "n bytes occupy it for 8n / bandwidth, rounded up to a picosecond."


def _of_links(section: str, bandwidth: Default, latency: Default, most: int = 1) -> tuple[Key, Key]:
    """Return the two keys of links; of up to `most` classes that a list tells apart."""
    several = most > 1
    return (
        Key(
            f"{section}.bandwidth",
            Several(BANDWIDTH, most, or_one=True) if several else BANDWIDTH,
            bandwidth,
            machine(section, "bandwidth_bps"),
            f"Rate of each direction: {_OCCUPIED}",
        ),
        Key(
            f"{section}.latency",
            Several(LATENCY, most, or_one=True) if several else LATENCY,
            latency,
            machine(section, "latency_ps"),
            "From the first bit leaving one end to its reaching the other.",
        ),
    )


LINK = Section(
    name="link",
    doc="The links at hosts: between a host and its switch, in a crossbar between two hosts. Each "
    "is two directed links, one for either direction.",
    keys=_of_links("link", REQUIRED, REQUIRED),
    when=When(KIND_PATH, tuple(kind.name for kind in KINDS if kind.has_uniform_links)),
)

_WITH_UPLINKS = {kind.name: kind.uplinks for kind in KINDS if kind.uplinks is not None}

UPLINK = Section(
    name="uplink",
    doc="The links between switches. In a torus or mesh, a list has one value for each dimension; "
    "in a fat tree, one for each level of switches above the lowest. One value holds for all.",
    keys=_of_links(
        "uplink", SameAs("link.bandwidth"), SameAs("link.latency"), most=MOST_LINK_CLASSES
    ),
    when=When(KIND_PATH, tuple(_WITH_UPLINKS)),
    rules=tuple(
        uplinks.rule(kind, name)
        for kind, uplinks in _WITH_UPLINKS.items()
        for name in ("bandwidth", "latency")
    ),
)

_IN_DRAGONFLIES = When(KIND_PATH, ("dragonfly",))

LOCAL = Section(
    name="local",
    doc="The links between switches of one group.",
    keys=_of_links("local", SameAs("link.bandwidth"), SameAs("link.latency")),
    when=_IN_DRAGONFLIES,
)

GLOBAL = Section(
    name="global",
    doc="The links between groups.",
    keys=_of_links("global", SameAs("link.bandwidth"), SameAs("link.latency")),
    when=_IN_DRAGONFLIES,
)

SWITCH = Section(
    name="switch",
    doc="All switches.",
    keys=(
        Key(
            "switch.latency",
            LATENCY,
            "0 ns",
            machine("switch_latency_ps"),
            "From a packet's first bit arriving at a switch to its reaching the output queue; paid "
            "at every switch on the way.",
        ),
    ),
    when=When(KIND_PATH, tuple(kind.name for kind in KINDS if kind.has_switches)),
)


def _header_fits(packet_size: int, packet_header: int) -> str | None:
    if packet_size == 0 or packet_header < packet_size:
        return None
    return (
        f"a header of {SIZE.format(packet_header)} is no smaller than the packet's payload of "
        f"{SIZE.format(packet_size)}"
    )


NETWORK = Section(
    name="network",
    doc="How messages are cut into packets. Packets travel in virtual cut-through: a switch sends "
    "a packet on as soon as its first bits are there and the output is free.",
    keys=(
        Key(
            "network.packet_size",
            Measure(SIZE, smallest="1 B", largest="1 TiB", words={"message": 0}),
            "message",
            machine("packet_bytes"),
            'Payload of a full packet. "message" sends every message as one packet: fastest to '
            "simulate, while a long message then holds each link of its path in one piece.",
        ),
        Key(
            "network.packet_header",
            Measure(SIZE, smallest="0 B", largest="1 TiB"),
            "0 B",
            machine("packet_header_bytes"),
            "Added to every packet on every link.",
        ),
    ),
    rules=(
        Rule(
            ("network.packet_size", "network.packet_header"),
            _header_fits,
            "A packet's header is smaller than its payload.",
        ),
    ),
)

LOOPBACK = Section(
    name="loopback",
    doc="Messages between ranks of one host. They pass one queue per host, whole and without "
    "headers, and never reach the network.",
    keys=(
        Key(
            "loopback.bandwidth",
            BANDWIDTH,
            "100 Gb/s",
            machine("loopback", "bandwidth_bps"),
            f"Rate of the queue: {_OCCUPIED}",
        ),
        Key(
            "loopback.latency",
            LATENCY,
            "200 ns",
            machine("loopback", "latency_ps"),
            "From the first bit leaving the sender to its reaching the receiver.",
        ),
    ),
)
