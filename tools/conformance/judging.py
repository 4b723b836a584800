"""What a run's output and exit status say, by the rules of MPICH's own script."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from dataclasses import dataclass

_NO_ERRORS = re.compile(r"\s*No [Ee]rrors\s*")
_SKIPPED = re.compile(r"\s*Test Skipped\s*")
_WARNING = re.compile(r"MPICH: |WARNING: |(Abort.*)?application called MPI_Abort")


class Verdict(enum.StrEnum):
    """How an entry ended."""

    PASSED = "passed"
    SKIPPED = "skipped"
    FAILED = "failed"
    NOT_BUILT = "not built"


@dataclass(frozen=True)
class Judgement:
    """A verdict, and the reason of one that is not `PASSED`."""

    verdict: Verdict
    reason: str = ""


@dataclass(frozen=True)
class _Output:
    """What kinds of lines an output has."""

    no_errors: bool
    skipped: bool
    warnings: int
    stray: str


def _sorted_out(text: str) -> _Output:
    no_errors = skipped = False
    warnings = 0
    stray = ""
    for line in text.splitlines():
        if _NO_ERRORS.fullmatch(line) and not no_errors:
            no_errors = True
        elif _SKIPPED.fullmatch(line):
            skipped = True
        elif _WARNING.match(line):
            warnings += 1
        else:
            stray = stray or line.strip() or "an empty line"
    return _Output(no_errors, skipped, warnings, stray)


def _usual(output: _Output, status: int, *, warnings_allowed: bool = False) -> str:
    if output.stray:
        return f"prints {output.stray!r}"
    if output.warnings and not warnings_allowed:
        return "prints a warning"
    if not output.no_errors and not output.skipped:
        return f"ends with status {status} without 'No Errors'"
    return f"ends with status {status}" if status else ""


def _allow_warnings(output: _Output, status: int) -> str:
    return _usual(output, status, warnings_allowed=True)


def _fails(_: _Output, status: int) -> str:
    return "" if status else "ends with status 0, and should not"


def _fails_without_errors(output: _Output, status: int) -> str:
    if not output.no_errors:
        return f"ends with status {status} without 'No Errors'"
    if output.stray:
        return f"prints {output.stray!r}"
    return _fails(output, status)


def _succeeds(_: _Output, status: int) -> str:
    return f"ends with status {status}" if status else ""


_RULES: dict[str, Callable[[_Output, int], str]] = {
    "": _usual,
    "TestAllowWarnings": _allow_warnings,
    "TestStatus": _fails,
    "TestErrFatal": _fails,
    "TestStatusNoErrors": _fails_without_errors,
    "TestBench": _succeeds,
}


def judge(result_test: str, output: str, status: int) -> Judgement:
    """Judge a run that ended by itself.

    Args:
        result_test: The entry's rule.
        output: What its ranks printed, on standard output and standard error.
        status: Its exit status; negative if it was killed by a signal.
    """
    rule = _RULES.get(result_test)
    if rule is None:
        return Judgement(Verdict.FAILED, f"resultTest={result_test} is not known")
    kinds = _sorted_out(output)
    reason = rule(kinds, status)
    if reason:
        return Judgement(Verdict.FAILED, reason)
    return Judgement(Verdict.SKIPPED if kinds.skipped else Verdict.PASSED)
