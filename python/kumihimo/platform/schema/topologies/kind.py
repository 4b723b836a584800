"""What each kind of topology contributes to the table of keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kumihimo.platform.attachment import NetworkAttachment
from kumihimo.platform.schema.key import REQUIRED, Default, Key, Rule, When, network
from kumihimo.platform.schema.values import Count, Several, Text, Value, ValueType

KIND_PATH = "topology.kind"
MOST_HOSTS = 4096
# Of kinds whose paths follow from a formula.
MOST_HOSTS_BY_FORMULA = 1 << 21
MOST_LINKS_BY_FORMULA = 1 << 26
# Dimensions of a grid, levels of a fat tree.
MOST_LINK_CLASSES = 16


@dataclass(frozen=True)
class SwitchLinks:
    """The classes of links between switches that [switch_link] describes.

    Attributes:
        of: What has a class of its own: "dimension". Empty if all are alike.
        path: The key whose value is a list with an entry for each class, if there are several.
        without: How many entries of that list have no class.
    """

    of: str = ""
    path: str = KIND_PATH
    without: int = 0

    def rule(self, kind: str, name: str) -> Rule:
        """Return the rule that `switch_link.<name>` has a value for each class."""
        return Rule((KIND_PATH, self.path, f"switch_link.{name}"), partial(self._problem, kind), "")

    def _problem(self, kind: str, actual_kind: str, per: Value, values: Value) -> str | None:
        if actual_kind != kind or not isinstance(values, tuple):
            return None
        if not self.of:
            return f"expected one value, found a list; in a {kind} these links are all alike"
        assert isinstance(per, tuple)
        expected = len(per) - self.without
        if len(values) == expected:
            return None
        return (
            f"expected one value, or a list of {expected}, one for each {self.of}; "
            f"found a list of {len(values)}"
        )


@dataclass(frozen=True)
class TopologyKind:
    """A kind of topology; one file of this folder each, and an entry in its `__init__`.

    Attributes:
        name: The value of topology.kind; the simulator's core knows it by the same name.
        doc: What it looks like, for the reference.
        keys: Its own keys under [topology], made by `parameter`.
        rules: What these must keep to together.
        has_switches: Whether [switch] applies.
        has_uniform_links: Whether [link] applies.
        switch_links: What [switch_link], the links between switches, has values for; None if it
            does not apply.
    """

    name: str
    doc: str
    keys: tuple[Key, ...]
    rules: tuple[Rule, ...] = ()
    has_switches: bool = True
    has_uniform_links: bool = True
    switch_links: SwitchLinks | None = None


def parameter(
    kind: str, name: str, smallest: int, largest: int, doc: str, default: Default = REQUIRED
) -> Key:
    """Return a count of one kind of topology, handed to the core under the same name."""
    return _parameter(kind, name, Count(smallest, largest), default, doc)


def list_parameter(
    kind: str, name: str, element: Count, most: int, doc: str, default: int | None = None
) -> Key:
    """Return a list of counts of one kind of topology, handed to the core under the same name.

    With a default, one number may stand for a list of its like.
    """
    type_ = Several(element, most, or_one=default is not None)
    return _parameter(kind, name, type_, REQUIRED if default is None else default, doc)


def file_parameter(
    kind: str, name: str, attach: Callable[[Path], NetworkAttachment], doc: str
) -> Key:
    """Return a required file name of one kind of topology; what it holds goes to the core."""
    return Key(
        path=f"topology.{name}",
        type=Text(),
        default=REQUIRED,
        feeds=None,
        doc=doc,
        when=When(KIND_PATH, (kind,)),
        attach=attach,
    )


def _parameter(kind: str, name: str, type_: ValueType, default: Default, doc: str) -> Key:
    return Key(
        path=f"topology.{name}",
        type=type_,
        default=default,
        feeds=network("parameters", name),
        doc=doc,
        when=When(KIND_PATH, (kind,)),
    )


def too_many(found: int, what: str, most: int) -> str | None:
    """Return the complaint about more than `most` things, or None."""
    return None if found <= most else f"these are {found} {what}; expected at most {most}"
