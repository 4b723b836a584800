"""A platform, resolved from a file."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from kumihimo.platform.attachment import Attachment, AttachmentError, NetworkAttachment
from kumihimo.platform.locate import locate_keys
from kumihimo.platform.noise import noise_beyond_protection
from kumihimo.platform.reader import read_settings
from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.channel import noise_of
from kumihimo.platform.schema.collectives import BY_LIBRARY, MODE_PATH
from kumihimo.platform.schema.link_power import POLICY_PATH, PRESET_PATH
from kumihimo.platform.schema.link_power_rules import keys_without_effect
from kumihimo.platform.schema.matching import MODEL_PATH
from kumihimo.platform.schema.network import HOST_LINKS
from kumihimo.platform.schema.service import KIND_PATH, NO_SERVICE
from kumihimo.platform.schema.setting import Setting
from kumihimo.platform.schema.values import Measure, Several, Value
from kumihimo.platform.toml import TomlError, parse_toml
from kumihimo.problems import PlatformError, Problem, error_from

if TYPE_CHECKING:
    from kumihimo.simgrid.routes import Routes

_NO_POWER = (
    f"its links have no power model, so that no policy can be set; expected {PRESET_PATH} in it"
)

_LINK_CLASSES = (HOST_LINKS, "switch_link", "local", "global")


@dataclass(frozen=True)
class Platform:
    """What a platform file describes: every key with its value.

    Attributes:
        file: The file it was read from, as it was named.
        settings: By path ("link.latency"), in the order of the reference; keys that do not apply to
            the network are absent.
        attached: What was read from files that the platform file names, by the path of the key.
        warnings: What in a file of SimGrid has no counterpart, keys of a platform file without an
            effect, and noise that protected bits do not withstand, with file and line.
    """

    file: str
    settings: Mapping[str, Setting]
    attached: Mapping[str, Attachment] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What results call the platform."""
        return str(self["name"]) or Path(self.file).stem

    @property
    def host_link(self) -> str:
        """The section that describes the links at hosts: [link] if there are no others."""
        return self._section_of(HOST_LINKS)

    @property
    def link_policy(self) -> str | None:
        """When links go to sleep; None if they have no power model."""
        return str(self[POLICY_PATH]) if POLICY_PATH in self.settings else None

    def __getitem__(self, path: str) -> int | str:
        """Return the value of a key in base units (ps, bytes, bit/s, flop/s)."""
        value = self.settings[path].value
        assert not isinstance(value, tuple), f"{path} is a list"
        return value

    def numbers(self, path: str) -> tuple[int, ...]:
        """Return the values of a key that may be a list, in base units."""
        value = self.settings[path].value
        assert not isinstance(value, str), f"{path} is text"
        return value if isinstance(value, tuple) else (value,)

    def require(self, path: str, why: str) -> None:
        """Check that a key is there whose default says nothing.

        Args:
            path: The key.
            why: What needs it, such as "--compute measured".

        Raises:
            PlatformError: If it is not.
        """
        setting = self.settings[path]
        if setting.value != 0:
            return
        assert isinstance(setting.key.type, Measure), "nothing else has a word for nothing"
        expected = setting.key.type.quantity.expected()
        section = f"[{setting.key.section}]"
        raise PlatformError(
            f"{self.file}: {path}: missing in {section}, and {why} needs it; expected {expected}"
        )

    def network_spec(self) -> dict[str, Any]:
        """Return the specification of the network, as `_core.Network` takes it.

        Keys that do not apply, such as `switch_link` in a star, are absent.
        """
        # The core asks for the time at a switch also where there are no switches, and for links at
        # hosts also where each link is described by itself.
        link = {"bandwidth_bps": 1, "latency_ps": 0}
        spec = {"switch_latency_ps": 0, HOST_LINKS: link, **self._fed("network")}
        noises = self.noises()
        for name in _LINK_CLASSES:
            _add_fec(spec.get(name, {}))
            if self._section_of(name) in noises and name in spec:
                spec[name]["noise"] = noises[self._section_of(name)]
        graph = _graph_of(self.attached)
        if graph is not None:
            spec["parameters"] = graph.parameters(spec[HOST_LINKS])
        return spec

    def unconnected_pairs(self) -> int:
        """Return how many pairs of different hosts have no path from the one to the other."""
        routes = self._routes()
        return 0 if routes is None else routes.unconnected_pairs()

    def gap_text(self, source: int, target: int) -> str:
        """Return in words that there is no path from one host, by its number, to another."""
        routes = self._routes()
        assert routes is not None, "every other kind of topology connects all hosts"
        return routes.gap_text(source, target)

    def noises(self) -> dict[str, dict[str, Value]]:
        """Return what corrupts bits on each class of links that has noise, by its section."""
        values = {path: setting.value for path, setting in self.settings.items()}
        sections = [self._section_of(name) for name in _LINK_CLASSES]
        found = {name: noise_of(name, values) for name in sections}
        return {name: noise for name, noise in found.items() if noise is not None}

    def _routes(self) -> Routes | None:
        is_routes = self["topology.kind"] == "routes"
        return cast("Routes", self.attached["topology.file"]) if is_routes else None

    def config(self) -> dict[str, Any]:
        """Return what a run takes from the platform: such as overheads and node speed."""
        return self._fed("config")

    def canonical(self) -> dict[str, Any]:
        """Return all that can change a result, by path, in a fixed order and in base units.

        Two files have equal canonical forms if they describe the same network, however their
        values are written and whether defaults are spelt out.
        """
        values = {
            path: _plainest(setting)
            for path, setting in self.settings.items()
            if self._goes_somewhere(setting)
        }
        for name, noise in self.noises().items():
            values.update({f"{name}.channel.{key}": value for key, value in noise.items()})
        contents = {path: attached.canonical() for path, attached in self.attached.items()}
        return dict(sorted({**values, **contents}.items()))

    def _fed(self, target: str) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for setting in self.settings.values():
            feed = setting.key.feeds
            if feed is None or feed.target != target or not self._goes_somewhere(setting):
                continue
            place = result
            for name in feed.path[:-1]:
                place = place.setdefault(name, {})
            place[feed.path[-1]] = setting.value
        return result

    def _goes_somewhere(self, setting: Setting) -> bool:
        """Return whether the value can change a result."""
        key = setting.key
        if key.feeds is None or (key.neutral is not None and setting.value == key.neutral):
            return False
        # What it is the default of goes where this would.
        where = key.default_only
        return where is None or self.settings[where.path].value not in where.values

    def _section_of(self, links: str) -> str:
        """Return the section that describes a class of links."""
        alone = links == HOST_LINKS and f"{links}.latency" not in self.settings
        return "link" if alone else links


