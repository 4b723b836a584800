"""Draws a network as an SVG picture: grids, dragonflies, and everything else by levels."""

from __future__ import annotations

from kumihimo.platform.drawing.frame import page
from kumihimo.platform.drawing.grids import draw_grid
from kumihimo.platform.drawing.groups import draw_groups
from kumihimo.platform.drawing.levels import draw_levels
from kumihimo.platform.machine import Machine
from kumihimo.platform.model import Platform

# Larger networks are not drawn.
MOST_LINKS = 200_000


def draw_svg(platform: Platform, machine: Machine) -> str:
    """Return the picture as the text of an SVG file; it names what is left out."""
    match platform["topology.kind"]:
        case "torus" | "mesh":
            drawing = draw_grid(platform)
        case "dragonfly":
            drawing = draw_groups(platform, machine)
        case _:
            drawing = draw_levels(machine)
    return page(platform, machine, drawing)
