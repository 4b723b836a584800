"""The table of commands. A new command is one module and one entry here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import typer
    from typer.core import TyperCommand, TyperGroup


@dataclass(frozen=True)
class CommandEntry:
    """Where a command is found, and what the overview says about it.

    Attributes:
        module: Imported only when the command is called, so that it may import what it likes.
        attribute: In the module, either a function with typer annotations or a `typer.Typer` whose
            own commands become sub-commands.
        summary: One line for `kumihimo --help`, which imports no command.
        context_settings: Given to the parser of a function's command.
    """

    module: str
    attribute: str
    summary: str
    context_settings: Mapping[str, Any] = field(default_factory=dict)

    def target(self) -> Callable[..., None] | typer.Typer:
        """Import the module and return the command's function, or the group of its sub-commands."""
        found = getattr(importlib.import_module(self.module), self.attribute)
        return cast("Callable[..., None] | typer.Typer", found)

    def load(self, name: str) -> TyperCommand | TyperGroup:
        """Import the module and return the parser's command object for `name`."""
        import typer
        from typer.main import get_command, get_group

        target = self.target()
        if isinstance(target, typer.Typer):
            target.rich_markup_mode = "markdown"
            group = get_group(target)
            group.name = name
            for command in group.commands.values():
                _say_values(command)
            return group
        single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
        single.command(name, context_settings=dict(self.context_settings))(target)
        command = cast("TyperCommand", get_command(single))
        _say_values(command)
        return command


def _say_values(command: Any) -> None:  # noqa: ANN401
    """Put the values of options with a choice into their help, where these are named otherwise.

    A long list of values would be broken in the middle of a word, or leave the help no room.
    """
    for parameter in command.params:
        choices = getattr(parameter.type, "choices", None)
        if choices is None or parameter.metavar is None:
            continue
        values = ", ".join(str(getattr(choice, "value", choice)) for choice in choices)
        text, bracket, default = parameter.help.partition(" [default: ")
        parameter.help = f"{text} {parameter.metavar}: {values}.{bracket}{default}"


# What the parser does not know is the compiler's; -h is no request for help.
_COMPILER_SETTINGS = {"ignore_unknown_options": True, "help_option_names": ["--help"]}

# In the order of the overview: the main job first.
COMMANDS: dict[str, CommandEntry] = {
    "run": CommandEntry(
        "kumihimo.cli.run",
        "run_command",
        "Run an MPI program over a described network in virtual time.",
        # Everything from the program's name on belongs to the program, also without "--".
        {"allow_interspersed_args": False},
    ),
    "replay": CommandEntry(
        "kumihimo.cli.replay",
        "replay_command",
        "Replay a schedule over a described network, without processes.",
    ),
    "record": CommandEntry(
        "kumihimo.cli.record",
        "record_command",
        "Run an MPI program and write its schedule.",
        {"allow_interspersed_args": False},
    ),
    "schedule": CommandEntry("kumihimo.cli.schedule", "app", "Make, convert or show a schedule."),
    "sweep": CommandEntry(
        "kumihimo.cli.sweep", "sweep_command", "Run a study: parameters, programs, ranks and seeds."
    ),
    "study": CommandEntry(
        "kumihimo.cli.study", "app", "Run a study that comes with Kumihimo, and write its page."
    ),
    "variants": CommandEntry(
        "kumihimo.cli.variants",
        "variants_command",
        "Run a program under every combination of techniques.",
        {"allow_interspersed_args": False},
    ),
    "compare": CommandEntry(
        "kumihimo.cli.compare", "compare_command", "Compare two or more results."
    ),
    "report": CommandEntry(
        "kumihimo.cli.report", "report_command", "Write the report of a result again."
    ),
    "hints": CommandEntry(
        "kumihimo.cli.hints",
        "hints_command",
        "Propose hints for a program from the profile of its calls.",
    ),
    "platform": CommandEntry(
        "kumihimo.cli.platform",
        "app",
        "Show or list platforms, or print their keys.",
    ),
    "examples": CommandEntry(
        "kumihimo.cli.examples", "examples_command", "List or copy the example programs."
    ),
    "cc": CommandEntry(
        "kumihimo.cli.compilers",
        "cc_command",
        "Compile C for MPI so that the program counts its work.",
        _COMPILER_SETTINGS,
    ),
    "c++": CommandEntry(
        "kumihimo.cli.compilers",
        "cxx_command",
        "Compile C++ for MPI so that the program counts its work.",
        _COMPILER_SETTINGS,
    ),
    "fc": CommandEntry(
        "kumihimo.cli.compilers",
        "fc_command",
        "Compile Fortran for MPI so that the program counts its work.",
        _COMPILER_SETTINGS,
    ),
    "calibrate": CommandEntry(
        "kumihimo.cli.calibrate", "calibrate_command", "Measure the speed of this computer."
    ),
}
