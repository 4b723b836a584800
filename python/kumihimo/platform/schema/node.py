"""Keys of the computers at the network's ends."""

from __future__ import annotations

from kumihimo.platform.schema.key import Key, Rule, SameAs, Section, config
from kumihimo.platform.schema.values import Count, Measure
from kumihimo.units import SPEED


def _one_core_each(ranks: int, cores: int) -> str | None:
    if cores >= ranks:
        return None
    return f"{cores} cores are too few for {ranks} ranks: each needs one"


NODE = Section(
    name="node",
    doc="The hosts as computers.",
    keys=(
        Key(
            "node.speed",
            Measure(SPEED, smallest="1 kflop/s", largest="1000 Pflop/s", words={"none": 0}),
            "none",
            config("node_flops"),
            "How fast one rank computes. Work given in floating-point operations takes "
            "operations / speed; measured computing time is scaled by the speed of the computer "
            "that runs the simulation over this one.",
            required_with="compute measured or counted, and for work given in operations",
        ),
        Key(
            "node.ranks",
            Count(1, 1024),
            1,
            config("ranks_per_host"),
            "Ranks that each host has room for.",
        ),
        Key(
            "node.cores",
            Count(1, 65536),
            SameAs("node.ranks"),
            config("cores_per_host"),
            "Cores of each host, of which each of its ranks has an equal share for its threads.",
        ),
    ),
    rules=(
        Rule(
            ("node.ranks", "node.cores"),
            _one_core_each,
            "A host has a core for each rank.",
        ),
    ),
)
