"""The runs of the program that alternates computing and broadcasts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform import Platform, load_platform
from kumihimo.study.campaign import Campaign, Row, Sweep
from kumihimo.study.prewake.findings import (
    Edges,
    Findings,
    Outcome,
    Woken,
    best_place,
    find_edges,
    outcome,
    place_of,
    step_ps,
    woken,
)
from kumihimo.study.prewake.parameters import Parameters
from kumihimo.study.prewake.window import Steps, closed_form, theory_place

_MODES = ("always_on", "on_off", "threshold", "perfbound", "ideal")
# How many times farther apart places lie where no window is looked for.
_SPARSER = 2


class Benchmark:
    """Runs it in all modes and at all places P; links are those of one platform."""

    def __init__(self, campaign: Campaign, parameters: Parameters) -> None:
        """Read the platform and compile the program."""
        self._campaign = campaign
        self._parameters = parameters
        self._source = parameters.file("benchmark.source")
        self._platform_file = parameters.file("benchmark.platform")
        self._ranks = parameters.number("benchmark.ranks")
        self._inner = parameters.number("benchmark.inner")
        self._outer = parameters.number("benchmark.outer")
        self._every = parameters.number("benchmark.step")
        self.platform: Platform = load_platform(self._platform_file)
        self._plain = campaign.program(self._source)
        # A program cannot wake links before its first step.
        self._theory = max(0, theory_place(self.platform, self._inner))
        self._rows: dict[int, Row] = {}

    def findings(self) -> Findings:
        """Run everything.

        Raises:
            UserError: If runs failed without which nothing can be said.
        """
        normal, modes = self._modes()
        steps = self._steps(normal)
        form = closed_form(self.platform, self._ranks)
        expected = Edges(steps.place(form.longest_ps), steps.place(form.shortest_ps))
        by_messages = self._by_messages(expected, normal)
        automatic, by_hand = self._automatic(normal, modes), {}
        own_normal, own_modes = self._own_modes()
        if own_normal is not None and "prewake" in own_modes:
            automatic["MPICH's broadcast"] = woken(own_modes["prewake"], own_modes)
            by_hand = self._by_hand(own_normal, own_modes)
        return Findings(
            modes=modes,
            by_messages=by_messages,
            by_frames=self._by_frames(normal),
            automatic=automatic,
            by_hand=by_hand,
            steps=steps,
            form=form,
            simulated=find_edges(by_messages, expected),
            best=best_place({at: by_messages[at] for at in by_messages if at % self._every == 0}),
            theory=self._theory,
            outer=self._outer,
        )

    def idle_times(self, findings: Findings) -> dict[str, Path]:
        """Return the result files at the best place and at the theory's, by what they are."""
        names = idle_names(findings.best, findings.theory, self._rows)
        return {name: self._campaign.result("places", self._rows[at]) for name, at in names.items()}

    def _modes(self) -> tuple[Row, dict[str, Outcome]]:
        rows = {
            str(row["link_power.policy"]): row
            for row in self._sweep("modes", _MODES, [self._line(self._plain)])
        }
        if len(rows) < len(_MODES):
            raise UserError(f"not every mode gave a result; see {self._campaign.folder / 'modes'}")
        normal = rows["always_on"]
        return normal, {policy: outcome(row, normal) for policy, row in rows.items()}

    def _steps(self, normal: Row) -> Steps:
        """Return what a step takes, from a run with half as many."""
        half = self._inner // 2
        rows = self._sweep("step", ("always_on",), [self._line(self._plain, inner=half)])
        if not rows:
            raise UserError(f"there is no result in {self._campaign.folder / 'step'}")
        return Steps(self._inner, step_ps(normal, rows[0], self._outer * (self._inner - half)))

    def _by_messages(self, expected: Edges, normal: Row) -> dict[int, Outcome]:
        """Run all places, and more of them around the edges."""
        width = self._parameters.number("benchmark.edge_width")
        fine = self._parameters.number("benchmark.edge_step")
        places = {*range(0, self._inner + 1, self._every), self._theory}
        for edge in (round(expected.first), round(expected.last)):
            places.update(range(edge - width, edge + width + 1, fine))
        allowed = [place for place in sorted(places) if 0 <= place <= self._inner]
        lines = [self._line(self._plain, f"-p {place}") for place in allowed]
        rows = self._sweep("places", ("on_off",), lines)
        if not rows:
            raise UserError(f"there is no result in {self._campaign.folder / 'places'}")
        self._rows = {place_of(row): row for row in rows}
        return _by_place(rows, normal)

    def _by_frames(self, normal: Row) -> dict[int, Outcome]:
        places = range(0, self._inner + 1, _SPARSER * self._every)
        lines = [self._line(self._plain, f"-w {place}") for place in places]
        return _by_place(self._sweep("frames", ("prewake",), lines), normal)

    def _automatic(self, normal: Row, modes: Mapping[str, Outcome]) -> dict[str, Woken]:
        """Run what the compiler inserted."""
        program = self._campaign.program(self._source, wakes=True)
        found = {}
        for row in self._sweep("automatic", ("prewake",), [self._line(program)]):
            found["flat broadcast"] = woken(outcome(row, normal), modes)
        return found

    def _own_modes(self) -> tuple[Row | None, dict[str, Outcome]]:
        """Run all policies with the broadcast that MPICH itself chooses, and with wake-ups."""
        program = self._campaign.program(self._source, wakes=True)
        line = self._line(program, environment="")
        rows = {
            str(row["link_power.policy"]): row
            for row in self._sweep("automatic-mpich", (*_MODES, "prewake"), [line])
        }
        if len(rows) <= len(_MODES):
            return None, {}
        normal = rows["always_on"]
        return normal, {policy: outcome(row, normal) for policy, row in rows.items()}

    def _by_hand(self, normal: Row, modes: Mapping[str, Outcome]) -> dict[str, Woken]:
        """Wake by hand for the broadcast that MPICH itself chooses; return the best places."""
        delay = self._parameters.number("benchmark.tree_delay")
        everywhere = range(0, self._inner + 1, _SPARSER * self._every)
        tried = (
            ("dummy messages from rank 0", "places-mpich", "on_off", "-p {}", everywhere),
            (
                "wake frames along the tree",
                "frames-mpich",
                "prewake",
                f"-t {delay} -w {{}}",
                self._parameters.numbers("benchmark.tree_places"),
            ),
        )
        found = {}
        for how, name, policy, options, places in tried:
            lines = [
                self._line(self._plain, options.format(place), environment="") for place in places
            ]
            outcomes = _by_place(self._sweep(name, (policy,), lines), normal)
            if outcomes:
                best = best_place(outcomes)
                found[f"{how}, P = {best:,}"] = woken(outcomes[best], modes)
        return found

    def _line(
        self,
        program: str,
        *options: str,
        inner: int | None = None,
        environment: str | None = None,
    ) -> str:
        """Return a command line, with the variables of the parameters if no others are given."""
        variables = self._parameters.text("benchmark.environment")
        start = ["env", variables if environment is None else environment, program]
        sizes = [f"-o {self._outer}", f"-n {self._inner if inner is None else inner}"]
        return " ".join(word for word in [*start, *sizes, *options] if word)

    def _sweep(self, name: str, policies: Sequence[str], lines: Iterable[str]) -> list[Row]:
        sweep = Sweep(name, self._platform_file, tuple(policies), tuple(lines), (self._ranks,))
        return self._campaign.run(sweep)


def idle_names(best: int, theory: int, known: Collection[int]) -> dict[str, int]:
    """Return the places whose idle times are shown, by what they are; once if they are the same.

    Args:
        best: The best place.
        theory: The theory's, which is left out if its run failed.
        known: Places with a result.
    """
    if best == theory:
        return {f"best P, and P by theory, {best:,}": best}
    places = {f"best P, {best:,}": best, f"P by theory, {theory:,}": theory}
    return {name: at for name, at in places.items() if at in known}


def _by_place(rows: Iterable[Row], normal: Row) -> dict[int, Outcome]:
    return {place_of(row): outcome(row, normal) for row in rows}
