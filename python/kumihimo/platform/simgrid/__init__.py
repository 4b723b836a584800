"""Platform files of SimGrid (XML), read into the same platforms as our own."""

from kumihimo.platform.simgrid.document import SimgridPlatform, read_routes_file, read_simgrid

__all__ = ["SimgridPlatform", "read_routes_file", "read_simgrid"]
