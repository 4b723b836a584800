"""Arrows between the parts of the Python package go one way."""

from circles import circle_in
from python_imports import imports


def test_a_circle_is_found() -> None:
    uses = {"a": {"b"}, "b": {"c"}, "c": {"d", "b"}, "d": set[str]()}
    assert circle_in(uses) == ["b", "c", "b"]
    assert circle_in({**uses, "c": {"d"}}) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for types, or within a function: what needs each other belongs together."""
    circle = circle_in(imports())
    assert not circle, " imports ".join(circle)
