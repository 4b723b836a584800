"""What the user should know of a run that went well all the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kumihimo.results.link_power import waits_in_vain
from kumihimo.results.matching import assertion_remarks
from kumihimo.results.service import wrong_nesting
from kumihimo.run.options import RunOptions

if TYPE_CHECKING:
    from kumihimo.results.summary import Summary
    from kumihimo.run.error_policy import ErrorPolicy
    from kumihimo.run.hint_file import HintFile


@dataclass(frozen=True)
class Outcome:
    """A run that has ended.

    Attributes:
        options: What the user asked for.
        errors: The policy that allowed errors.
        hints: Hints at calls.
        clock_cost_ps: Virtual time of one reading of the clock.
        is_complete: Whether the program came to its end.
        summary: What came out.
    """

    options: RunOptions
    errors: ErrorPolicy | None
    hints: HintFile | None
    clock_cost_ps: int
    is_complete: bool
    summary: Summary


def remarks_on(outcome: Outcome) -> tuple[str, ...]:
    """Return them, one text each."""
    remarks = [
        f"{name} is not supported in a simulated run: the program got an error"
        for name in outcome.summary.get("refused_calls", ())
    ]
    if outcome.is_complete and _computed_nothing(outcome):
        remarks.append(
            "--compute none: computing took no time, so rates that the program prints for it mean "
            "nothing"
        )
    remarks += [
        f'HINT("{key}", ...): there is no such key'
        for key in sorted(outcome.summary.get("unknown_hints", ()))
    ]
    remarks += assertion_remarks(outcome.summary.get("assertions", ()))
    if outcome.is_complete and "service" in outcome.summary:
        remarks += [
            f'HINT("{wrong["key"]}", ...): a region had {wrong["problem"]} in {wrong["ranks"]} of '
            f"{outcome.options.ranks} ranks"
            for wrong in wrong_nesting(outcome.summary["service"])
        ]
    if outcome.hints is not None:
        remarks += [
            f"{outcome.hints.file}:{missed['line']}: {missed['key']}: {missed['ranks']} of "
            f"{outcome.options.ranks} ranks did not reach call {missed['call']}: there were "
            f"{missed['most_calls']} at most"
            for missed in outcome.summary.get("missed_hints", ())
        ]
    clocks = outcome.summary.get("real_clocks", ())
    if clocks:
        remarks.append(
            f"real time could be seen by the program: {', '.join(clocks)}; if it goes by that, "
            "runs differ"
        )
    if outcome.is_complete and waits_in_vain(outcome.summary):
        remark = "no rank sent wake frames: links kept the threshold"
        if not outcome.options.predict:
            remark += "; --predict or kumihimo cc --prewake send them"
        remarks.append(remark)
    if outcome.is_complete and outcome.errors is not None:
        found = outcome.summary["approximate"]
        by_source = found["by_source"]
        if not outcome.errors.rules and by_source is not None and by_source["messages"] == 0:
            remarks.append(
                "no message is of a datatype in which the program allows errors "
                "(kumihimo/approx.h): all were exact"
            )
        tallies = found["rules"]
        remarks += [
            f"{outcome.errors.file}:{rule.line}: no message fits this rule"
            for rule, tally in zip(outcome.errors.rules, tallies, strict=True)
            if tally["messages"] == 0
        ]
    return tuple(remarks)


def _computed_nothing(outcome: Outcome) -> bool:
    """Return whether no rank said of any time that it computes."""
    if outcome.options.compute != "none":
        return False
    summary = outcome.summary
    spent_ps = sum(rank["compute_ps"] for rank in summary["ranks"])
    # Readings of the clock are all that ranks do by themselves outside of MPI calls.
    return spent_ps <= summary.get("clock_readings", 0) * outcome.clock_cost_ps
