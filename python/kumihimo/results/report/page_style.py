"""Colours of pages whose figures were drawn in advance, on a light ground and on a dark one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kumihimo.results.report.figure import DARK_COLOURS

_PAGE: Final = {
    "page": ("#ffffff", "#0d1117"),
    "text": ("#1b1f24", "#e6edf3"),
    "line": ("#e5e7eb", "#30363d"),
    "failed": ("#fdecea", "#4b1f1c"),
}
# Of figures, in addition to those of the report: the ground, and what is too dark for it.
_DARK_FIGURES: Final = DARK_COLOURS | {
    "white": _PAGE["page"][1],
    "black": "#e6edf3",
    "#000": "#e6edf3",
    "#ddd": _PAGE["line"][1],
    "#000000": "#e6edf3",
    "#777777": "#9aa5b1",
    "#117733": "#4fb477",
    "#882255": "#d86fa6",
}


def page_style() -> str:
    """Return CSS with the colours `--page`, `--text`, `--line` and `--failed`.

    Figures are SVG whose colours are attributes: where the page is dark, rules put others in their
    place.
    """
    light = _variables({name: colours[0] for name, colours in _PAGE.items()})
    dark = _variables({name: colours[1] for name, colours in _PAGE.items()})
    rules = "\n".join(
        f'    figure svg [{paint}="{colour}" i] {{ {paint}: {shown}; }}'
        for colour, shown in _DARK_FIGURES.items()
        for paint in ("fill", "stroke")
    )
    return (
        f":root {{ color-scheme: light dark; {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{\n    :root {{ {dark} }}\n{rules}\n}}\n"
        "body { color: var(--text); background: var(--page); }\n"
    )


def _variables(colours: Mapping[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in colours.items())
