"""Keys of matching: a model by its name, and the components of which its costs are made."""

from __future__ import annotations

from collections.abc import Mapping

from kumihimo.platform.schema.key import (
    REQUIRED,
    ByChoice,
    Key,
    PlainDefault,
    Rule,
    Section,
    When,
    config_in,
)
from kumihimo.platform.schema.matching.alpu import ALPU
from kumihimo.platform.schema.matching.connectx import CONNECTX
from kumihimo.platform.schema.matching.dimmnet2 import DIMMNET2
from kumihimo.platform.schema.matching.elan4 import ELAN4
from kumihimo.platform.schema.matching.hashed import HASHED
from kumihimo.platform.schema.matching.lhs import LHS
from kumihimo.platform.schema.matching.matcher import Matcher
from kumihimo.platform.schema.values import Choice, Count, Measure, Value, ValueType
from kumihimo.units import DURATION, SIZE

MATCHERS: Mapping[str, Matcher] = {
    matcher.name: matcher for matcher in (ELAN4, ALPU, DIMMNET2, LHS, HASHED, CONNECTX)
}

MODEL_PATH = "mpi.matching.model"
IS_LIST = When(MODEL_PATH, ("list",))
_IS_COMPOSED = When(MODEL_PATH, ("custom", *MATCHERS))
_TIME = Measure(DURATION, smallest="0 ns", largest="1 ms")
_SIZE = Measure(SIZE, smallest="1 B", largest="1 MiB")


def _key(
    queue: str, name: str, type_: ValueType, otherwise: PlainDefault, feed: str, doc: str
) -> Key:
    """Return a key whose default is what the model says; `queue` may be empty."""
    path = f"mpi.matching.{queue}.{name}" if queue else f"mpi.matching.{name}"
    said: dict[str, PlainDefault] = {}
    for matcher in MATCHERS.values():
        sections = {"": matcher.values, "posted": matcher.posted, "unexpected": matcher.unexpected}
        if name in sections[queue]:
            said[matcher.name] = sections[queue][name]
    default = ByChoice(MODEL_PATH, said, otherwise) if said else otherwise
    place = ("matching", queue, feed) if queue else ("matching", feed)
    return Key(path, type_, default, config_in(*place), doc, when=_IS_COMPOSED)


MATCHING = Section(
    name="mpi.matching",
    doc="What matching messages with receives costs, for programs and replays alike. Which receive "
    "gets which message is MPI's rule, whatever the model. See [matching](../matching.md).",
    keys=(
        Key(
            MODEL_PATH,
            Choice(
                {
                    "list": "Lists in the host's memory: `mpi.match_cost` for each entry.",
                    **{name: matcher.doc for name, matcher in MATCHERS.items()},
                    "custom": "These sections say everything.",
                }
            ),
            "list",
            None,
            "Where the defaults of the other keys come from. "
            + '"list": lists in the host\'s memory, `mpi.match_cost` for each entry. '
            + " ".join(f'"{name}": {matcher.doc}' for name, matcher in MATCHERS.items())
            + ' "custom": these sections say everything.',
        ),
        _key(
            "",
            "by",
            Choice(
                {
                    "host": "The rank's processor matches when the program waits or looks.",
                    "interface": "The network interface matches in parallel with the program, at "
                    "arrival.",
                }
            ),
            "host",
            "by",
            'Where matching runs. "host": on the rank\'s processor, when the program waits or '
            'polls. "interface": on the network interface, in parallel with the program. It '
            "matches each message at its arrival and each receive at its posting, one at a time.",
        ),
        _key(
            "",
            "head_latency",
            _TIME,
            "0 ns",
            "head_latency_ps",
            "Time of reading the head of a message that has arrived.",
        ),
        _key(
            "",
            "body_latency",
            _TIME,
            "0 ns",
            "body_latency_ps",
            "Time of reading the payload of a message up to the eager limit when its receive is "
            "known, if it has not come with its head.",
        ),
        _key(
            "",
            "wildcard_lookup",
            _TIME,
            "0 ns",
            "wildcard_lookup_ps",
            "Time of looking into the list of entries with wildcards, at each search of either "
            "queue; hash tables need one. Left out where a program asserts "
            "`mpi_assert_no_any_source` and `mpi_assert_no_any_tag` of the communicator.",
        ),
        _key(
            "",
            "envelope_size",
            _SIZE,
            "16 B",
            "envelope_bytes",
            "Size of what is compared. The rest of an entry of the unexpected queue is payload "
            "that comes with its head.",
        ),
    ),
)