def _add_fec(link: dict[str, Any]) -> None:
    """Add the latency of error correction to those of a class of links."""
    more = link.pop("fec_latency_ps", 0)
    latency = link.get("latency_ps")
    if isinstance(latency, tuple):
        link["latency_ps"] = tuple(single + more for single in latency)
    elif latency is not None:
        link["latency_ps"] = latency + more


def _plainest(setting: Setting) -> Value:
    """Return a value such that a list of equal values equals the one that may stand for it."""
    value, type_ = setting.value, setting.key.type
    if isinstance(value, tuple) and isinstance(type_, Several) and type_.or_one:
        return value[0] if len(set(value)) == 1 else value
    return value


@dataclass(frozen=True)
class Chosen:
    """What a user has chosen in place of what a platform file says; None where nothing was.

    Attributes:
        matching: The model of matching.
        service: By what ranks send to each other.
        collectives: What carries out collective calls.
    """

    matching: str | None = None
    service: str | None = None
    collectives: str | None = None


NOTHING_CHOSEN = Chosen()


def load_platform(
    path: str | Path,
    link_power: str | None = None,
    *,
    matching: str | None = None,
    service: str | None = None,
    collectives: str | None = None,
    tell: bool = True,
) -> Platform:
    """Read a platform file: TOML, or XML of SimGrid if its name ends with .xml.

    Args:
        path: The file.
        link_power: The policy of its links in place of what the file says; None for that.
        matching: The model of matching, likewise.
        service: By what its ranks send, in the same way.
        collectives: What carries out collective calls, in the same way.
        tell: Whether `Platform.warnings` go to standard error.

    Raises:
        PlatformError: If the file cannot be read, is no TOML or XML, or anything in it is wrong;
            the message lists every problem with file, line and key.
    """
    is_xml = Path(path).suffix.lower() == ".xml"
    if is_xml and link_power is not None:
        raise PlatformError(f"{path}: {_NO_POWER}")
    chosen = Chosen(matching, service, collectives)
    platform = (
        _load_simgrid(path, chosen)
        if is_xml
        else parse_platform(_read_text(Path(path)), str(path), link_power, chosen)
    )
    for warning in platform.warnings if tell else ():
        print(f"kumihimo: warning: {warning}", file=sys.stderr)
    return platform


