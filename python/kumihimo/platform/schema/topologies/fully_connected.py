"""The fully connected network: a direct link between each two hosts."""

from kumihimo.platform.schema.topologies.kind import TopologyKind, parameter

# About a million links.
_MOST_HOSTS = 1024

FULLY_CONNECTED = TopologyKind(
    name="fully_connected",
    doc="A direct link from each host to each other one; no switches. Only messages between the "
    "same two hosts share a link.",
    keys=(
        parameter("fully_connected", "hosts", 1, _MOST_HOSTS, "Hosts, each linked to all others."),
    ),
    has_switches=False,
)
