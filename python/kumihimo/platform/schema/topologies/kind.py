"""What each kind of topology contributes to the table of keys."""

from __future__ import annotations

from dataclasses import dataclass

from kumihimo.platform.schema.key import REQUIRED, Key, Rule, When, machine
from kumihimo.platform.schema.values import Count

KIND_PATH = "topology.kind"
MOST_HOSTS = 4096


@dataclass(frozen=True)
class TopologyKind:
    """A kind of topology; one file of this folder each, and an entry in its `__init__`.

    Attributes:
        name: The value of topology.kind; the simulator's core knows it by the same name.
        doc: What it looks like, for the reference.
        keys: Its own keys under [topology], made by `parameter`.
        rules: What these must keep to together.
        has_switches: Whether [switch] applies.
        has_uplinks: Whether [uplink], the links between switches, applies.
    """

    name: str
    doc: str
    keys: tuple[Key, ...]
    rules: tuple[Rule, ...] = ()
    has_switches: bool = True
    has_uplinks: bool = False


def parameter(kind: str, name: str, smallest: int, largest: int, doc: str) -> Key:
    """Return a required count of one kind of topology, handed to the core under the same name."""
    return Key(
        path=f"topology.{name}",
        type=Count(smallest, largest),
        default=REQUIRED,
        feeds=machine("parameters", name),
        doc=doc,
        when=When(KIND_PATH, (kind,)),
    )
