"""Draws a network as an SVG picture: grids, dragonflies, and everything else by levels."""

from __future__ import annotations

from kumihimo.platform.drawing.frame import page
from kumihimo.platform.drawing.grids import draw_grid
from kumihimo.platform.drawing.groups import draw_groups
from kumihimo.platform.drawing.levels import draw_levels
from kumihimo.platform.model import Platform
from kumihimo.platform.network import Network

# Larger networks are not drawn.
MOST_LINKS = 200_000


def draw_svg(platform: Platform, network: Network) -> str:
    """Return the picture as the text of an SVG file; it names what is left out."""
    match platform["topology.kind"]:
        case "torus" | "mesh":
            drawing = draw_grid(platform)
        case "dragonfly":
            drawing = draw_groups(platform, network)
        case _:
            drawing = draw_levels(network)
    return page(platform, network, drawing)
