"""Writes what the study has found: a page, figures, tables and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results.canonical import readable_json
from kumihimo.results.report.page_style import page_style
from kumihimo.study.contents import Line
from kumihimo.study.prewake.applications import Case
from kumihimo.study.prewake.findings import Findings, Woken
from kumihimo.study.prewake.paper import lead_deviation
from kumihimo.sweep.figures import Figure

PAGE_FILE = "study.html"
NUMBERS_FILE = "study.json"
PLACES_FILE = "places.parquet"
CASES_FILE = "applications.parquet"


@dataclass(frozen=True)
class Contents:
    """What is written.

    Attributes:
        ranks: Of the benchmark.
        findings: Of the benchmark.
        lines: The table of comparison with the paper.
        cases: Of the applications at one switch.
        networks: Of those on networks of several switches.
        figures: All of them.
        failed: Whether points failed.
    """

    ranks: int
    findings: Findings
    lines: Sequence[Line]
    cases: Sequence[Case]
    networks: Sequence[Case]
    figures: Sequence[Figure]
    failed: bool


def write_study(folder: Path, contents: Contents) -> None:
    """Write study.html, study.json, places.parquet, applications.parquet and the figures.

    Raises:
        UserError: If a file cannot be written.
    """
    try:
        for figure in contents.figures:
            (folder / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
            (folder / f"{figure.name}.png").write_bytes(figure.png)
        _write_tables(folder, contents)
        (folder / NUMBERS_FILE).write_text(readable_json(_numbers(contents)), encoding="utf-8")
        (folder / PAGE_FILE).write_text(_page(contents), encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot write to {folder}: {error.strerror}") from error


def _write_tables(folder: Path, contents: Contents) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    findings = contents.findings
    places = [
        {"woken_by": how, "place": place, **asdict(outcome)}
        for how, outcomes in (("messages", findings.by_messages), ("frames", findings.by_frames))
        for place, outcome in sorted(outcomes.items())
    ]
    pq.write_table(pa.Table.from_pylist(places), folder / PLACES_FILE, compression="zstd")
    cases = [asdict(case) for case in (*contents.cases, *contents.networks)]
    pq.write_table(pa.Table.from_pylist(cases), folder / CASES_FILE, compression="zstd")


def _numbers(contents: Contents) -> dict[str, Any]:
    """Return the numbers of the page; times and energies are shares, as text of fixed length."""
    findings = contents.findings
    best = findings.by_messages[findings.best]
    return {
        "format": "kumihimo-study-prewake/1",
        "step_ps": findings.steps.step_ps,
        "window": {
            "closed_form_ps": [findings.form.shortest_ps, findings.form.longest_ps],
            "predicted": [findings.predicted.first, findings.predicted.last],
            "simulated": [findings.simulated.first, findings.simulated.last],
            "lead_deviation": lead_deviation(findings),
        },
        "best": {"place": findings.best, **asdict(best), "saving": findings.saving(best)},
        "theory": findings.theory,
        "modes": {name: asdict(outcome) for name, outcome in findings.modes.items()},
        "automatic": {name: _woken(found) for name, found in findings.automatic.items()},
        "by_hand": {name: _woken(found) for name, found in findings.by_hand.items()},
        "findings": [asdict(line.finding()) for line in contents.lines],
        "applications": [asdict(case) for case in contents.cases],
        "networks": [asdict(case) for case in contents.networks],
    }


def _woken(found: Woken) -> dict[str, Any]:
    return {
        **asdict(found.outcome),
        "saving": found.saving,
        "possible": found.possible,
        "on_off_time": found.on_off_time,
    }


def _page(contents: Contents) -> str:
    import jinja2

    text = (files("kumihimo.study.prewake") / "page.html.j2").read_text(encoding="utf-8")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    findings = contents.findings
    best = findings.by_messages[findings.best]
    modes = [
        *findings.modes.items(),
        (f"by hand, P = {findings.best:,}", best),
        *((f"compiler, {how}", found.outcome) for how, found in findings.automatic.items()),
    ]
    return environment.from_string(text).render(
        style=page_style(),
        ranks=contents.ranks,
        findings=findings,
        lines=contents.lines,
        modes=modes,
        cases=contents.cases,
        networks=contents.networks,
        figures=contents.figures,
        failed=contents.failed,
    )
