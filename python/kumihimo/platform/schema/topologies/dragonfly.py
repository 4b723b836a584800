"""The dragonfly: groups of switches, all connected inside a group, each two groups connected."""

from kumihimo.platform.schema.key import Rule
from kumihimo.platform.schema.topologies.kind import (
    MOST_HOSTS,
    MOST_HOSTS_BY_FORMULA,
    TopologyKind,
    parameter,
    too_many,
)


def _enough_ports(groups: int, switches_per_group: int, global_links: int) -> str | None:
    ports = switches_per_group * global_links
    if groups <= ports + 1:
        return None
    return (
        f"{switches_per_group} switches with {global_links} global links each reach {ports} other "
        f"groups; expected at most {ports + 1} groups, found {groups}"
    )


def _few_hosts(groups: int, switches_per_group: int, hosts_per_switch: int) -> str | None:
    hosts = groups * switches_per_group * hosts_per_switch
    return too_many(hosts, "hosts", MOST_HOSTS_BY_FORMULA)


DRAGONFLY = TopologyKind(
    name="dragonfly",
    doc="Groups of switches. Inside a group each two switches are connected by a local cable; each "
    "two groups are connected by a global cable. Global ports of a group are numbered switch by "
    "switch and arranged absolutely (also called consecutively): port q of group i leads to group "
    "q if q < i, else to group q + 1. Ports that are left over are used again in the same way as "
    "long as they reach every other group once more; the rest has no cable. Routing is minimal: at "
    "most one global link, with at most one local link before and after it. Of several cables "
    "between two groups a message takes the one with the fewest local links; of equal ones "
    "the first from number `target mod cables` on.",
    keys=(
        parameter("dragonfly", "groups", 1, MOST_HOSTS_BY_FORMULA, "Groups."),
        parameter("dragonfly", "switches_per_group", 1, MOST_HOSTS, "Switches in each group."),
        parameter(
            "dragonfly", "global_links_per_switch", 0, MOST_HOSTS, "Global ports of each switch."
        ),
        parameter(
            "dragonfly",
            "hosts_per_switch",
            1,
            MOST_HOSTS,
            "Hosts at each switch. Hosts are numbered switch by switch, group by group.",
        ),
    ),
    rules=(
        Rule(
            (
                "topology.groups",
                "topology.switches_per_group",
                "topology.global_links_per_switch",
            ),
            _enough_ports,
            "There are at most `switches_per_group x global_links_per_switch + 1` groups.",
        ),
        Rule(
            ("topology.groups", "topology.switches_per_group", "topology.hosts_per_switch"),
            _few_hosts,
            f"There are at most {MOST_HOSTS_BY_FORMULA} hosts.",
        ),
    ),
)
