"""Keys of links, switches, packets and of messages inside a host."""

from kumihimo.platform.schema.channel import (
    BANDWIDTH,
    bandwidth_of,
    bandwidth_rule,
    channel_section,
)
from kumihimo.platform.schema.key import (
    REQUIRED,
    Default,
    Key,
    Rule,
    SameAs,
    Section,
    When,
    network,
)
from kumihimo.platform.schema.topologies import KINDS
from kumihimo.platform.schema.topologies.kind import KIND_PATH, MOST_LINK_CLASSES
from kumihimo.platform.schema.values import Choice, Count, Measure, Several
from kumihimo.units import DURATION, SIZE

LATENCY = Measure(DURATION, smallest="0 ns", largest="86400 s")

# The class of links at hosts, which every network has. Where it is the only one, [link] describes
# it, elsewhere a section of this name does.
HOST_LINKS = "host_link"

_OCCUPIED = "n bytes occupy it for 8n / bandwidth, rounded up to a picosecond."


def _of_links(
    section: str,
    bandwidth: Default,
    latency: Default,
    *,
    links: str = "",
    most: int = 1,
    default_only: When | None = None,
) -> tuple[Key, Key]:
    """Return the two keys of links.

    Args:
        section: That describes them.
        bandwidth: The default of the one key.
        latency: The default of the other.
        links: The core's name of the class; empty if it is that of the section.
        most: How many classes a list may distinguish.
        default_only: Where the values are only the defaults of other classes.
    """
    several = most > 1
    return (
        Key(
            f"{section}.bandwidth",
            Several(BANDWIDTH, most, or_one=True) if several else BANDWIDTH,
            bandwidth,
            network(links or section, "bandwidth_bps"),
            f"Rate of each direction: {_OCCUPIED}",
            default_only=default_only,
        ),
        Key(
            f"{section}.latency",
            Several(LATENCY, most, or_one=True) if several else LATENCY,
            latency,
            network(links or section, "latency_ps"),
            "Time from the first bit leaving one end to its arrival at the other.",
            default_only=default_only,
        ),
    )


_HAS_LINKS = When(KIND_PATH, tuple(kind.name for kind in KINDS if kind.has_uniform_links))

_WITH_SWITCH_LINKS = {
    kind.name: kind.switch_links for kind in KINDS if kind.switch_links is not None
}

_IN_DRAGONFLIES = When(KIND_PATH, ("dragonfly",))

# Other kinds have one class of links, which [link] describes in full.
_HAS_CLASSES = When(KIND_PATH, (*_WITH_SWITCH_LINKS, *_IN_DRAGONFLIES.values))

LINK_CHANNEL = channel_section(
    "link",
    "Physical channel of the links, from which their bandwidth follows. Without this section, "
    "`link` gives bandwidth and latency only.",
    _HAS_LINKS,
    links=HOST_LINKS,
    default_only=_HAS_CLASSES,
)

LINK = Section(
    name="link",
    doc="All links, unless a section for some of them says otherwise. Each is two directed links, "
    "one for either direction.",
    keys=_of_links(
        "link",
        bandwidth_of("link", REQUIRED),
        REQUIRED,
        links=HOST_LINKS,
        default_only=_HAS_CLASSES,
    ),
    when=_HAS_LINKS,
    rules=(bandwidth_rule("link"),),
)

HOST_LINK_CHANNEL = channel_section(
    HOST_LINKS,
    "Physical channel of the links between hosts and switches.",
    _HAS_CLASSES,
    like="link",
)

HOST_LINK = Section(
    name=HOST_LINKS,
    doc="The links between hosts and switches.",
    keys=_of_links(
        HOST_LINKS, bandwidth_of(HOST_LINKS, SameAs("link.bandwidth")), SameAs("link.latency")
    ),
    when=_HAS_CLASSES,
    rules=(bandwidth_rule(HOST_LINKS),),
)

