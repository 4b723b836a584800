"""The canonical form of JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kumihimo.results.canonical import canonical_json, configuration_hash

PLAIN = st.none() | st.booleans() | st.integers() | st.text()
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


def reversed_keys(value: Any) -> Any:  # noqa: ANN401
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(list(value))}
    if isinstance(value, list):
        return [reversed_keys(entry) for entry in value]
    return value


@given(VALUES)
def test_is_json_of_the_same_value(value: Any) -> None:  # noqa: ANN401
    assert json.loads(canonical_json(value)) == value


@given(VALUES)
def test_does_not_depend_on_the_order_of_keys(value: Any) -> None:  # noqa: ANN401
    assert canonical_json(reversed_keys(value)) == canonical_json(value)


@given(st.dictionaries(st.text(), VALUES, max_size=4))
@settings(max_examples=40)
def test_hash_does_not_depend_on_the_order_of_keys(value: dict[str, Any]) -> None:
    assert configuration_hash(reversed_keys(value)) == configuration_hash(value)


def test_layout_has_one_line_per_entry() -> None:
    value = {"b": [{"y": 2, "x": 1}, {"x": 3}], "a": ["p", "q"], "c": {"d": None}}
    assert canonical_json(value) == (
        "{\n"
        '  "a": ["p", "q"],\n'
        '  "b": [\n'
        '    {"x": 1, "y": 2},\n'
        '    {"x": 3}\n'
        "  ],\n"
        '  "c": {\n'
        '    "d": null\n'
        "  }\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("value", "path"),
    [({"a": [1, 0.5]}, r"value\.a\[1\]"), ({"a": {1: 2}}, r"value\.a"), ({"a": b"x"}, r"value\.a")],
)
def test_refuses_what_has_no_canonical_form(value: object, path: str) -> None:
    with pytest.raises(TypeError, match=path):
        canonical_json(value)


def test_hash_of_a_known_configuration() -> None:
    # printf '{"a":1}' | sha256sum
    expected = "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862"
    assert configuration_hash({"a": 1}) == expected
