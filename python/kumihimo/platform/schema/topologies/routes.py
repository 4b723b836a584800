"""Links with a path for each pair of hosts, from a platform file of SimGrid."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kumihimo.platform.attachment import AttachmentError
from kumihimo.platform.schema.topologies.kind import TopologyKind, file_parameter
from kumihimo.problems import PlatformError
from kumihimo.simgrid.limits import MOST_KINDS

if TYPE_CHECKING:
    from kumihimo.simgrid.routes import Routes


def _read(path: Path) -> Routes:
    # Here, because every command reads this table and few read such a file.
    from kumihimo.simgrid.document import read_routes_file

    try:
        return read_routes_file(path)
    except PlatformError as error:
        # Without the heading, which counts the problems of a whole platform file.
        *_, told = error.message.partition("\n") if error.problems else (error.message,)
        raise AttachmentError(told) from error


ROUTES = TopologyKind(
    name="routes",
    doc="Links with a path for each pair of hosts, from a platform file of SimGrid (XML), of at "
    f"most {MOST_KINDS} kinds of hosts: those of a plain cluster, or of one router of a dragonfly, "
    "are alike. Hosts are numbered in the order of the file. A link that both directions or "
    "several routes share is one queue. A message between hosts without a route ends the run. "
    "Such a file may also be given itself in place of a platform file; [node] and [loopback] then "
    "come from it as well.",
    keys=(
        file_parameter(
            "routes",
            "file",
            _read,
            "Name of the XML file, from the folder of the platform file.",
        ),
    ),
    has_switches=False,
    has_uniform_links=False,
)
