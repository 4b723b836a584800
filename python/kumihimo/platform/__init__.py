"""Platform files: the description of a machine in TOML, read by one table of keys."""

from kumihimo.platform.model import Platform, load_platform, parse_platform
from kumihimo.platform.problems import PlatformError, Problem
from kumihimo.platform.reader import Setting

__all__ = ["Platform", "PlatformError", "Problem", "Setting", "load_platform", "parse_platform"]
