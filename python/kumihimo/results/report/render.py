"""Fills the templates of pages that need no network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files

import jinja2

from kumihimo.results.report.bundle import javascript_bundle
from kumihimo.results.report.figure import DARK_COLOURS, Figure


def render(template: str, figures: Sequence[Figure], **values: object) -> str:
    """Return a template of `assets`, filled in, with what its figures need to be drawn.

    Args:
        template: Name of the template.
        figures: What it draws.
        values: Everything else that it names.
    """
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_asset),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    drawn = any(figure.chart is not None for figure in figures)
    return environment.get_template(template).render(
        figures=figures,
        style=_asset("style.css"),
        script=_asset("draw.js"),
        dark_colours=json.dumps(DARK_COLOURS),
        bundle=_inside_script(javascript_bundle()) if drawn else "",
        **values,
    )


def _asset(name: str) -> str:
    return (files("kumihimo.results.report") / "assets" / name).read_text(encoding="utf-8")


def _inside_script(text: str) -> str:
    return text.replace("</script", "<\\/script")