def _load_simgrid(path: str | Path, chosen: Chosen) -> Platform:
    # Here, because few runs need it.
    from kumihimo.simgrid.document import read_simgrid

    found = read_simgrid(path)
    document = dict(found.document)
    _set_choices(document, chosen)
    reading = read_settings(TABLE, document, {})
    if reading.problems:
        raise error_from(str(path), reading.problems)
    attached: dict[str, Attachment] = {}
    if found.routes is not None:
        attached["topology.file"] = found.routes
    settings, files = MappingProxyType(reading.settings), MappingProxyType(attached)
    return Platform(str(path), settings, files, found.warnings)


def parse_platform(
    text: str,
    file: str,
    link_power: str | None = None,
    chosen: Chosen = NOTHING_CHOSEN,
) -> Platform:
    """Return the platform that `text` describes; `file` is its name in messages.

    `link_power` and what is chosen are as in `load_platform`.

    Raises:
        PlatformError: If the text is no TOML or anything in it is wrong.
    """
    text = text.replace("\r\n", "\n")
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise error_from(file, [error.problem]) from error
    if link_power is not None:
        _set_policy(document, file, link_power)
    _set_choices(document, chosen)
    lines = locate_keys(text)
    reading = read_settings(TABLE, document, lines)
    attached: dict[str, Attachment] = {}
    for path, setting in reading.settings.items():
        if setting.key.attach is None:
            continue
        try:
            attached[path] = setting.key.attach(Path(file).parent / str(setting.value))
        except AttachmentError as error:
            line = lines.get(tuple(path.split(".")), 1)
            reading.problems.append(Problem(line, path, str(error)))
    if reading.problems:
        raise error_from(file, reading.problems)
    graph = _graph_of(attached)
    doubtful = (
        *keys_without_effect(reading.settings),
        *noise_beyond_protection(reading.settings),
    )
    told = (
        f"{file}:{lines[tuple(path.split('.'))]}: {path}: {reason}" for path, reason in doubtful
    )
    warnings = (*told, *(() if graph is None else graph.warnings))
    settings, files = MappingProxyType(reading.settings), MappingProxyType(attached)
    return Platform(file, settings, files, warnings)


def _graph_of(attached: Mapping[str, Attachment]) -> NetworkAttachment | None:
    return cast("NetworkAttachment | None", attached.get("topology.file"))


def _set_policy(document: dict[str, Any], file: str, policy: str) -> None:
    section, _, name = POLICY_PATH.partition(".")
    given = document.get(section)
    preset = PRESET_PATH.rpartition(".")[2]
    if not isinstance(given, dict) or given.get(preset, "none") == "none":
        raise PlatformError(f"{file}: {_NO_POWER}")
    given[name] = policy


def _set_choices(document: dict[str, Any], chosen: Chosen) -> None:
    """Set what was chosen in place of what the file says."""
    if chosen.matching is not None:
        _set_key(document, MODEL_PATH, chosen.matching)
    if chosen.service is not None:
        _set_key(document, KIND_PATH, chosen.service, alone=chosen.service == NO_SERVICE)
    if chosen.collectives is not None:
        alone = chosen.collectives == BY_LIBRARY
        _set_key(document, MODE_PATH, chosen.collectives, alone=alone)


def _set_key(document: dict[str, Any], path: str, value: str, *, alone: bool = False) -> None:
    """Set a key, `alone` in its section, if the sections are tables; else the reader complains."""
    place: Any = document
    *sections, name = path.split(".")
    for section in sections:
        place = place.setdefault(section, {})
        if not isinstance(place, dict):
            return
    if alone:
        place.clear()
    place[name] = value


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
