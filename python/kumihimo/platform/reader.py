"""Reads the contents of a platform file by the table of keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kumihimo.platform.locate import Path
from kumihimo.platform.schema import Table
from kumihimo.platform.schema.key import (
    ByChoice,
    Follows,
    Key,
    Required,
    Rule,
    SameAs,
    Section,
    When,
)
from kumihimo.platform.schema.setting import Setting
from kumihimo.platform.schema.values import ValueProblemError, describe
from kumihimo.problems import Problem
from kumihimo.renamed import new_key, value_hint


@dataclass
class Reading:
    """What came out of a file: settings by path, in the table's order, and problems."""

    settings: dict[str, Setting] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_settings(table: Table, document: Mapping[str, Any], lines: Mapping[Path, int]) -> Reading:
    """Return the setting of every key that applies, with everything that is wrong.

    Args:
        table: The keys to read.
        document: The file as `tomllib` gives it.
        lines: The line of each key, as `locate_keys` gives it.
    """
    return _Reader(table, lines).read(document)


class _Reader:
    """Goes through the file for what should not be there, then through the table for values."""

    def __init__(self, table: Table, lines: Mapping[Path, int]) -> None:
        self._table = table
        self._lines = lines
        self._reading = Reading()
        # Values of known keys as they stand in the file.
        self._given: dict[str, object] = {}
        # Sections that stand in the file.
        self._sections: set[str] = set()
        # Paths whose value could not be read, so that what depends on them stays undecided.
        self._failed: set[str] = set()

    def read(self, document: Mapping[str, Any]) -> Reading:
        self._collect("", document)
        for section in self._table.sections:
            self._read_section(section)
        for section in self._table.sections:
            for rule in section.rules:
                self._apply_rule(rule)
        return self._reading

    def _collect(self, section: str, content: Mapping[str, Any]) -> None:
        """Sort what stands in the file into known keys and problems."""
        for name, raw in content.items():
            path = f"{section}.{name}" if section else name
            # A quoted name with a point is one name, not a path.
            known = "." not in name
            if known and self._table.variants(path):
                self._given[path] = raw
            elif known and self._table.is_table(path):
                self._enter_section(path, raw)
            else:
                place = (*section.split("."), name) if section else (name,)
                self._complain(path, self._unknown(section, name, raw), place)

    def _enter_section(self, path: str, raw: object) -> None:
        if isinstance(raw, dict):
            self._sections.add(path)
            self._collect(path, raw)
            return
        is_array = isinstance(raw, list) and raw and all(isinstance(item, dict) for item in raw)
        found = f"[[{path}]]" if is_array else describe(raw)
        self._complain(path, f"expected one section [{path}], found {found}")
        self._fail_below(path)

    def _unknown(self, section: str, name: str, raw: object) -> str:
        what = "unknown section" if isinstance(raw, dict) else "unknown key"
        renamed = new_key(f"{section}.{name}" if section else name)
        if renamed is not None:
            self._fail_below(renamed)
            return f"{what}; it is now {self._table.written(renamed)}"
        neighbour = self._table.alike(section, name)
        if neighbour is not None:
            # Its value may well stand here, so that it is not missing too.
            self._fail_below(neighbour)
            return f"{what}; did you mean {self._table.written(neighbour)}?"
        elsewhere = self._table.named(name)
        if elsewhere:
            return f"{what}; did you mean {' or '.join(elsewhere)}?"
        where = f"[{section}]" if section else "the top of the file"
        return f"{what}; expected in {where}: {', '.join(self._table.names_in(section))}"

    def _fail_below(self, path: str) -> None:
        """Note that the key `path`, or all keys of that section, have no valid value."""
        self._failed.add(path)
        self._failed.update(key for key in self._table.paths() if key.startswith(f"{path}."))

    def _read_section(self, section: Section) -> None:
        applies = self._holds(section.when)
        if applies is False:
            if section.name in self._sections:
                self._complain(section.name, self._not_applicable(section.when))
            return
        for path in dict.fromkeys(key.path for key in section.keys):
            self._read_path(section, path, undecided=applies is None)

    def _read_path(self, section: Section, path: str, *, undecided: bool) -> None:
        variants = [key for key in section.keys if key.path == path]
        states = [self._holds(key.when) for key in variants]
        active = next((key for key, holds in zip(variants, states, strict=True) if holds), None)
        undecided = undecided or (active is None and None in states)
        if path in self._given:
            if active is None and not undecided:
                self._complain(path, self._not_applicable(_any_of(variants)))
                return
            self._read_value(active or variants[0], self._given[path])
        elif active is not None and not undecided and path not in self._failed:
            self._take_default(section, active)

    def _read_value(self, key: Key, raw: object) -> None:
        try:
            value = key.type.read(raw)
        except ValueProblemError as error:
            self._complain(key.path, f"{error}{value_hint(key.path, raw)}")
            self._failed.add(key.path)
            return
        self._reading.settings[key.path] = Setting(key, value, is_default=False)

    def _take_default(self, section: Section, key: Key) -> None:
        default = key.default
        if isinstance(default, ByChoice):
            choice = self._reading.settings.get(default.path)
            if choice is None:
                return
            default = default.at(choice.value)
        if isinstance(default, Follows):
            if not self._failed.isdisjoint(default.paths):
                self._failed.add(key.path)
                return
            computed = self._computed(default)
            if computed is not None:
                self._reading.settings[key.path] = Setting(key, computed, is_default=True)
                return
            default = default.otherwise
        if isinstance(default, SameAs):
            source = self._reading.settings.get(default.path)
            if source is not None:
                self._reading.settings[key.path] = Setting(key, source.value, is_default=True)
                return
            if default.path in self._failed or default.otherwise is None:
                self._failed.add(key.path)
                return
            default = default.otherwise
        if isinstance(default, Required):
            message = f"missing in {section.title}; expected {key.type.expected()}"
            self._complain(key.path, message, tuple(section.name.split(".")))
            self._failed.add(key.path)
        else:
            value = key.type.read(default)
            self._reading.settings[key.path] = Setting(key, value, is_default=True)

    def _computed(self, default: Follows) -> int | None:
        """Return what follows from other keys, None if one does not apply or none is set."""
        settings = [self._reading.settings.get(path) for path in default.paths]
        known = [setting for setting in settings if setting is not None]
        if len(known) < len(settings) or all(setting.is_default for setting in known):
            return None
        return default.value(*(setting.value for setting in known))

    def _apply_rule(self, rule: Rule) -> None:
        settings = [self._reading.settings.get(path) for path in rule.paths]
        known = [setting for setting in settings if setting is not None]
        if len(known) < len(rule.paths):
            return
        message = rule.problem([setting.value for setting in known])
        if message is not None:
            given = [path for path in rule.paths if path in self._given]
            self._complain((given or rule.paths)[-1], message)

    def _holds(self, when: When | None) -> bool | None:
        """Return whether a condition holds, None if the key it looks at has no valid value."""
        if when is None:
            return True
        if when.path in self._failed:
            return None
        setting = self._reading.settings.get(when.path)
        return setting is not None and setting.value in when.values

    def _not_applicable(self, when: When | None) -> str:
        assert when is not None
        found = self._reading.settings.get(when.path)
        actual = f' but it is "{found.text}"' if found else ""
        return f"applies only with {when},{actual}"

    def _complain(self, path: str, message: str, place: Path | None = None) -> None:
        line = self._lines.get(place or tuple(path.split(".")), 1)
        self._reading.problems.append(Problem(line, path, message))


def _any_of(variants: list[Key]) -> When:
    """Return the condition under which at least one of the variants of a path applies."""
    conditions = [key.when for key in variants if key.when is not None]
    values = tuple(value for when in conditions for value in when.values)
    return When(conditions[0].path, values)
