"""Platform files: the description of a machine in TOML, read by one table of keys."""

from kumihimo.platform.model import Platform, load_platform, parse_platform
from kumihimo.platform.schema.setting import Setting
from kumihimo.problems import PlatformError, Problem

__all__ = ["Platform", "PlatformError", "Problem", "Setting", "load_platform", "parse_platform"]
