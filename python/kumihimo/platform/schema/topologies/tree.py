"""The two-level tree: hosts at leaf switches, each leaf connected to each spine switch."""

from kumihimo.platform.schema.key import Rule
from kumihimo.platform.schema.topologies.kind import (
    MOST_HOSTS,
    SwitchLinks,
    TopologyKind,
    parameter,
)

_MOST_UPLINKS = 1 << 20


def _few_hosts(leaves: int, hosts_per_leaf: int) -> str | None:
    hosts = leaves * hosts_per_leaf
    if hosts <= MOST_HOSTS:
        return None
    return (
        f"{leaves} leaves with {hosts_per_leaf} hosts each are {hosts} hosts; "
        f"expected at most {MOST_HOSTS}"
    )


def _few_uplinks(leaves: int, spines: int) -> str | None:
    if leaves * spines <= _MOST_UPLINKS:
        return None
    return (
        f"{leaves} leaves connected to {spines} spines are {leaves * spines} uplinks; "
        f"expected at most {_MOST_UPLINKS}"
    )


TREE = TopologyKind(
    name="tree",
    doc="Two levels: hosts at leaf switches, and each leaf connected to each spine switch by one "
    "uplink. A message between leaves goes over the spine `target mod spines`, so that paths are "
    "fixed and messages to the hosts of one leaf spread over the spines.",
    keys=(
        parameter("tree", "leaves", 1, MOST_HOSTS, "Leaf switches."),
        parameter(
            "tree",
            "hosts_per_leaf",
            1,
            MOST_HOSTS,
            "Hosts at each leaf. Hosts are numbered leaf by leaf.",
        ),
        parameter("tree", "spines", 1, MOST_HOSTS, "Spine switches."),
    ),
    rules=(
        Rule(
            ("topology.leaves", "topology.hosts_per_leaf"),
            _few_hosts,
            f"A tree has at most {MOST_HOSTS} hosts.",
        ),
        Rule(
            ("topology.leaves", "topology.spines"),
            _few_uplinks,
            f"A tree has at most {_MOST_UPLINKS} uplinks.",
        ),
    ),
    switch_links=SwitchLinks(),
)
