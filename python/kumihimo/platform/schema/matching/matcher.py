"""What a model of a matcher says: the components of its costs, as they stand in platform files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Of matchers that do their work in the network interface.
BY_INTERFACE: Mapping[str, int | str] = {"by": "interface"}


@dataclass(frozen=True)
class Matcher:
    """One way of matching messages with receives.

    Attributes:
        name: Of `mpi.matching.model`.
        doc: A sentence or two for the reference, with the source of the numbers.
        values: Of [mpi.matching], by the name of the key.
        posted: Of [mpi.matching.posted]: what an arriving message searches.
        unexpected: Of [mpi.matching.unexpected]: what a receive searches.
    """

    name: str
    doc: str
    posted: Mapping[str, int | str]
    unexpected: Mapping[str, int | str]
    values: Mapping[str, int | str] = field(default_factory=dict)
