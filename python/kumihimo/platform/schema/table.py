"""The table of all keys as one object, with the questions that are asked of it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass

from kumihimo.platform.schema.key import Key, Section


@dataclass(frozen=True)
class Table:
    """Sections in the order of the reference; conditions and defaults look backwards only."""

    sections: tuple[Section, ...]

    def section(self, name: str) -> Section | None:
        """Return the section of that name, or None."""
        return next((section for section in self.sections if section.name == name), None)

    def entries(self) -> Iterator[tuple[Section, Key]]:
        """Yield every key with its section, in order."""
        for section in self.sections:
            for key in section.keys:
                yield section, key

    def variants(self, path: str) -> list[Key]:
        """Return all keys of that path; they differ in their conditions."""
        return [key for _, key in self.entries() if key.path == path]

    def paths(self) -> list[str]:
        """Return every path once, in order."""
        return list(dict.fromkeys(key.path for _, key in self.entries()))

    def is_table(self, path: str) -> bool:
        """Return whether `path` is a section, or holds one."""
        return any(
            section.name == path or section.name.startswith(f"{path}.")
            for section in self.sections
            if section.name
        )

    def names_in(self, section: str) -> list[str]:
        """Return what may stand directly in a section: its keys and the sections inside it."""
        prefix = f"{section}." if section else ""
        inside = [path for path in self.paths() if path.startswith(prefix)]
        return list(dict.fromkeys(path.removeprefix(prefix).partition(".")[0] for path in inside))

    def alike(self, section: str, name: str) -> str | None:
        """Return the path in `section` that an unknown `name` most resembles, or None."""
        matches = difflib.get_close_matches(name, self.names_in(section), n=1, cutoff=0.6)
        if not matches:
            return None
        return f"{section}.{matches[0]}" if section else matches[0]

    def named(self, name: str) -> list[str]:
        """Return the paths of keys in any section that have just this name."""
        return [path for path in self.paths() if path.rpartition(".")[2] == name]

    def written(self, path: str) -> str:
        """Return a path as it is written in a file: [section], or a key with its section."""
        return f"[{path}]" if self.is_table(path) else path
