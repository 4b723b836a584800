"""Any graph, read from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumihimo.platform.schema.topologies.kind import TopologyKind, file_parameter

if TYPE_CHECKING:
    from kumihimo.platform.schema.topologies.graph_file import GraphFile


def _read(path: Path) -> GraphFile:
    # Here, because every command reads this table and few read such a file.
    from kumihimo.platform.schema.topologies.graph_file import read_graph

    return read_graph(path)


GRAPH = TopologyKind(
    name="graph",
    doc="Any graph, from a file of node-link JSON as `networkx.node_link_data` gives it. Each node "
    'has a `kind`, "host" or "switch"; each edge may have a `bandwidth` and a `latency`, texts '
    "with units as in this file, and is as [link] says otherwise. An undirected edge is a link "
    "in each direction. Hosts and switches are numbered in the order of the file. A message "
    "takes the path of the fewest links, among equal ones that of the least latency, among equal "
    "ones the link into a vertex that stands first in the file. Hosts do not forward.",
    keys=(
        file_parameter(
            "graph",
            "file",
            _read,
            "Name of the file, from the folder of the platform file.",
        ),
    ),
)
