"""Platforms that come with Kumihimo, by their names."""

from __future__ import annotations

import difflib
import tomllib
from pathlib import Path

from kumihimo.installed import shipped_path
from kumihimo.problems import PlatformError


def platform_file(given: Path) -> Path:
    """Return the platform file that a user means: the file itself, else the platform of that name.

    A name has neither a folder nor a suffix, so that a misspelt path is never another platform.

    Raises:
        PlatformError: If it is a name, and no platform has it; or no file, but the name of a
            platform with ".toml" behind it.
    """
    if len(given.parts) != 1 or given.exists():
        return given
    names = shipped_names()
    if given.suffix == ".toml" and given.stem in names:
        raise PlatformError(
            f"cannot read the platform file {given}: there is no such file here; the platform that "
            f"comes with Kumihimo is called {given.stem}"
        )
    if given.suffix:
        return given
    if given.name in names:
        return _file_of(given.name)
    alike = difflib.get_close_matches(given.name, names, 1)
    hint = f"did you mean {alike[0]}? " if alike else ""
    raise PlatformError(
        f"cannot read the platform file {given}: there is no such file, and no platform of that "
        f"name comes with Kumihimo; {hint}`kumihimo platform list` lists them"
    )


def shipped_names() -> list[str]:
    """Return the names of all platforms that come with Kumihimo, sorted."""
    return sorted(file.stem for file in shipped_path("platforms").glob("*.toml"))


def shipped_platforms() -> dict[str, str]:
    """Return the description of each platform that comes with Kumihimo, by its name."""
    return {
        name: str(tomllib.loads(_file_of(name).read_text(encoding="utf-8")).get("description", ""))
        for name in shipped_names()
    }


def _file_of(name: str) -> Path:
    return shipped_path("platforms") / f"{name}.toml"
