"""The fat tree: levels of switches over hosts, tapered at will."""

import math

from kumihimo.platform.schema.key import Rule
from kumihimo.platform.schema.topologies.kind import (
    MOST_HOSTS,
    MOST_HOSTS_BY_FORMULA,
    MOST_LINK_CLASSES,
    SwitchLinks,
    TopologyKind,
    list_parameter,
    too_many,
)
from kumihimo.platform.schema.values import Count, Value


def _few_hosts(children: tuple[int, ...]) -> str | None:
    return too_many(math.prod(children), "hosts", MOST_HOSTS_BY_FORMULA)


def _as_many(children: tuple[int, ...], values: Value) -> str | None:
    if not isinstance(values, tuple) or len(values) == len(children):
        return None
    return (
        f"expected a list of {len(children)}, one for each level as in topology.children; "
        f"found {len(values)}"
    )


FAT_TREE = TopologyKind(
    name="fat_tree",
    doc="The extended generalised fat tree XGFT(h; m; w) with parallel cables. Hosts are level 0; "
    "above them are h levels of switches. Lists begin with the level next to the hosts. A switch "
    "of level i has `m_i x cables_i` links down and `w_{i+1} x cables_{i+1}` up; where it has "
    "fewer up than down, the tree is tapered. A message goes up to the lowest level over both "
    "hosts and down again. Its target alone decides over which port (d-mod-k): port "
    "`target / (w_1 x ... x w_{i-1}) mod (w_i x cables_i)` from level i-1 to level i, where port p "
    "is cable `p / w_i` to parent `p mod w_i`.",
    keys=(
        list_parameter(
            "fat_tree",
            "children",
            Count(1, MOST_HOSTS_BY_FORMULA),
            MOST_LINK_CLASSES,
            "Children of each switch (m), level by level. Hosts are their product.",
        ),
        list_parameter(
            "fat_tree",
            "parents",
            Count(1, MOST_HOSTS),
            MOST_LINK_CLASSES,
            "Switches of each level that a host or switch below it is connected to (w).",
            default=1,
        ),
        list_parameter(
            "fat_tree",
            "cables",
            Count(1, MOST_HOSTS),
            MOST_LINK_CLASSES,
            "Parallel cables to each child, level by level.",
            default=1,
        ),
    ),
    rules=(
        Rule(
            ("topology.children",),
            _few_hosts,
            f"There are at most {MOST_HOSTS_BY_FORMULA} hosts.",
        ),
        Rule(("topology.children", "topology.parents"), _as_many, ""),
        Rule(("topology.children", "topology.cables"), _as_many, ""),
    ),
    switch_links=SwitchLinks("level of switches above the lowest", "topology.children", without=1),
)
