"""What became of messages that may arrive with errors, as it stands in a result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal

from kumihimo.results import display

if TYPE_CHECKING:
    from kumihimo.results.summary import Approximate, MessageTally

# Of messages that were exact, the key and in words why.
EXACT_WORDS = (
    ("unruled", "without a rule that allows errors"),
    ("unclassified", "of unknown type"),
    ("without_noise", "on links without noise"),
    ("unprotectable", "on links that protect no bits"),
)


def bits_by_position(found: Mapping[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Return for each type of numbers and position of a bit how often that bit was corrupted.

    Args:
        found: The part "approximate" of `result.json`.

    Returns:
        Type, position (0 is the least significant) and number; positions of a type grow.
    """
    for name, row in found["by_datatype"].items():
        for position, count in enumerate(reversed(row["wrong_bits"])):
            yield name, position, count


def bits_of_functions(found: Mapping[str, Any]) -> Iterator[tuple[str, str, int, int]]:
    """Return the same for each MPI function: its name, then as `bits_by_position`."""
    for function, row in found["by_function"].items():
        for name, bits in row["by_datatype"].items():
            for position, count in enumerate(reversed(bits)):
                yield function, name, position, count


def approximate_document(found: Approximate) -> dict[str, Any]:
    """Return the part "approximate" of `result.json`."""
    rows = found["elements"].values()
    return {
        "messages": sum(row["messages"] for row in rows),
        "bytes": sum(row["bytes"] for row in rows),
        "wrong_bits": sum(sum(row["wrong_bits"]) for row in rows),
        "corrupted_messages": found["corrupted_messages"],
        **{key: _sum_of(found, key) for key in ("nan", "inf", "restored")},
        "by_datatype": {name: dict(row) for name, row in found["elements"].items()},
        "by_function": {name: dict(row) for name, row in found["functions"].items()},
        "by_rule": [dict(row) for row in found["rules"]],
        "by_source": _row(found["by_source"]),
        "unprotectable": dict(found["unprotectable"]),
        "without_noise": dict(found["without_noise"]),
        "unruled": _row(found["unruled"]),
        "unclassified": _row(found["unclassified"]),
        "payload_bytes": found["payload_bytes"],
        "link_bytes": found["link_bytes"],
        "saved_ps": found["saved_ps"],
    }


def _row(found: MessageTally | None) -> dict[str, Any] | None:
    return None if found is None else dict(found)


def _sum_of(found: Approximate, key: Literal["nan", "inf", "restored"]) -> int | None:
    """Return a sum over all types of numbers; None in a replay, which knows no payloads."""
    if found["by_source"] is None:
        return None
    return sum(row[key] or 0 for row in found["elements"].values())


def are_numbers_known(found: Mapping[str, Any]) -> bool:
    """Return whether the payloads were there: a replay has none.

    Args:
        found: The part "approximate" of `result.json`.
    """
    return found["nan"] is not None


def exact_words(found: Mapping[str, Any]) -> list[str]:
    """Return how many messages were exact for each reason, in words."""
    return [
        f"{display.format_count(found[key]['messages'])} {words}"
        for key, words in EXACT_WORDS
        if found[key] is not None and found[key]["messages"]
    ]


def approximate_line(document: Mapping[str, Any]) -> str:
    """Return a line on which messages were approximate and what happened to them."""
    found = document["approximate"]
    line = (
        f"Approximate: {display.format_count(found['messages'])} messages "
        f"({display.format_bytes(found['bytes'])}), "
        f"{display.format_count(found['wrong_bits'])} wrong bits "
        f"in {display.format_count(found['corrupted_messages'])} of them"
    )
    if are_numbers_known(found):
        line += (
            f", {display.format_count(found['nan'])} NaN, "
            f"{display.format_count(found['inf'])} infinite"
        )
    if found["restored"]:
        line += f", {display.format_count(found['restored'])} exponents restored"
    if found["by_source"] is not None and found["by_source"]["messages"]:
        line += f"; {display.format_count(found['by_source']['messages'])} by the program's word"
    if found["link_bytes"]:
        line += f"; {display.format_time(found['saved_ps'])} less on links than fully protected"
    exact = exact_words(found)
    return f"{line}; exact: {', '.join(exact)}" if exact else line
