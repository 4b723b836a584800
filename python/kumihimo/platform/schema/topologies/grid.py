"""Torus and mesh: switches at the points of a grid of any number of dimensions."""

import math

from kumihimo.platform.schema.key import Rule
from kumihimo.platform.schema.topologies.kind import (
    MOST_HOSTS,
    MOST_HOSTS_BY_FORMULA,
    MOST_LINK_CLASSES,
    MOST_LINKS_BY_FORMULA,
    TopologyKind,
    Uplinks,
    list_parameter,
    parameter,
    too_many,
)
from kumihimo.platform.schema.values import Count


def _few_enough(sizes: tuple[int, ...], hosts_per_switch: int) -> str | None:
    switches = math.prod(sizes)
    hosts = switches * hosts_per_switch
    links = 2 * hosts + 2 * switches * sum(size > 1 for size in sizes)
    return too_many(hosts, "hosts", MOST_HOSTS_BY_FORMULA) or too_many(
        links, "links", MOST_LINKS_BY_FORMULA
    )


def _grid(name: str, doc: str) -> TopologyKind:
    return TopologyKind(
        name=name,
        doc=f"{doc} Switches are numbered with the first coordinate running fastest, hosts switch "
        "by switch. Routing is in dimension order: first along the first dimension, and so on.",
        keys=(
            list_parameter(
                name,
                "sizes",
                Count(1, MOST_HOSTS_BY_FORMULA),
                MOST_LINK_CLASSES,
                "Switches along each dimension.",
            ),
            parameter(name, "hosts_per_switch", 1, MOST_HOSTS, "Hosts at each switch."),
        ),
        rules=(
            Rule(
                ("topology.kind", "topology.sizes", "topology.hosts_per_switch"),
                lambda kind, sizes, hosts: _few_enough(sizes, hosts) if kind == name else None,
                f"There are at most {MOST_HOSTS_BY_FORMULA} hosts.",
            ),
        ),
        uplinks=Uplinks("dimension", "topology.sizes"),
    )


TORUS = _grid(
    "torus",
    "A grid of switches whose rows are rings: each switch is connected to the next one in every "
    "dimension, and the last one of a row to the first. A row of two has one cable. A message "
    "takes the shorter way round, in the positive direction if both are equally long.",
)

MESH = _grid(
    "mesh",
    "A grid of switches whose rows end at its borders.",
)
