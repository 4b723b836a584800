"""The table of keys keeps its own rules, and the reference page is made from it."""

from pathlib import Path

import pytest
from platform_texts import parse

from kumihimo.platform.reference import EXAMPLE, reference_page
from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.key import ByChoice, Key, SameAs, When
from kumihimo.platform.schema.values import Choice, Count, Measure, Several

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "platform.md"
KEYS = [key for _, key in TABLE.entries()]


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_defaults_are_values_of_the_key(key: Key) -> None:
    before = TABLE.paths()[: TABLE.paths().index(key.path)]
    defaults = [key.default]
    if isinstance(key.default, ByChoice):
        assert key.default.path in before
        defaults = [key.default.otherwise, *key.default.defaults.values()]
    for default in defaults:
        if isinstance(default, SameAs):
            assert default.path in before
        elif isinstance(default, int | str):
            value = key.type.read(default)
            element = key.type.element if isinstance(key.type, Several) else key.type
            as_in_a_file = default if isinstance(element, Count) else key.type.format(value)
            assert key.type.read(as_in_a_file) == value


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_limits_are_values_of_the_key(key: Key) -> None:
    if isinstance(key.type, Measure):
        smallest, largest = key.type.read(key.type.smallest), key.type.read(key.type.largest)
        assert isinstance(smallest, int)
        assert isinstance(largest, int)
        assert smallest < largest < 2**63
    elif isinstance(key.type, Count):
        assert key.type.smallest < key.type.largest


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_docs_are_sentences(key: Key) -> None:
    assert key.doc[0].isupper()
    assert key.doc.endswith(".")
    assert "|" not in key.doc


def test_keys_stand_in_their_sections() -> None:
    for section, key in TABLE.entries():
        assert key.section == section.name


def test_conditions_look_at_earlier_choices() -> None:
    conditions: list[tuple[int, When]] = []
    for section, key in TABLE.entries():
        position = TABLE.paths().index(key.path)
        conditions += [(position, when) for when in (section.when, key.when) if when is not None]
    assert conditions
    for position, when in conditions:
        assert TABLE.paths().index(when.path) < position
        (choice,) = TABLE.variants(when.path)
        assert isinstance(choice.type, Choice)
        assert set(when.values) <= set(choice.type.options)


def test_no_two_keys_feed_one_place() -> None:
    feeds = [
        key.feeds
        for _, key in TABLE.entries()
        # [link] goes to the links at hosts only where nothing else does.
        if key.feeds and key.when is None and key.default_only is None
    ]
    assert len(feeds) == len(set(feeds))


def test_the_committed_page_is_the_generated_one() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference_page(), (
        "docs/reference/platform.md is old; run `make reference`"
    )


def test_the_page_names_every_key_and_section() -> None:
    page = reference_page()
    for section, key in TABLE.entries():
        assert f"| `{key.name}` |" in page
        assert f"`[{section.name}]`" in page or section.name == ""


def test_the_page_has_keys_of_sections_that_are_alike_once() -> None:
    page = reference_page()
    assert page.count("| `symbol_rate` |") == 1
    assert page.count("are those of [`[link.channel]`](#linkchannel).") == 4
    # These have other defaults, rules and texts.
    assert page.count("| `latency` | duration") > 4


def test_the_example_of_the_page_is_a_platform() -> None:
    assert parse(EXAMPLE).name == "example"
