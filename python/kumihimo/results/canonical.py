"""JSON of which equal values have equal bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence


def canonical_json(value: object) -> str:
    """Return `value` as JSON with sorted keys and one fixed layout, ending in a newline.

    Mappings and lists of lists or mappings take one line per entry; a list of plain values, and
    every entry of a list, takes one line in all, so that two results can be compared line by line.

    Args:
        value: Mappings with string keys, sequences, strings, integers, booleans and None.

    Raises:
        TypeError: If there is anything else in it. Floating-point numbers are refused because
            their last digits may differ between computers.
    """
    _check(value, "value")
    return readable_json(value)


def readable_json(value: object) -> str:
    """Return `value` in the layout of `canonical_json`; floating-point numbers may be in it."""
    return _layout(value, "") + "\n"


def configuration_hash(configuration: Mapping[str, object]) -> str:
    """Return the SHA-256 of a configuration's canonical JSON, as 64 hexadecimal digits."""
    _check(configuration, "configuration")
    return hashlib.sha256(_one_line(configuration).encode()).hexdigest()


def _check(value: object, path: str) -> None:
    if value is None or isinstance(value, str | int):
        return
    if isinstance(value, Mapping):
        for key, entry in value.items():
            if not isinstance(key, str):
                raise TypeError(f"{path}: the key {key!r} is not a string")
            _check(entry, f"{path}.{key}")
    elif isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        for index, entry in enumerate(value):
            _check(entry, f"{path}[{index}]")
    else:
        raise TypeError(f"{path}: {value!r} has no canonical form ({type(value).__name__})")


def _one_line(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _spaced(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def _layout(value: object, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, Mapping) and value:
        lines = [
            f"{inner}{json.dumps(key, ensure_ascii=False)}: {_layout(value[key], inner)}"
            for key in sorted(value)
        ]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    if is_list and any(isinstance(entry, Mapping | list | tuple) for entry in value):  # type: ignore[attr-defined]
        lines = [inner + _spaced(entry) for entry in value]  # type: ignore[attr-defined]
        return "[\n" + ",\n".join(lines) + f"\n{indent}]"
    return _spaced(list(value) if is_list else value)  # type: ignore[call-overload]