SWITCH_LINK_CHANNEL = channel_section(
    "switch_link",
    "Physical channel of the links between switches, the same in all dimensions or levels.",
    When(KIND_PATH, tuple(_WITH_SWITCH_LINKS)),
    like="link",
)

SWITCH_LINK = Section(
    name="switch_link",
    doc="The links between switches. In a torus or mesh, a list has one value for each dimension; "
    "in a fat tree, one for each level of switches above the lowest. One value holds for all.",
    keys=_of_links(
        "switch_link",
        bandwidth_of("switch_link", SameAs("link.bandwidth")),
        SameAs("link.latency"),
        most=MOST_LINK_CLASSES,
    ),
    when=When(KIND_PATH, tuple(_WITH_SWITCH_LINKS)),
    rules=(
        *(
            switch_links.rule(kind, name)
            for kind, switch_links in _WITH_SWITCH_LINKS.items()
            for name in ("bandwidth", "latency")
        ),
        bandwidth_rule("switch_link"),
    ),
)

LOCAL_CHANNEL = channel_section(
    "local",
    "Physical channel of the links between switches of one group.",
    _IN_DRAGONFLIES,
    like="link",
)

LOCAL = Section(
    name="local",
    doc="The links between switches of one group.",
    keys=_of_links(
        "local", bandwidth_of("local", SameAs("link.bandwidth")), SameAs("link.latency")
    ),
    when=_IN_DRAGONFLIES,
    rules=(bandwidth_rule("local"),),
)

GLOBAL_CHANNEL = channel_section(
    "global", "Physical channel of the links between groups.", _IN_DRAGONFLIES, like="link"
)

GLOBAL = Section(
    name="global",
    doc="The links between groups.",
    keys=_of_links(
        "global", bandwidth_of("global", SameAs("link.bandwidth")), SameAs("link.latency")
    ),
    when=_IN_DRAGONFLIES,
    rules=(bandwidth_rule("global"),),
)