def _queue(queue: str, doc: str, rules: tuple[Rule, ...] = ()) -> Section:
    """Return the section of one of the two queues."""

    def key(name: str, type_: ValueType, otherwise: PlainDefault, feed: str, doc: str) -> Key:
        return _key(queue, name, type_, otherwise, feed, doc)

    return Section(
        name=f"mpi.matching.{queue}",
        doc=doc,
        keys=(
            key(
                "search_cost", _TIME, "0 ns", "search_ps", "Time of each search, whatever it finds."
            ),
            key(
                "compare",
                _TIME,
                REQUIRED,
                "compare_ps",
                "Time of each step, in which `width` entries are compared.",
            ),
            key("width", Count(1, 1 << 20), 1, "width", "Entries that are compared at once."),
            key(
                "latency",
                _TIME,
                "0 ns",
                "latency_ps",
                "Latency of an access to the memory that holds the entries.",
            ),
            key(
                "access_size",
                _SIZE,
                "64 B",
                "access_bytes",
                "What one access brings: a cache line, or two neighbouring ones. At least one "
                "entry's envelope.",
            ),
            key(
                "entry_size",
                _SIZE,
                "64 B",
                "entry_bytes",
                "Distance from one entry to the next in memory.",
            ),
            key(
                "cached_latency",
                _TIME,
                "0 ns",
                "cached_latency_ps",
                "Time of reading an entry that an earlier access or prefetching has brought.",
            ),
            key(
                "prefetch",
                Choice({"none": "Nothing is prefetched.", "next": "What follows, in time."}),
                "none",
                "prefetch",
                'Whether data behind the first access are brought in time ("next") or only when '
                'they are read ("none").',
            ),
            key(
                "capacity",
                Count(1, 1 << 32, {"unlimited": 0}),
                "unlimited",
                "capacity",
                "Entries that have room there; the oldest do. A full one loses nothing: entries "
                "beyond it are searched at `spill_cost`, `spill_entries` at a time.",
            ),
            key(
                "spill_cost",
                _TIME,
                "0 ns",
                "spill_ps",
                "Time of an access to entries beyond `capacity`, including the comparison of the "
                "first that it brings.",
            ),
            key(
                "spill_entries",
                Count(1, 1 << 20),
                1,
                "spill_entries",
                "Entries beyond `capacity` that one access brings. All but the first take "
                "`compare` and `cached_latency`: many at once leave no cliff behind a full buffer.",
            ),
            key(
                "buckets",
                Count(1, 1 << 20),
                1,
                "buckets",
                "Number of buckets of a hash table, with entries spread evenly. Of `n` entries "
                "that a list would search, 1 + (n - 1) / `buckets` are searched.",
            ),
        ),
        when=_IS_COMPOSED,
        rules=rules,
    )


def _holds_envelope(*values: Value) -> str | None:
    envelope, entry = values
    assert isinstance(envelope, int)
    assert isinstance(entry, int)
    if envelope <= entry:
        return None
    return (
        f"an envelope of {SIZE.format(envelope)} is larger than its entry of {SIZE.format(entry)}"
    )


MATCHING_POSTED = _queue("posted", "Receives that wait, which an arriving message searches.")
MATCHING_UNEXPECTED = _queue(
    "unexpected",
    "Messages that have arrived before their receive, which a receive or a probe searches in order "
    "of arrival. Posted receives are searched in order of posting.",
    (
        Rule(
            ("mpi.matching.envelope_size", "mpi.matching.unexpected.entry_size"),
            _holds_envelope,
            "An entry is at least as large as `mpi.matching.envelope_size`.",
        ),
    ),
)
