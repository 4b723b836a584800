"""Charts in the words of Vega-Lite: https://vega.github.io/vega-lite/docs/.

A chart is the JSON that Vega-Lite draws. What is here only writes that JSON with fewer brackets;
properties have Vega-Lite's names. Importing this module takes no time, unlike that of a library
that knows the whole schema, of which a short run with a report would feel it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

#: The version of Vega-Lite that charts are written for. vl-convert must know it.
VERSION: Final = "6.1"

Spec = dict[str, Any]

_TYPES: Final = {"Q": "quantitative", "N": "nominal", "O": "ordinal", "T": "temporal"}


def field(name: str, **properties: object) -> Spec:
    """Return what a channel shows: a column, its type, and how.

    Args:
        name: The column with a letter for its type (Q quantitative, N nominal, O ordinal), perhaps
            with an aggregate: "time:Q", "mean(time):Q". Without a letter it has no type.
        properties: More of the channel, such as `title` and `scale`.
    """
    column, _, letter = name.partition(":")
    shown: Spec = {}
    if column.endswith(")"):
        shown["aggregate"], _, column = column.removesuffix(")").partition("(")
    shown["field"] = column
    if letter:
        shown["type"] = _TYPES[letter]
    return {**shown, **properties}


def _properties(**properties: object) -> Spec:
    """Return one of Vega-Lite's objects: nothing but its properties."""
    return properties


# How an axis, a legend, the headings of facets and what is behind the marks look; and how values
# become places, colours or shapes.
axis = legend = header = background = scale = _properties


def value(shown: object) -> Spec:
    """Return a channel that is the same for all marks, in the units of the picture."""
    return {"value": shown}


def datum(shown: object) -> Spec:
    """Return a channel that is the same for all marks, in the units of the data."""
    return {"datum": shown}


def condition(test: str, if_true: Mapping[str, Any], if_false: Mapping[str, Any]) -> Spec:
    """Return a channel that is one of two for each mark, as an expression says."""
    return {"condition": {"test": test, **if_true}, **if_false}


def rows(values: Sequence[Mapping[str, Any]]) -> Spec:
    """Return data that stand in the chart itself."""
    return {"values": list(values)}


class Chart:
    """A chart, or several that make one. No method changes it: each returns another chart.

    Attributes:
        spec: The chart as JSON of Vega-Lite, which may have types of numpy.
    """

    def __init__(self, data: Spec | None = None, **properties: object) -> None:
        """Begin with data, and properties such as `width`."""
        self.spec: Spec = {**({} if data is None else {"data": data}), **properties}

    def mark(self, kind: str, **properties: object) -> Chart:
        """Draw a mark for each row: "bar", "line", "point", "rect", "rule" or "text"."""
        return self.properties(mark={"type": kind, **properties})

    def encode(self, **channels: str | Spec | list[Spec]) -> Chart:
        """Say what marks show by their places, colours and so on; a string names a column."""
        encoding = {name: _channel(name, shown) for name, shown in channels.items()}
        return self.properties(encoding={**self.spec.get("encoding", {}), **encoding})

    def properties(self, **properties: object) -> Chart:
        """Set any properties of the chart."""
        return Chart(**{**self.spec, **properties})

    def facet(self, facet: Spec, *, columns: int, data: Spec) -> Chart:
        """Draw the chart once for each value of a column."""
        return Chart(data, facet=facet, columns=columns, spec=self.spec)

    def resolve_scale(self, **channels: str) -> Chart:
        """Say which scales the parts of the chart have in common: "shared" or "independent"."""
        return self.properties(resolve={"scale": channels})

    def __add__(self, other: Chart) -> Chart:
        """Draw another chart over this one."""
        return layer(self, other)

    def document(self) -> Spec:
        """Return the whole as JSON of Vega-Lite."""
        schema = f"https://vega.github.io/schema/vega-lite/v{VERSION}.0.json"
        return {"$schema": schema, **_plain(self.spec)}


def layer(*charts: Chart) -> Chart:
    """Draw charts over each other."""
    return _joined("layer", charts, ("data", "width", "height"))


def hconcat(*charts: Chart, **properties: object) -> Chart:
    """Draw charts next to each other."""
    return _joined("hconcat", charts, ("data",), **properties)


def vconcat(*charts: Chart, **properties: object) -> Chart:
    """Draw charts one below the other."""
    return _joined("vconcat", charts, ("data",), **properties)


def _joined(
    how: str, charts: Sequence[Chart], common: Sequence[str], **properties: object
) -> Chart:
    """Return charts as parts of one, which has once what all of them have in common."""
    parts = [dict(chart.spec) for chart in charts]
    whole: dict[str, Any] = {}
    for name in common:
        if all(part.get(name) is not None and part[name] == parts[0][name] for part in parts):
            whole[name] = parts[0][name]
            for part in parts:
                del part[name]
    return Chart(**{**whole, **properties, how: parts})


def _channel(name: str, shown: str | Spec | Sequence[Spec]) -> Spec | list[Spec]:
    if isinstance(shown, str):
        return _channel(name, field(shown))
    if isinstance(shown, Mapping):
        # The other end of a mark has the type of the first.
        return {key: of for key, of in shown.items() if key != "type" or name not in ("x2", "y2")}
    return list(shown)


def _plain(part: Any) -> Any:  # noqa: ANN401
    """Return a part of a chart without the types of numpy."""
    if isinstance(part, Mapping):
        return {name: _plain(of) for name, of in part.items()}
    if isinstance(part, list | tuple):
        return [_plain(of) for of in part]
    return part.item() if hasattr(part, "item") else part
