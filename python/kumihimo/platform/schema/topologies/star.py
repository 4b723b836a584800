"""The star: all hosts at one switch."""

from kumihimo.platform.schema.topologies.kind import MOST_HOSTS, TopologyKind, parameter

STAR = TopologyKind(
    name="star",
    doc="All hosts at one switch.",
    keys=(parameter("star", "hosts", 1, MOST_HOSTS, "Hosts at the switch."),),
)
