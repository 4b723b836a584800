"""Runs the programs, and compares closed forms with what came out."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from kumihimo.platform import load_platform
from kumihimo.platform.network import Network, build_network
from kumihimo.study.approximate.programs import FINDS, Program
from kumihimo.study.approximate.traffic import bandwidth_share, wrong_bits
from kumihimo.study.campaign import Campaign, Row, Sweep

CONVENTIONAL, CORRECTED, APPROXIMATE = "conventional", "corrected", "approximate"
PLATFORMS = {
    CONVENTIONAL: "dragonfly256",
    CORRECTED: "dragonfly256-fec",
    APPROXIMATE: "dragonfly256-approximate",
}


@dataclass(frozen=True)
class Group:
    """Programs that run in the same sweeps, under the same policies.

    Attributes:
        name: Of the sweeps.
        programs: On the same number of ranks; with messages of the same type and function, the
            messages that may arrive with errors are also of the same sizes.
        bits: Numbers of protected bits.
        seeds: Of errors.
        finds: Names of `FINDS`: what is found in the output.
    """

    name: str
    programs: tuple[Program, ...]
    bits: tuple[int, ...]
    seeds: tuple[int, ...]
    finds: tuple[str, ...] = tuple(FINDS)


@dataclass(frozen=True)
class Outcome:
    """What one run gave.

    Attributes:
        program: Which ran.
        bits: That were protected; None on networks without errors.
        seed: Of errors.
        row: Of the sweep.
        found: What the program printed, by name of `FINDS`.
        file: Its result.
    """

    program: Program
    bits: int | None
    seed: int
    row: Row
    found: dict[str, float]
    file: Path


@dataclass(frozen=True)
class Runner:
    """Runs programs on the three networks.

    Attributes:
        campaign: Of the sweeps.
        source: The source tree.
    """

    campaign: Campaign
    source: Path

    def network(self) -> Network:
        """Return the network with errors."""
        return build_network(load_platform(self._platform(APPROXIMATE), tell=False))

    def outcomes(self, group: Group, network: str, finds: Sequence[str]) -> list[Outcome]:
        """Run programs, and find numbers in what they print.

        Args:
            group: Of programs.
            network: Where.
            finds: Names of `FINDS`.
        """
        has_errors = network == APPROXIMATE
        bits = {str(self._policy(group, count)): count for count in group.bits if has_errors}
        programs = {program.line(self.campaign, self.source): program for program in group.programs}
        name = f"{group.name}-{network}"
        sweep = Sweep(
            name,
            self._platform(network),
            programs=tuple(programs),
            ranks=(group.programs[0].ranks,),
            compute="counted" if group.programs[0].is_counted else "none",
            approx=tuple(bits),
            seeds=group.seeds if has_errors else (0,),
        )
        return [
            Outcome(
                program=programs[row["command"]],
                bits=bits.get(str(row.get("approx"))),
                seed=row["seed"],
                row=row,
                found={what: self._printed(name, row, what) for what in finds},
                file=self.campaign.result(name, row),
            )
            for row in self.campaign.run(sweep)
        ]

    def _printed(self, sweep: str, row: Row, what: str) -> float:
        """Return a number that a program printed; NaN if it printed none."""
        value = self.campaign.printed(sweep, row, FINDS[what])
        return math.nan if value is None else value

    def _platform(self, network: str) -> Path:
        return self.source / "platforms" / f"{PLATFORMS[network]}.toml"

    def _policy(self, group: Group, protected_bits: int) -> Path:
        folder = self.campaign.folder / "policies"
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{group.name}-{protected_bits}.toml"
        # Programs that differ in their results alone have the same rule.
        rules = dict.fromkeys(program.rule(protected_bits) for program in group.programs)
        file.write_text("\n".join(rules), encoding="utf-8")
        return file


def run_group(runner: Runner, group: Group) -> tuple[list[Row], list[Row]]:
    """Run programs; return rows of the three networks, and rows by number of protected bits."""
    approximate = runner.outcomes(group, APPROXIMATE, group.finds)
    networks: dict[str, Sequence[Outcome]] = {
        CONVENTIONAL: runner.outcomes(group, CONVENTIONAL, group.finds),
        CORRECTED: runner.outcomes(group, CORRECTED, ("seconds",)),
        APPROXIMATE: [
            each
            for each in approximate
            if (each.bits, each.seed) == (each.program.protected_bits, group.seeds[0])
        ],
    }
    return _network_rows(group, networks), _bits_rows(runner.network(), group, approximate)


def run_convergence(runner: Runner, group: Group) -> list[Row]:
    """Run programs on the network with errors alone; return rows by number of protected bits."""
    outcomes = runner.outcomes(group, APPROXIMATE, group.finds)
    return _bits_rows(runner.network(), group, outcomes)


def _bits_rows(network: Network, group: Group, outcomes: Sequence[Outcome]) -> list[Row]:
    """Return a row for each program and number of protected bits: of a number at most all."""
    by_case: dict[tuple[Program, int], list[Outcome]] = {}
    for program in group.programs:
        for outcome in outcomes:
            if outcome.program == program and outcome.bits is not None:
                bits = min(outcome.bits, program.word_bits)
                same = by_case.setdefault((program, bits), [])
                same += [outcome] if all(each.seed != outcome.seed for each in same) else []
    return [_bits_row(network, *case, found) for case, found in by_case.items()]


def _network_rows(group: Group, networks: dict[str, Sequence[Outcome]]) -> list[Row]:
    rows = []
    for program in group.programs:
        times: dict[str, float] = {}
        for network, outcomes in networks.items():
            for outcome in outcomes:
                if outcome.program != program:
                    continue
                times[network] = outcome.found["seconds"]
                rows.append(
                    {
                        "program": program.name,
                        "ranks": program.ranks,
                        "network": network,
                        "seconds": outcome.found["seconds"],
                        "of_conventional": _ratio(times, network, CONVENTIONAL),
                        "of_corrected": _ratio(times, network, CORRECTED),
                        "iterations": _iterations(outcome),
                        "error": _number(outcome.found.get("error", math.nan)),
                        "messages": outcome.row["messages"],
                        "approximate_messages": outcome.row["approximate_messages"],
                    }
                )
    return rows


def _iterations(outcome: Outcome) -> int | None:
    """Return how many iterations there were, of programs that end by themselves."""
    value = outcome.found.get("iterations", math.nan)
    return round(value) if outcome.program.ends_by_itself and math.isfinite(value) else None


def _bits_row(network: Network, program: Program, count: int, outcomes: list[Outcome]) -> Row:
    errors = sorted(outcome.found["error"] for outcome in outcomes if not _is_nan(outcome))
    documents = [json.loads(each.file.read_text(encoding="utf-8")) for each in outcomes]
    found = [document["approximate"]["by_datatype"][program.datatype] for document in documents]
    open_share = 1 - count / program.word_bits
    iterations = [_iterations(outcome) or 0 for outcome in outcomes]
    payload = sum(document["approximate"]["payload_bytes"] for document in documents)
    sent = sum(document["approximate"]["link_bytes"] for document in documents)
    return {
        "program": program.name,
        "ranks": program.ranks,
        "protected_bits": count,
        "runs": len(outcomes),
        "error": median(errors) if errors else None,
        "least_error": errors[0] if errors else None,
        "largest_error": errors[-1] if errors else None,
        "failed_runs": len(outcomes) - len(errors),
        "iterations": median(iterations) if program.ends_by_itself else None,
        "seconds": median(times) if (times := _times(outcomes)) else None,
        "messages": sum(each["messages"] for each in found),
        "bytes": sum(each["bytes"] for each in found),
        "expected_bytes": sum(sum(program.traffic(i).values()) for i in iterations),
        "wrong_bits": sum(sum(each["wrong_bits"]) for each in found),
        "wrong_protected_bits": sum(sum(each["wrong_bits"][:count]) for each in found),
        "expected_wrong_bits": sum(
            wrong_bits(network, program.traffic(i), open_share) for i in iterations
        ),
        "nan": sum(each["nan"] for each in found),
        "inf": sum(each["inf"] for each in found),
        "bandwidth_share": payload / sent,
        "expected_bandwidth_share": bandwidth_share(program.word_bits, count),
    }


def _is_nan(outcome: Outcome) -> bool:
    return not math.isfinite(outcome.found["error"])


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _times(outcomes: Sequence[Outcome]) -> list[float]:
    return [outcome.found["seconds"] for outcome in outcomes if "seconds" in outcome.found]


def _ratio(times: dict[str, float], network: str, other: str) -> float | None:
    return times[network] / times[other] if other in times else None
