"""Torus and mesh: switches at the points of a grid of any number of dimensions."""

import math

from kumihimo.platform.schema.key import Key, Rule
from kumihimo.platform.schema.topologies.kind import (
    MOST_HOSTS,
    MOST_HOSTS_BY_FORMULA,
    MOST_LINK_CLASSES,
    MOST_LINKS_BY_FORMULA,
    SwitchLinks,
    TopologyKind,
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


def _grid(name: str, doc: str, *more: Key) -> TopologyKind:
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
            *more,
        ),
        rules=(
            Rule(
                ("topology.kind", "topology.sizes", "topology.hosts_per_switch"),
                lambda kind, sizes, hosts: _few_enough(sizes, hosts) if kind == name else None,
                f"There are at most {MOST_HOSTS_BY_FORMULA} hosts.",
            ),
        ),
        switch_links=SwitchLinks("dimension", "topology.sizes"),
    )


TORUS = _grid(
    "torus",
    "A grid of switches whose rows are rings: each switch is connected to the next one in every "
    "dimension, and the last one of a row to the first. A row of two has one cable. A message "
    "takes the shorter way round, in the positive direction if both are equally long, unless "
    "halfway_run is given.",
    parameter(
        "torus",
        "halfway_run",
        0,
        MOST_HOSTS_BY_FORMULA,
        "Number of coordinates, from 0 on, from which messages go in the positive direction if "
        "both ways round a ring are equally long. From the same number of next ones they go in "
        "the negative direction, and so on. 0: always positive. Suh and Shin's all-to-all on rings "
        "of 8 needs 2.",
        default=0,
    ),
)

MESH = _grid(
    "mesh",
    "A grid of switches whose rows end at its borders.",
)