SWITCH = Section(
    name="switch",
    doc="All switches.",
    keys=(
        Key(
            "switch.latency",
            LATENCY,
            "0 ns",
            network("switch_latency_ps"),
            "Time from the arrival of a packet's first bit at a switch to the output queue, paid "
            "at every switch of the path.",
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


def _buffers_need_packets(flow_control: str, packet_size: int) -> str | None:
    if flow_control != "credits" or packet_size > 0:
        return None
    return 'finite buffers need packets: network.packet_size cannot be "message"'


def _buffer_has_room(buffer: int, packet_size: int, packet_header: int) -> str | None:
    packet = packet_size + packet_header
    if packet_size == 0 or buffer >= packet:
        return None
    return (
        f"a buffer of {SIZE.format(buffer)} has no room for a packet of "
        f"{SIZE.format(packet)} with its header"
    )


_WITH_CREDITS = When("network.flow_control", ("credits",))

NETWORK = Section(
    name="network",
    doc="How messages are cut into packets, where packets wait, and which way they take. Packets "
    "travel in virtual cut-through: a switch sends a packet on as soon as its first bits are there "
    "and the output is free.",
    keys=(
        Key(
            "network.packet_size",
            Measure(SIZE, smallest="1 B", largest="1 TiB", words={"message": 0}),
            "message",
            network("packet_bytes"),
            'Payload of a full packet. "message" sends every message as one packet: fastest to '
            "simulate, while a long message then holds each link of its path in one piece.",
        ),
        Key(
            "network.packet_header",
            Measure(SIZE, smallest="0 B", largest="1 TiB"),
            "0 B",
            network("packet_header_bytes"),
            "Size of the header that every packet has on every link.",
        ),
        Key(
            "network.flow_control",
            Choice(
                {
                    "none": "Packets wait at the outputs of switches, first come, first "
                    "served, in queues without limit: nothing is ever held up behind a full queue. "
                    "Fastest to simulate.",
                    "credits": "Packets wait at the inputs of switches, in a finite buffer for "
                    "each virtual channel of each link. A packet starts on a link only if the "
                    "buffer behind it has room for all of it; room that a packet's tail has left "
                    "is known at the link's near end after the link's latency (credits). A buffer "
                    "is read by one packet at a time, in order: what stands behind a packet that "
                    "cannot go on waits too (head-of-line blocking), and full buffers hold up the "
                    "switches before them (back-pressure), in the end the hosts. A host sends its "
                    "messages one after another and takes in whatever comes.",
                }
            ),
            "none",
            None,
            "Where packets wait.",
        ),
        Key(
            "network.buffer",
            Measure(SIZE, smallest="1 B", largest="1 TiB"),
            REQUIRED,
            network("buffers", "bytes"),
            "Size of the buffer of each virtual channel at the end of each link that leads to a "
            "switch; packet headers take room too. A link carries at most one buffer per round "
            "trip: twice its latency, the switch's latency and a packet's time on the way out.",
            when=_WITH_CREDITS,
        ),
        Key(
            "network.virtual_channels",
            Count(1, 32, words={"auto": 0}),
            "auto",
            network("buffers", "channels"),
            'Virtual channels of each link, each with its own buffer. "auto" takes as many as '
            "keep full buffers from waiting for each other in a circle: in a torus 2 (a packet "
            "changes to the second where it passes the end of a ring, and begins again with the "
            "first in the next dimension), in a dragonfly 2, or 3 with non-minimal routes (it "
            "changes with each global link), in a graph or with given routes one for each switch "
            "of the longest path (it changes with each link), elsewhere 1. With fewer, "
            "a packet that would change beyond the last stays in it; such a network may "
            "deadlock, which ends the run with a message.",
            when=_WITH_CREDITS,
        ),
        Key(
            "network.arbitration",
            Choice(
                {
                    "round_robin": "The input ports of the switch take turns; of a port's "
                    "channels, the packet goes that waits longest.",
                    "first_come": "The packet that waits longest, of equal ones that of the first "
                    "input port.",
                }
            ),
            "round_robin",
            network("buffers", "arbitration"),
            "Which of the packets at the fronts of buffers that want the same output goes next.",
            when=_WITH_CREDITS,
        ),
        Key(
            "network.routing",
            Choice(
                {
                    "minimal": "The topology's minimal path.",
                    "valiant": "Messages between groups go over a third group, drawn at random "
                    "for each message, as are the cables. Inside a group, and in a network of two, "
                    "paths are minimal.",
                    "ugal": 'A route is drawn as with "valiant", and taken if the load of its '
                    "first link between switches, times the number of its links between switches, "
                    "is smaller than that product of the minimal path. A link's load is what its "
                    "own switch knows: the time until it has carried what waits for it there, with "
                    '"credits" also what fills the buffers behind it.',
                }
            ),
            "minimal",
            network("routing"),
            "Route of each message. A non-minimal route is chosen when the message begins to leave "
            "its host; the seed of the run decides random choices. Messages between two hosts stay "
            "in order: the target's interface holds back one that overtook another.",
            when=_IN_DRAGONFLIES,
        ),
    ),
    rules=(
        Rule(
            ("network.packet_size", "network.packet_header"),
            _header_fits,
            "A packet's header is smaller than its payload.",
        ),
        Rule(
            ("network.flow_control", "network.packet_size"),
            _buffers_need_packets,
            'With `flow_control = "credits"`, `packet_size` is a size.',
        ),
        Rule(
            ("network.buffer", "network.packet_size", "network.packet_header"),
            _buffer_has_room,
            "A buffer has room for a packet with its header.",
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
            network("loopback", "bandwidth_bps"),
            f"Rate of the queue: {_OCCUPIED}",
        ),
        Key(
            "loopback.latency",
            LATENCY,
            "200 ns",
            network("loopback", "latency_ps"),
            "Time from the first bit leaving the sender to its arrival at the receiver.",
        ),
    ),
)
