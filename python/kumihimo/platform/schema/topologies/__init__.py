"""The kinds of topology. A new one is one file here and one entry in `KINDS`."""

from kumihimo.platform.schema.key import REQUIRED, Key, Section, network
from kumihimo.platform.schema.topologies.butterfly import BUTTERFLY
from kumihimo.platform.schema.topologies.dragonfly import DRAGONFLY
from kumihimo.platform.schema.topologies.fat_tree import FAT_TREE
from kumihimo.platform.schema.topologies.fully_connected import FULLY_CONNECTED
from kumihimo.platform.schema.topologies.graph import GRAPH
from kumihimo.platform.schema.topologies.grid import MESH, TORUS
from kumihimo.platform.schema.topologies.kind import KIND_PATH, TopologyKind
from kumihimo.platform.schema.topologies.routes import ROUTES
from kumihimo.platform.schema.topologies.star import STAR
from kumihimo.platform.schema.topologies.tree import TREE
from kumihimo.platform.schema.values import Choice

KINDS: tuple[TopologyKind, ...] = (
    STAR,
    FULLY_CONNECTED,
    TREE,
    TORUS,
    MESH,
    FAT_TREE,
    BUTTERFLY,
    DRAGONFLY,
    GRAPH,
    ROUTES,
)

_KIND_KEY = Key(
    KIND_PATH,
    Choice({kind.name: kind.doc for kind in KINDS}),
    REQUIRED,
    network("topology"),
    "The shape of the network.",
)

TOPOLOGY = Section(
    name="topology",
    doc="Hosts, switches, and which of them are connected.",
    keys=(_KIND_KEY, *(key for kind in KINDS for key in kind.keys)),
    rules=tuple(rule for kind in KINDS for rule in kind.rules),
)

__all__ = ["KINDS", "TOPOLOGY", "TopologyKind"]
