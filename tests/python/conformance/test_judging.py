"""Verdicts, by the rules of MPICH's own script."""

import pytest

from conformance.judging import Verdict, judge


@pytest.mark.parametrize(
    ("rule", "output", "status", "verdict"),
    [
        ("", " No Errors\n", 0, Verdict.PASSED),
        ("", "No errors\n", 0, Verdict.PASSED),
        ("", "Test Skipped\n", 0, Verdict.SKIPPED),
        ("", "Found 3 errors\n", 0, Verdict.FAILED),
        ("", "", 0, Verdict.FAILED),
        ("", " No Errors\n", 1, Verdict.FAILED),
        ("", " No Errors\n", -11, Verdict.FAILED),
        ("", " No Errors\nmore\n", 0, Verdict.FAILED),
        ("", " No Errors\n No Errors\n", 0, Verdict.FAILED),
        ("", " No Errors\nWARNING: left\n", 0, Verdict.FAILED),
        ("TestAllowWarnings", " No Errors\nWARNING: left\n", 0, Verdict.PASSED),
        ("TestAllowWarnings", " No Errors\nmore\n", 0, Verdict.FAILED),
        ("TestStatus", "anything\n", 1, Verdict.PASSED),
        ("TestStatus", " No Errors\n", 0, Verdict.FAILED),
        ("TestErrFatal", "Fatal error\n", 9, Verdict.PASSED),
        ("TestErrFatal", "", 0, Verdict.FAILED),
        ("TestStatusNoErrors", " No Errors\n", 1, Verdict.PASSED),
        ("TestStatusNoErrors", " No Errors\n", 0, Verdict.FAILED),
        ("TestStatusNoErrors", "", 1, Verdict.FAILED),
        ("TestStatusNoErrors", " No Errors\nmore\n", 1, Verdict.FAILED),
        ("TestBench", "1 2 3\n", 0, Verdict.PASSED),
        ("TestBench", "1 2 3\n", 2, Verdict.FAILED),
        ("TestOfTomorrow", " No Errors\n", 0, Verdict.FAILED),
    ],
)
def test_rule(rule: str, output: str, status: int, verdict: Verdict) -> None:
    judgement = judge(rule, output, status)
    assert judgement.verdict is verdict
    assert bool(judgement.reason) == (verdict is Verdict.FAILED)


def test_the_reason_is_the_first_stray_line() -> None:
    assert judge("", "No Errors\n\n lost 4\nlost 5\n", 1).reason == "prints 'an empty line'"
    assert judge("", "No Errors\n lost 4\nlost 5\n", 1).reason == "prints 'lost 4'"
