"""What the study runs: the keys of its parameter file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform.locate import locate_keys
from kumihimo.platform.reader import read_settings
from kumihimo.platform.schema.key import REQUIRED, Key, Section
from kumihimo.platform.schema.setting import Setting
from kumihimo.platform.schema.table import Table
from kumihimo.platform.schema.values import Count, Several, Text, ValueType
from kumihimo.platform.toml import TomlError, parse_toml
from kumihimo.sweep.keys import Commands
from kumihimo.sweep.sweep import SweepError

_STEPS = Count(1, 10**9)
_RANKS = Several(Count(1, 4096), 20, or_one=True)


def _key(path: str, kind: ValueType, doc: str) -> Key:
    return Key(path, kind, REQUIRED, None, doc)


_BENCHMARK = Section(
    name="benchmark",
    doc="The program that alternates computing and broadcasts, and what is varied of it.",
    keys=(
        _key("benchmark.source", Text(), "Its file, from the folder of this one."),
        _key("benchmark.platform", Text(), "The platform file, from the folder of this one."),
        _key("benchmark.environment", Text(), "Variables for the MPI library, as for `env`."),
        _key("benchmark.ranks", Count(3, 4096), "How many ranks."),
        _key("benchmark.outer", _STEPS, "Broadcasts in a run."),
        _key("benchmark.inner", _STEPS, "Steps of the recurrence before each (N)."),
        _key("benchmark.step", _STEPS, "Number of steps between the places P that are tried."),
        _key("benchmark.edge_step", _STEPS, "The same around the edges of the window."),
        _key("benchmark.edge_width", _STEPS, "How far around them, in steps."),
        _key(
            "benchmark.tree_places",
            Several(_STEPS, 100, or_one=True),
            "Places P at which wake frames go along the edges of MPICH's own broadcast, a tree.",
        ),
        _key("benchmark.tree_delay", _STEPS, "By how much they are later in each of its rounds."),
    ),
)
_APPLICATIONS = Section(
    name="applications",
    doc="Programs that communicate as applications do.",
    keys=(
        _key("applications.folder", Text(), "Where their files are, from the folder of this one."),
        _key("applications.programs", Commands(), "Their names with arguments."),
        _key("applications.ranks", _RANKS, "Numbers of ranks."),
        _key("applications.many_programs", Commands(), "Those that also run on many ranks."),
        _key("applications.many_ranks", _RANKS, "How many."),
        _key("applications.platforms", Commands(), "Platform files, from the folder of this one."),
        _key(
            "applications.policies",
            Commands(),
            "Policies of links, besides always_on and prewake, which are always tried.",
        ),
    ),
)
_NETWORKS = Section(
    name="networks",
    doc="The same programs on networks of several switches.",
    keys=(
        _key("networks.programs", Commands(), "Their names with arguments."),
        _key(
            "networks.platforms",
            Commands(),
            "Platform files, from the folder of this one; a rank runs on each host.",
        ),
        _key(
            "networks.policies",
            Commands(),
            "Policies of links, besides always_on and prewake, which are always tried.",
        ),
    ),
)
_KIND = "the parameters of the study"
_TABLE = Table((_BENCHMARK, _APPLICATIONS, _NETWORKS))


@dataclass(frozen=True)
class Parameters:
    """The parameters of the study.

    Attributes:
        folder: Where the parameter file lies.
        settings: By path.
    """

    folder: Path
    settings: dict[str, Setting]

    def number(self, path: str) -> int:
        """Return a number."""
        value = self.settings[path].value
        assert isinstance(value, int), path
        return value

    def text(self, path: str) -> str:
        """Return a text."""
        return str(self.settings[path].value)

    def file(self, path: str) -> Path:
        """Return the file that a key names."""
        return (self.folder / self.text(path)).resolve()

    def texts(self, path: str) -> list[str]:
        """Return the texts of a list."""
        return self.text(path).split("\n")

    def numbers(self, path: str) -> list[int]:
        """Return the numbers of a list."""
        value = self.settings[path].value
        return [int(each) for each in value] if isinstance(value, tuple) else [self.number(path)]


def load_parameters(file: Path) -> Parameters:
    """Read a parameter file.

    Raises:
        UserError: If it cannot be read, or anything in it is wrong.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"cannot read the study's parameters {file}: {error.strerror}; expected a folder as "
            "studies/prewake of the source tree, or no --files for the parameters of the package"
        ) from error
    try:
        document = parse_toml(text)
    except TomlError as error:
        raise SweepError(file, [error.problem], _KIND) from error
    reading = read_settings(_TABLE, document, locate_keys(text))
    if reading.problems:
        raise SweepError(file, reading.problems, _KIND)
    return Parameters(file.parent.resolve(), reading.settings)
