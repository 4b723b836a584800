"""Keys of the computers at the network's ends."""

from kumihimo.platform.schema.key import Key, Section, config
from kumihimo.platform.schema.values import Count, Measure
from kumihimo.units import SPEED

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
    ),
)
