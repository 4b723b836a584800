"""The JavaScript that draws the figures: Vega, Vega-Lite and Vega-Embed in one text."""

from __future__ import annotations

import os
import tempfile
from importlib.metadata import version
from pathlib import Path

from kumihimo import vega

# A bundle is larger than this; what is smaller was spoilt.
_MIN_BYTES = 100_000


def javascript_bundle() -> str:
    """Return the bundle.

    It is kept in the user's cache folder because putting it together takes seconds.
    """
    cached = _cache_folder() / f"vega-{_identity()}.js"
    try:
        text = cached.read_text(encoding="utf-8")
        if len(text) >= _MIN_BYTES:
            return text
    except (OSError, UnicodeDecodeError):
        pass  # Not there yet, or spoilt: it is made anew.
    text = _make_bundle()
    _keep(cached, text)
    return text


def _identity() -> str:
    return f"{vega.VERSION}-{version('vl-convert-python')}-1"


def _make_bundle() -> str:
    import vl_convert

    # The snippet puts what draw.js needs where it finds it.
    return vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vega.VERSION)


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "kumihimo"


def _keep(path: Path, text: str) -> None:
    """Write the cache whole or not at all; a cache that cannot be written is done without."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=".vega.", delete=False
        ) as stage:
            try:
                stage.write(text)
                stage.close()
                Path(stage.name).replace(path)
            except OSError:
                Path(stage.name).unlink(missing_ok=True)
    except OSError:
        return
