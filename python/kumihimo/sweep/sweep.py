"""What a sweep file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform import Platform
from kumihimo.platform.schema.setting import Setting
from kumihimo.problems import Problem, problems_text
from kumihimo.sweep.parameters import Parameter

# Of the key `approx`, what is no name of a file: no errors, and what programs themselves allow.
NO_ERRORS, BY_SOURCE = "none", "source"


class SweepError(UserError):
    """A file cannot be used; the message lists every problem with file, line and key."""

    def __init__(self, file: Path, problems: list[Problem], kind: str = "the sweep file") -> None:
        """Make the message, for a file of this kind."""
        self.problems = tuple(sorted(problems))
        super().__init__(problems_text(str(file), self.problems, kind))


@dataclass(frozen=True)
class PlatformChoice:
    """One of the platforms of a sweep.

    Attributes:
        choice: Which value of each parameter it has.
        text: As a platform file.
        platform: What that says.
    """

    choice: tuple[int, ...]
    text: str
    platform: Platform


@dataclass(frozen=True)
class Sweep:
    """What a sweep file says.

    Attributes:
        file: Its name.
        settings: By path, as in the table of keys.
        parameters: What is varied of the platform, in the order of the file.
        platforms: One for each combination of values of the parameters.
    """

    file: Path
    settings: Mapping[str, Setting]
    parameters: tuple[Parameter, ...]
    platforms: tuple[PlatformChoice, ...]

    @property
    def name(self) -> str:
        """What figures call the sweep."""
        return str(self.settings["name"].value) or self.file.stem

    @property
    def folder(self) -> Path:
        """Where the file lies; the platform's name is from here."""
        return self.file.parent.resolve()

    @property
    def work_folder(self) -> Path:
        """Where programs run; names of programs, schedules and policies are from here."""
        return (self.folder / str(self.settings["run.folder"].value)).resolve()

    def lines(self, key: str) -> list[str]:
        """Return the command lines of a key."""
        return str(self.settings[key].value).split("\n") if self.settings[key].value else []

    def numbers(self, key: str) -> tuple[int, ...]:
        """Return the numbers of a key, each once."""
        value = self.settings[key].value
        assert not isinstance(value, str), f"{key} is text"
        return tuple(dict.fromkeys(value)) if isinstance(value, tuple) else (value,)


def choice_text(parameters: tuple[Parameter, ...], choice: tuple[int, ...]) -> str:
    """Return the values that a platform has of the parameters, for messages."""
    return ", ".join(
        f"{parameter.path} = {parameter.text(index)}"
        for parameter, index in zip(parameters, choice, strict=True)
    )
