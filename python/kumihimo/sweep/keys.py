"""The table of keys of sweep files."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from kumihimo.platform.schema.key import REQUIRED, Key, Rule, Section
from kumihimo.platform.schema.table import Table
from kumihimo.platform.schema.values import (
    Choice,
    Count,
    Measure,
    Several,
    Text,
    Value,
    ValueProblemError,
    describe,
)
from kumihimo.units import DURATION, SPEED

_MOST_VALUES = 10_000


@dataclass(frozen=True)
class Commands:
    """Command lines: one text, or a list of them; as a value they are lines of one text."""

    def read(self, raw: object) -> Value:
        """Return the lines if each can be split into words as a shell does it."""
        if raw == "":
            return ""
        listed: list[str] = []
        for line in raw if isinstance(raw, list) else [raw]:
            if not isinstance(line, str):
                raise ValueProblemError(f"expected {self.expected()}, found {describe(line)}")
            try:
                words = shlex.split(line) if line.isprintable() else []
            except ValueError as error:
                raise ValueProblemError(f'"{line}" is no command line: {error}') from error
            if not words:
                raise ValueProblemError(f"expected {self.expected()}, found {line!r:.60}")
            listed.append(line)
        return "\n".join(listed)

    def format(self, value: Value) -> str:
        """Return the lines."""
        return str(value)

    def expected(self) -> str:
        """Return what to write."""
        return 'a command line such as "./halo 64", or a list of them'

    def limits(self) -> str:
        """Return nothing: what a command may be is its own affair."""
        return ""


@dataclass(frozen=True)
class Policies(Commands):
    """What allows errors in messages: one name, or a list of them."""

    def expected(self) -> str:
        """Return what to write."""
        return '"none", "source" or the name of a file with rules, or a list of them'


@dataclass(frozen=True)
class Expression:
    """A regular expression with one group."""

    def read(self, raw: object) -> Value:
        """Return the text of the expression."""
        if not isinstance(raw, str):
            raise ValueProblemError(f"expected {self.expected()}, found {describe(raw)}")
        try:
            groups = re.compile(raw).groups
        except re.error as error:
            raise ValueProblemError(f'"{raw}" is no regular expression: {error}') from error
        if raw and groups != 1:
            raise ValueProblemError(f"expected {self.expected()}, found {groups} groups")
        return raw

    def format(self, value: Value) -> str:
        """Return the expression."""
        return str(value)

    def expected(self) -> str:
        """Return what to write."""
        return "a regular expression with one group"

    def limits(self) -> str:
        """Return nothing: there are none."""
        return ""


def _something_to_do(*given: Value) -> str | None:
    if any(given):
        return None
    return "expected at least one of programs, patterns and schedules"


SWEEP = Section(
    name="",
    doc="Every combination of all values is a point: parameters, programs or patterns, ranks, "
    "seeds. File names are from the folder of the sweep file; programs run in it.",
    keys=(
        Key("name", Text(), "", None, "What figures call the sweep. Without it, the file's name."),
        Key("platform", Text(), REQUIRED, None, "Platform that parameters vary, by file or name."),
        Key("programs", Commands(), "", None, "Programs with their arguments, for `kumihimo run`."),
        Key(
            "patterns",
            Commands(),
            "",
            None,
            "Patterns of communication with their options, for `kumihimo replay --pattern`: "
            '"alltoall/pairwise --bytes 1KiB".',
        ),
        Key(
            "schedules",
            Commands(),
            "",
            None,
            "Files of schedules, for `kumihimo replay`. They say their ranks by themselves.",
        ),
        Key(
            "ranks",
            Several(Count(1, 1 << 21), _MOST_VALUES, or_one=True),
            1,
            None,
            "Numbers of ranks of programs and patterns.",
        ),
        Key(
            "seeds",
            Several(Count(0, 2**63 - 1), _MOST_VALUES, or_one=True),
            0,
            None,
            "Seeds of all random streams.",
        ),
        Key(
            "approx",
            Policies(),
            "",
            None,
            "What `--approx` of `kumihimo run` names: errors in messages of programs.",
        ),
    ),
    rules=(Rule(("programs", "patterns", "schedules"), _something_to_do, ""),),
)

PARAMETERS = Section(
    name="parameters",
    doc="Any key of platform files, with its section, and a list of values: "
    '`link.latency = ["100 ns", "1 us"]`. Each value replaces what the platform file says.',
    keys=(),
)

RUN = Section(
    name="run",
    doc="How programs are run, as by the options of `kumihimo run`; `record` and "
    "`max_virtual_time` are for all.",
    keys=(
        Key(
            "run.compute",
            Choice({"measured": "As measured.", "counted": "As counted.", "none": "Nothing."}),
            "none",
            None,
            "Time between MPI calls. Counted: of programs that `kumihimo cc` built. Measured times "
            "are less exact while other points run.",
        ),
        Key(
            "run.mpi",
            Choice({"found": "As linked.", "mpich": "MPICH.", "openmpi": "Open MPI."}),
            "found",
            None,
            'The programs\' MPI library; "found": the one that each is linked with.',
        ),
        Key(
            "run.folder",
            Text(),
            ".",
            None,
            "Where programs run, from the folder of the sweep file. Names of programs, schedules "
            "and `approx` are from there.",
        ),
        Key(
            "run.predict",
            Choice({"off": "As they are.", "on": "With --predict."}),
            "off",
            None,
            "Whether ranks of programs wake links ahead of what they are going to send, where the "
            "policy of links is prewake.",
        ),
        Key(
            "run.traffic",
            Text(),
            "",
            None,
            "What `--traffic` names, from `run.folder`: a result folder, for programs at points "
            'whose service is "oracle".',
        ),
        Key(
            "run.error",
            Expression(),
            "",
            None,
            "What finds the program's own error in its output: the number in the group of the last "
            "match becomes `program_error`.",
        ),
        Key(
            "run.max_virtual_time",
            Measure(DURATION, smallest="1 ps", largest="9000000 s", words={"none": 0}),
            "none",
            None,
            "Virtual time at which a point is ended.",
        ),
        Key(
            "run.stall_timeout",
            Measure(
                DURATION, smallest="1 s", largest="1000000 s", words={"never": 0, "default": -1}
            ),
            "default",
            None,
            "Real time without progress after which a point is ended, also one that computes; "
            '"default": after 300 s in which no rank computes.',
        ),
        Key(
            "run.host_speed",
            Measure(SPEED, smallest="1 kflop/s", largest="1000 Pflop/s", words={"calibrated": 0}),
            "calibrated",
            None,
            "Speed of the computers that simulate, for measured times.",
        ),
        Key(
            "run.detail",
            Choice({"none": "", "summary": "", "tables": "", "full": ""}),
            "none",
            None,
            'Whether the result folder of each point is kept, with totals ("summary"), '
            'with tables ("tables") or with everything ("full").',
        ),
    ),
)

TABLE = Table((SWEEP, PARAMETERS, RUN))
