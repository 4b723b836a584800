"""The keys of hints: the one table for programs, files of hints, and the reference.

`python -m kumihimo.hint_keys` prints the reference page; docs/reference/hints.md is a copy of it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class HintKey:
    """One key of HINT.

    Attributes:
        name: As programs write it.
        values: The values it takes, in Markdown.
        listeners: What acts on it, in Markdown.
        meaning: What happens from there on, in Markdown.
        switches: The values, if these are switches and not sizes or ranks.
        is_region: Whether "1" begins a region and "0" ends it.
    """

    name: str
    values: str
    listeners: str
    meaning: str
    switches: tuple[str, ...] = ()
    is_region: bool = False


# What a rank does with them is decided at their place in the order of the program. They stand in
# the order in which HintKey of src/endpoint/service numbers them.
NUMBERED = (
    HintKey(
        "IN_KERNEL",
        '`"1"`, `"0"`',
        "`--service hint`, `hint_evict`; `--collectives hint`",
        "A region begins that takes most of the time, until `0`. Ranks ask for connections in "
        "regions only, and only calls in regions are scheduled. Regions may be nested.",
        switches=("1", "0"),
        is_region=True,
    ),
    HintKey(
        "REPEATED",
        '`"1"`, `"0"`',
        "`--service hybrid`, `hint`, `hint_evict`",
        "What follows will be repeated, until `0`: ranks ask for a connection at the first message "
        "to a peer, in place of after `messages_before`. Regions may be nested.",
        switches=("1", "0"),
        is_region=True,
    ),
    HintKey(
        "MEMORY_BUDGET",
        'a size, such as `"64 MiB"`, from 1 KiB to 256 GiB',
        "all services with connections",
        "From here on the rank asks for connections only as long as its memory stays below this "
        "size. The smaller one of this and `memory_budget` of the platform counts, in whole KiB. "
        "With a larger budget, peers that were refused get connections, too.",
    ),
    HintKey(
        "EAGER",
        'a size, such as `"256 KiB"`, at most 256 GiB; `"0"`',
        "every run",
        "From here on the rank sends messages up to this size at once, in place of asking the "
        "receiver. The larger one of this and `eager_limit` of the platform counts, in whole KiB. "
        "`eager_buffers` of connections grow in proportion to the largest size hinted, for good. "
        "`0` ends it.",
    ),
    HintKey(
        "INIT_DONE",
        '`"1"`',
        "all services with connections",
        "The program has all the memory that it needs: what is left below the budget may become "
        "connections. From here on `connection_cap` does not bind the rank, only budgets do.",
        switches=("1",),
    ),
)
# Passed on to the network interface at once, and known to C, C++, Fortran and Python only.
WAKE = HintKey(
    "WAKE",
    '`"next"`, `"all"`, or a rank, such as `"7"`',
    "`--link-power prewake`",
    "Wakes the sleeping links that the next MPI calls will use, those to all other ranks, or those "
    "to one rank of MPI_COMM_WORLD. `next` knows only what the rank sent after it had been at this "
    "place before. See [waking links in time](../wake-ups.md).",
)
KEYS = (*NUMBERED, WAKE)
NAMES = tuple(key.name for key in KEYS)

_INTRODUCTION = """\
# Hints

<!-- Written by `make reference` from the table of keys; not by hand. -->

A program passes to the run what a library cannot know by `HINT(key, value)` of `kumihimo/hint.h`
(C and C++), `kumi_hint` of the module `kumihimo_hint` (Fortran) or `kumihimo.hint.hint` (Python).
Key and value are text. All forms return 0, or -1 for an unknown key or value, and do nothing
outside of a run. A hint acts at its place in the order of the program, also where the process runs
ahead of its rank's clock, and changes no data.

| key | values | used by | meaning |
|---|---|---|---|
"""
_REST = """
Hints of programs that are not changed come from [a file](../services.md#programs-as-they-are)
(`kumihimo run --hints`; all keys but `WAKE`) or from the compiler (`kumihimo cc --hints`;
`IN_KERNEL`). Schedules have all keys but `WAKE` as [operations](goal.md). Unknown
keys, and regions that were nested wrongly, are named at the end of a run (`wrong_nesting` in
[result.json](results.md#resultjson)).
"""


def reference_page() -> str:
    """Return the page as Markdown."""
    rows = (f"| `{key.name}` | {key.values} | {key.listeners} | {key.meaning} |\n" for key in KEYS)
    return f"{_INTRODUCTION}{''.join(rows)}{_REST}"


if __name__ == "__main__":
    print(reference_page(), end="")
