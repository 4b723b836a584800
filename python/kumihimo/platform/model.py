"""A platform: the description of a machine, resolved from a file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from kumihimo.platform.locate import locate_keys
from kumihimo.platform.problems import PlatformError, Problem, error_from
from kumihimo.platform.reader import Setting, read_settings
from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.values import Value


@dataclass(frozen=True)
class Platform:
    """The machine that a platform file describes, every key with its value.

    Attributes:
        file: The file it was read from, as it was named.
        settings: By path ("link.latency"), in the order of the reference; keys that do not apply to
            the machine are absent.
    """

    file: str
    settings: Mapping[str, Setting]

    @property
    def name(self) -> str:
        """What results call the machine."""
        return str(self["name"]) or Path(self.file).stem

    def __getitem__(self, path: str) -> Value:
        """Return the value of a key in base units (ps, bytes, bit/s, flop/s)."""
        return self.settings[path].value

    def machine_spec(self) -> dict[str, Any]:
        """Return the specification of the network, as `_core.Machine` takes it.

        Keys that do not apply, such as `uplink` in a star, are absent.
        """
        # The core asks for the time at a switch also where there are no switches.
        return {"switch_latency_ps": 0, **self._fed("machine")}

    def config(self) -> dict[str, Any]:
        """Return what a run takes from the platform: such as overheads and node speed."""
        return self._fed("config")

    def canonical(self) -> dict[str, Value]:
        """Return all that can change a result, by path, in a fixed order and in base units.

        Two files have equal canonical forms if they describe the same machine, however their
        values are written and whether defaults are spelt out.
        """
        return {
            path: setting.value
            for path, setting in sorted(self.settings.items())
            if setting.key.feeds is not None
        }

    def _fed(self, target: str) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for setting in self.settings.values():
            feed = setting.key.feeds
            if feed is None or feed.target != target:
                continue
            place = result
            for name in feed.path[:-1]:
                place = place.setdefault(name, {})
            place[feed.path[-1]] = setting.value
        return result


def load_platform(path: str | Path) -> Platform:
    """Read a platform file.

    Raises:
        PlatformError: If the file cannot be read, is no TOML, or anything in it is wrong; the
            message lists every problem with file, line and key.
    """
    return parse_platform(_read_text(Path(path)), str(path))


def parse_platform(text: str, file: str) -> Platform:
    """Return the platform that `text` describes; `file` is its name in messages.

    Raises:
        PlatformError: If the text is no TOML or anything in it is wrong.
    """
    text = text.replace("\r\n", "\n")
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise error_from(file, [_syntax_problem(str(error), text)]) from error
    except RecursionError as error:
        message = "arrays or tables are nested too deeply"
        raise error_from(file, [Problem(1, "", message)]) from error
    reading = read_settings(TABLE, document, locate_keys(text))
    if reading.problems:
        raise error_from(file, reading.problems)
    return Platform(file, MappingProxyType(reading.settings))


def _read_text(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PlatformError(f"cannot read the platform file {path}: {error.strerror}") from error
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = Problem(line, "", "the file is not UTF-8 text, as TOML must be")
        raise error_from(str(path), [problem]) from error


def _syntax_problem(message: str, text: str) -> Problem:
    """Turn the message of tomllib, which ends with the place, into a problem."""
    what, _, place = message.rpartition(" (at ")
    place = place.rstrip(")")
    if place.startswith("line "):
        line, _, column = place.removeprefix("line ").partition(", column ")
        return Problem(int(line), "", f"no valid TOML at column {column}: {what}")
    last_line = text.rstrip("\n").count("\n") + 1
    return Problem(last_line, "", f"no valid TOML at the end of the file: {what or message}")
