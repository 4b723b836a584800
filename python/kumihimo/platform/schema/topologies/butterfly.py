"""The k-ary n-fly: stages of switches, links one way only."""

from kumihimo.platform.schema.key import Rule
from kumihimo.platform.schema.topologies.kind import (
    MOST_HOSTS,
    MOST_HOSTS_BY_FORMULA,
    SwitchLinks,
    TopologyKind,
    parameter,
    too_many,
)

_MOST_STAGES = 20


def _few_enough(radix: int, stages: int) -> str | None:
    return too_many(radix**stages, "hosts", MOST_HOSTS_BY_FORMULA)


BUTTERFLY = TopologyKind(
    name="butterfly",
    doc="The k-ary n-fly (butterfly): n stages of switches with k inputs and k outputs. Every "
    "message crosses all stages, over the only path there is. Links lead one way: from a host to "
    "the first stage, from stage to stage, and from the last stage to a host.",
    keys=(
        parameter("butterfly", "radix", 2, MOST_HOSTS, "Inputs of a switch, and outputs (k)."),
        parameter("butterfly", "stages", 1, _MOST_STAGES, "Stages of switches (n): k ^ n hosts."),
    ),
    rules=(
        Rule(
            ("topology.radix", "topology.stages"),
            _few_enough,
            f"There are at most {MOST_HOSTS_BY_FORMULA} hosts.",
        ),
    ),
    switch_links=SwitchLinks(),
)
