"""The table of keys of platform files.

It is the one place that knows them: the reader, its messages, the printed network and the reference
page all follow it. A component contributes its keys by a `Section` of its own file, entered here.
"""

from kumihimo.platform.schema.collectives import COLLECTIVES
from kumihimo.platform.schema.general import GENERAL
from kumihimo.platform.schema.link_power import LINK_POWER
from kumihimo.platform.schema.mapping import MAPPING
from kumihimo.platform.schema.matching import MATCHING, MATCHING_POSTED, MATCHING_UNEXPECTED
from kumihimo.platform.schema.mpi import MPI
from kumihimo.platform.schema.network import (
    GLOBAL,
    GLOBAL_CHANNEL,
    HOST_LINK,
    HOST_LINK_CHANNEL,
    LINK,
    LINK_CHANNEL,
    LOCAL,
    LOCAL_CHANNEL,
    LOOPBACK,
    NETWORK,
    SWITCH,
    SWITCH_LINK,
    SWITCH_LINK_CHANNEL,
)
from kumihimo.platform.schema.node import NODE
from kumihimo.platform.schema.service import SERVICE
from kumihimo.platform.schema.table import Table
from kumihimo.platform.schema.topologies import TOPOLOGY

TABLE = Table(
    (
        GENERAL,
        TOPOLOGY,
        LINK_CHANNEL,
        LINK,
        HOST_LINK_CHANNEL,
        HOST_LINK,
        SWITCH_LINK_CHANNEL,
        SWITCH_LINK,
        LOCAL_CHANNEL,
        LOCAL,
        GLOBAL_CHANNEL,
        GLOBAL,
        SWITCH,
        NETWORK,
        LOOPBACK,
        LINK_POWER,
        NODE,
        MAPPING,
        MATCHING,
        MATCHING_POSTED,
        MATCHING_UNEXPECTED,
        MPI,
        SERVICE,
        COLLECTIVES,
    )
)

__all__ = ["TABLE", "Table"]
