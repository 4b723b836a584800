"""The ways of matching that the study compares, as settings of one platform."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w

from kumihimo.platform import Platform, load_platform, parse_platform
from kumihimo.platform.schema.matching import MATCHERS
from kumihimo.study.campaign import Value

MODEL, BY = "mpi.matching.model", "mpi.matching.by"
HOST, INTERFACE = "host", "interface"
LIST = "list"
MISSED, IN_ORDER, SLINGSHOT = "heads, each a miss", "heads in order", "slingshot"
_CUSTOM_HEADS: Mapping[str, Sequence[Value]] = {
    MODEL: ["custom"],
    BY: [HOST],
    "mpi.matching.posted.compare": ["7.8 ns"],
    "mpi.matching.unexpected.compare": ["7.8 ns"],
    "mpi.matching.unexpected.latency": ["100 ns"],
}


@dataclass(frozen=True)
class Group:
    """Ways of matching that one sweep compares.

    Attributes:
        name: Of the sweep.
        platform: The name of its platform file.
        settings: Keys of the platform with their values.
        called: What the way is called; None if by the model's name.
    """

    name: str
    platform: str
    settings: Mapping[str, Sequence[Value]]
    called: str | None = None

    def file(self, source: Path) -> Path:
        """Return the platform file."""
        return source / "platforms" / f"{self.platform}.toml"

    def model_of(self, row: Mapping[str, Any]) -> str:
        """Return what a row's way of matching is called."""
        return self.called or str(row[MODEL])

    def platform_of(self, source: Path, row: Mapping[str, Any]) -> Platform:
        """Return the platform of a row."""
        file = self.file(source)
        document = tomllib.loads(file.read_text(encoding="utf-8"))
        for path, values in self.settings.items():
            *sections, key = path.split(".")
            section = document
            for name in sections:
                section = section.setdefault(name, {})
            section[key] = row[path] if len(values) > 1 else values[0]
        return parse_platform(tomli_w.dumps(document), str(file))


# An interface and links of today; only matching differs.
_PLATFORM = "connectx"
NOTHING = Group("list", _PLATFORM, {MODEL: [LIST]})
MODELS = Group("models", _PLATFORM, {MODEL: list(MATCHERS), BY: [HOST, INTERFACE]})
# The paper divides its ratio into two parts, which these two separate. [Tanabe07]
PARTS = (
    Group(
        "missed",
        _PLATFORM,
        {**_CUSTOM_HEADS, "mpi.matching.unexpected.access_size": ["64 B"]},
        MISSED,
    ),
    Group(
        "in-order",
        _PLATFORM,
        {
            **_CUSTOM_HEADS,
            "mpi.matching.unexpected.access_size": ["128 B"],
            "mpi.matching.unexpected.cached_latency": ["7 ns"],
            "mpi.matching.unexpected.prefetch": ["next"],
        },
        IN_ORDER,
    ),
)
# What its platform file says of matching, on its own links.
OF_SLINGSHOT = Group("slingshot", "slingshot", {BY: [HOST, INTERFACE]}, SLINGSHOT)


def default_by(source: Path, model: str) -> str:
    """Return where a model matches unless a platform file chooses."""
    if model == SLINGSHOT:
        return str(load_platform(OF_SLINGSHOT.file(source), tell=False)[BY])
    return str(MATCHERS[model].values.get("by", HOST)) if model in MATCHERS else HOST
