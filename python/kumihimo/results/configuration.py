"""A configuration key by key, for people."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from kumihimo.platform.schema import TABLE

_PLATFORM = "platform."


def flatten(value: object, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield nested mappings key by key: ("options.compute", "none")."""
    if not isinstance(value, Mapping):
        yield path, value
        return
    for key in sorted(value):
        yield from flatten(value[key], f"{path}.{key}" if path else str(key))


def value_text(path: str, value: object) -> str:
    """Return a value as a person reads it, without loss: keys of the platform with their unit.

    Args:
        path: The key as `flatten` gives it, such as "platform.link.latency".
        value: Its value; None for "there is none".
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if path == "program" and isinstance(value, list):
        return shlex.join(value)
    if path.startswith(_PLATFORM) and isinstance(value, int | str | list):
        # A key that this version does not know any more is shown as it was written.
        for key in TABLE.variants(path.removeprefix(_PLATFORM)):
            return key.type.format(tuple(value) if isinstance(value, list) else value)
    return str(value)


def platform_kind(document: Mapping[str, Any]) -> str:
    """Return what kind of network a result is of: "star"; "described" if it does not say."""
    platform = dict(flatten(document["configuration"].get("platform", {})))
    return str(platform.get("topology.kind", "described"))
