"""Platform files: the description of an interconnect in TOML, read by one table of keys."""

from kumihimo.platform.model import Chosen, Platform, load_platform, parse_platform
from kumihimo.platform.schema.setting import Setting
from kumihimo.problems import PlatformError, Problem

__all__ = [
    "Chosen",
    "Platform",
    "PlatformError",
    "Problem",
    "Setting",
    "load_platform",
    "parse_platform",
]
