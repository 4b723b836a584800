"""The page around a drawing: heading, boxes, lines and legend as SVG."""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

from kumihimo.platform.drawing.geometry import MARGIN
from kumihimo.platform.drawing.keys import counted
from kumihimo.platform.model import Platform
from kumihimo.platform.network import Network

_HEADING = 74.0
_LEGEND_LINE = 22.0
# Colours that differ in lightness too, for colour-blind readers, and in print.
CABLE_COLOURS = ("#3b6ea5", "#d9822b", "#5a9367", "#8a4f7d", "#333d47", "#b8474d")

_STYLE = """\
text { font-family: "DejaVu Sans", "Liberation Sans", Arial, sans-serif; fill: #1d2733; }
.title { font-size: 20px; font-weight: bold; }
.subtitle, .legend { font-size: 13px; fill: #44525f; }
.label { font-size: 12px; text-anchor: middle; dominant-baseline: central; }
.note { font-size: 10.5px; text-anchor: middle; dominant-baseline: central; fill: #44525f; }
.small { font-size: 9px; text-anchor: middle; dominant-baseline: central; }
.count { font-size: 11px; fill: #44525f; }
.gap, .name { text-anchor: middle; dominant-baseline: central; stroke: #ffffff;
  stroke-width: 4px; paint-order: stroke; }
.gap { font-size: 22px; }
.name { font-size: 11px; }
.host { fill: #eef3f8; stroke: #7d92a8; }
.switch { fill: #fbe9cf; stroke: #b5843a; stroke-width: 1.5; }
.group { fill: #f6f7f9; stroke: #c3cbd3; }
.around { stroke-dasharray: 5 3; }
"""


@dataclass(frozen=True)
class Drawing:
    """What stands between heading and legend.

    Attributes:
        width: Of the drawing.
        height: Of the drawing.
        parts: Elements of SVG.
        legend: Each kind of cable in words, with its colour.
        remarks: What else is to be said, such as what is left out.
    """

    width: float
    height: float
    parts: list[str]
    legend: list[tuple[str, str]]
    remarks: list[str]


def page(platform: Platform, network: Network, drawing: Drawing) -> str:
    """Return a drawing with its heading and legend as the text of an SVG file."""
    subtitle = str(platform["description"]) or summary(network)
    words = [subtitle, *(text for text, _ in drawing.legend), *drawing.remarks]
    width = max(drawing.width, 2 * MARGIN + 8.2 * max(len(line) for line in words))
    lines = len(drawing.legend) + len(drawing.remarks)
    height = _HEADING + drawing.height + lines * _LEGEND_LINE + MARGIN / 2
    shift = (width - drawing.width) / 2
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" role="img">',
        f"<title>{escape(platform.name)}: {escape(summary(network))}</title>",
        f"<style>\n{_STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text class="title" x="{MARGIN:.0f}" y="38">{escape(platform.name)}</text>',
        f'<text class="subtitle" x="{MARGIN:.0f}" y="60">{escape(subtitle)}</text>',
        f'<g transform="translate({shift:.1f} {_HEADING:.1f})">',
        *drawing.parts,
        "</g>",
        *_legend(drawing, _HEADING + drawing.height),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def summary(network: Network) -> str:
    """Return how many hosts, switches and links there are."""
    counts = (
        counted(network.hosts, "host", "hosts"),
        counted(network.switches, "switch", "switches"),
        counted(network.link_count, "link", "links"),
    )
    return ", ".join(counts)


def line(x1: float, y1: float, x2: float, y2: float, colour: str, width: float) -> str:
    """Return a cable."""
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )


def around(path: str, colour: str, width: float) -> str:
    """Return a cable that leads around others, as a path of SVG."""
    return f'<path class="around" d="{path}" fill="none" stroke="{colour}" stroke-width="{width}"/>'


def text(kind: str, x: float, y: float, words: str) -> str:
    """Return a text of a class of the style."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def box(kind: str, x: float, y: float, width: float, height: float) -> str:
    """Return a box around its centre, of a class of the style."""
    return (
        f'<rect class="{kind}" x="{x - width / 2:.1f}" y="{y - height / 2:.1f}" '
        f'width="{width:.1f}" height="{height:.1f}" rx="4"/>'
    )


def _legend(drawing: Drawing, top: float) -> list[str]:
    parts = []
    for place, (words, colour) in enumerate(drawing.legend):
        y = top + place * _LEGEND_LINE
        parts.append(line(MARGIN, y, MARGIN + 30, y, colour, 3))
        parts.append(text("legend", MARGIN + 40, y + 4, words))
    below = top + len(drawing.legend) * _LEGEND_LINE + 4
    for place, words in enumerate(drawing.remarks):
        parts.append(text("legend", MARGIN, below + place * _LEGEND_LINE, words))
    return parts
