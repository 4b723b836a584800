"""Writes the reference page of platform files from the table of keys.

`kumihimo platform reference` prints the page; docs/reference/platform.md is a copy of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.key import (
    ByChoice,
    Follows,
    Key,
    PlainDefault,
    Required,
    SameAs,
    Section,
)
from kumihimo.platform.schema.link_power import LINK_POWER
from kumihimo.platform.schema.link_power_presets import PRESETS
from kumihimo.platform.schema.topologies import KINDS, TOPOLOGY, TopologyKind
from kumihimo.platform.schema.topologies.kind import KIND_PATH
from kumihimo.platform.schema.values import Measure, Several
from kumihimo.units import DECIBEL, DURATION, POWER, RATE, SHARE, SIZE, SPEED, SYMBOL_RATE, Quantity

EXAMPLE = """\
name = "example"

[topology]
kind = "star"
hosts = 4

[link]
bandwidth = "5 Gb/s"
latency = "100 ns"

[node]
speed = "4.8 Gflop/s"
"""

_INTRODUCTION = f"""\
# Platform files

<!-- Written by `kumihimo platform reference` from the table that reads the files; not by hand. -->

A platform file describes the platform that a program runs over: the network, the hosts at its ends,
and what the message-passing software costs. It is [TOML](https://toml.io/en/v1.0.0). This is a
whole platform; everything else has a default:

```toml
{EXAMPLE}```

`kumihimo platform show FILE` prints every key of a file with its value, and draws the network. A
mistake is reported with file, line, key and what was expected, all mistakes of a file at once.

## Values

Values with a unit are texts: a number, a unit, and spaces between them if wanted. Numbers may have
decimal places and an exponent (`"2.5 us"`, `"1e3 ns"`). Nothing is rounded: a value must be a whole
number of the base unit. Case matters: `b` is a bit and `B` is a byte; `kB` is 1000 bytes and `KiB`
is 1024 bytes.
"""


def reference_page() -> str:
    """Return the page as Markdown."""
    parts = [
        _INTRODUCTION,
        _quantities((DURATION, RATE, SYMBOL_RATE, SIZE, SPEED, POWER, SHARE, DECIBEL)),
    ]
    for section in TABLE.sections:
        parts.append(_topology() if section is TOPOLOGY else section_text(section))
        if section is LINK_POWER:
            parts.append(_presets())
    return "\n".join(parts)


def _quantities(quantities: Iterable[Quantity]) -> str:
    rows = [
        (
            quantity.name.removeprefix("a "),
            f'`"{quantity.example}"`',
            ", ".join(f"`{unit}`" for unit in quantity.units),
            quantity.base,
        )
        for quantity in quantities
    ]
    return _table(("Value", "Example", "Units", "Whole number of"), rows)


def section_text(section: Section) -> str:
    """Return what a reference page says of a section: its title, words, keys and rules."""
    title = f"## `[{section.name}]`" if section.name else "## Top of the file"
    parts = [title, "", section.doc, ""]
    if section.when is not None:
        parts += [f"Applies with `{section.when}`.", ""]
    twin = _twin(section)
    if twin is not None:
        anchor = twin.name.replace(".", "")
        parts.append(f"The keys and rules are those of [`[{twin.name}]`](#{anchor}).")
        parts.append("Each key's default is its value there.\n")
        return "\n".join(parts)
    if section.keys:
        parts.append(_keys(section.keys))
    parts += [f"{rule.doc}\n" for rule in section.rules if rule.doc]
    return "\n".join(parts)


def _twin(section: Section) -> Section | None:
    """Return the section that has the same keys, if each one's default is the value there.

    A table of the same keys again would hide what differs between sections.
    """
    for other in TABLE.sections:
        theirs = [(key.name, key.type, key.doc, f"{other.name}.{key.name}") for key in other.keys]
        ours = [
            (key.name, key.type, key.doc, key.default.path)
            for key in section.keys
            if isinstance(key.default, SameAs)
        ]
        if ours and len(ours) == len(section.keys) and ours == theirs:
            return other
    return None


def _topology() -> str:
    """Return the section of the topology: the kind first, then each kind with its keys."""
    common = [key for key in TOPOLOGY.keys if key.when is None]
    parts = [f"## `[{TOPOLOGY.name}]`", "", TOPOLOGY.doc, "", _keys(common)]
    parts += [_kind(kind) for kind in KINDS]
    return "\n".join(parts)


def _presets() -> str:
    """Return what each preset of link power says."""
    names = list(dict.fromkeys(name for preset in PRESETS.values() for name in preset.values))
    rows = [
        (f"`{name}`", *(f"{preset.values.get(name, '')}" for preset in PRESETS.values()))
        for name in names
    ]
    heading = ("Preset", *(f'`"{name}"`' for name in PRESETS))
    notes = [f'`"{name}"`: {preset.doc}' for name, preset in PRESETS.items()]
    return "\n\n".join(["### Presets", _table(heading, rows).rstrip(), *notes, ""])


def _kind(kind: TopologyKind) -> str:
    parts = [f'### `{KIND_PATH.rpartition(".")[2]} = "{kind.name}"`', "", kind.doc, ""]
    parts.append(_keys(kind.keys))
    parts += [f"{rule.doc}\n" for rule in kind.rules]
    return "\n".join(parts)


def _keys(keys: Iterable[Key]) -> str:
    rows = [(f"`{key.name}`", _values(key), _default(key), key.doc) for key in keys]
    return _table(("Key", "Values", "Default", "Meaning"), rows)


def _values(key: Key) -> str:
    element = key.type.element if isinstance(key.type, Several) else key.type
    if not isinstance(element, Measure):
        return key.type.limits() or key.type.expected()
    return f"{element.quantity.name.removeprefix('a ')}, {key.type.limits()}"


def _default(key: Key) -> str:
    if isinstance(key.default, ByChoice):
        return f"as `{key.default.path}` says; else {_plain_default(key.default.otherwise)}"
    if isinstance(key.default, Follows):
        return f"{key.default.doc}; else {_plain_default(key.default.otherwise)}"
    default = _plain_default(key.default)
    return f"{default}; required with {key.required_with}" if key.required_with else default


def _plain_default(default: PlainDefault) -> str:
    if isinstance(default, Required):
        return "required"
    if isinstance(default, SameAs):
        same = f"as `{default.path}`"
        if default.otherwise is None:
            return same
        return f"{same}; else {_plain_default(default.otherwise)}"
    if default == "":
        return "none"
    return f'`"{default}"`' if isinstance(default, str) else f"`{default}`"


def _table(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heading, tuple("---" for _ in heading), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)
