"""Colours of pages in a browser: what lies on what, and whether it can be seen."""

from __future__ import annotations

import re

from pages import OpenPage

_GROUND = """const ground = element => {
        for (let at = element; at; at = at.parentElement) {
            const colour = getComputedStyle(at).backgroundColor;
            if (colour !== "rgba(0, 0, 0, 0)") return colour;
        }
        return "rgb(255, 255, 255)";
    };"""
# Of each text of the figures and of the page its colour and what is behind it.
TEXTS_AND_GROUNDS = f"""() => {{
    {_GROUND}
    const figures = [...document.querySelectorAll("svg.marks text")]
        .filter(text => text.textContent && text.getAttribute("opacity") !== "0"
            && !text.closest("[style*='opacity: 0']"))
        .map(text => [text.textContent, getComputedStyle(text).fill, ground(text)]);
    const words = [...document.querySelectorAll("h1, h2, p, td, th, span, b, small, pre, summary")]
        .filter(element => element.innerText && !element.closest(".vega-embed"))
        .map(element => [element.innerText, getComputedStyle(element).color, ground(element)]);
    return figures.concat(words);
}}"""
# Of each mark and symbol of figures that were drawn in advance the colours of its line and area,
# and what is behind it.
MARKS_AND_GROUNDS = f"""() => {{
    {_GROUND}
    return [...document.querySelectorAll(
            "figure svg :is(.role-mark, .role-legend-symbol) > :is(path, line)")]
        .flatMap(mark => ["fill", "stroke"].map(paint =>
            [mark.outerHTML, getComputedStyle(mark)[paint], ground(mark)]))
        .filter(([mark, colour]) => colour.startsWith("rgb("));
}}"""


def contrast(colour: str, ground: str) -> float:
    """The contrast of two colours as WCAG 2 defines it, from 1 to 21."""
    light = []
    for text in (colour, ground):
        channels = [int(part) / 255 for part in re.findall(r"[0-9]+", text)[:3]]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        light.append(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True)))
    return (max(light) + 0.05) / (min(light) + 0.05)


def check_colours(opened: OpenPage, scheme: str) -> None:
    """Check that all of a page with figures drawn in advance can be seen, light or dark."""
    texts = opened.page.evaluate(TEXTS_AND_GROUNDS)
    marks = opened.page.evaluate(MARKS_AND_GROUNDS)
    assert len(texts) > 20
    assert len(marks) > 10
    for text, colour, ground in texts:
        assert contrast(colour, ground) > 4.5, (text, colour, ground)
    for mark, colour, ground in marks:
        assert contrast(colour, ground) > 2, (mark, colour, ground)
    ground = opened.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (contrast(ground, "rgb(0, 0, 0)") < 2) == (scheme == "dark")
