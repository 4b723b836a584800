"""Random programs of every kind of MPI call: the same result on any number of cores, ahead or not.

A case is drawn from a number: ranks, MPI library, platform, kinds of calls, and any of the five
techniques: links woken in time, services, errors, matching, schedules. It runs several times, and
all that a run gives must be the same: the event hash, every key of the result, every row of its
tables, and what the ranks printed of what they saw. `make torture` draws cases until its time is
over; a case that fails prints the line that repeats it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from jobs import (
    BIN,
    BUILD,
    BY_NAME,
    MPICH,
    PLATFORMS,
    ROOT,
    Mpi,
    build,
    build_counting,
    busy_computer,
    compiled,
)
from replayable import without_clock_readings

FOLDER = ROOT / "tests" / "torture"
KINDS = 30
"""How many kinds of calls random_calls.c knows; the last seven open a window."""
WINDOWS = 0b1111111 << 23
PARTITIONED, CANCELLED = 1 << 6, 1 << 10
THREADS = 1 << 20
"""Counted work of a thread, while another one is in MPI, counts by real time; a run says so."""
ALL_KINDS = (1 << KINDS) - 1
LIMIT_S = 120
# The part of a run's tables that a user may look at; the rest is about this computer.
TABLES = (
    *("messages", "states", "ranks", "links", "link_use", "queue_depths"),
    *("matching", "service", "link_power", "power_states", "call_sites"),
)
CHANNEL = """
[link.channel]
modulation = "qam1024"
symbol_rate = "25 GBd"
lanes = 4
bit_error_rate = {rate}
"""
# At least as many protected bits as random_calls.c expects.
POLICIES = (
    '[[rule]]\ndatatype = "double"\nprotected_bits = 20\n',
    '[[rule]]\ndatatype = "double"\nprotected_bits = 32\norder = "important_first"\n',
    'exact_messages = "unprotected"\nfinite = true\n'
    '[[rule]]\ndatatype = "double"\nprotected_bits = 24\n',
    '[[rule]]\ndatatype = "double"\nfunction = "MPI_Allreduce"\nexact = true\n'
    '[[rule]]\ndatatype = "double"\nsmallest_size = "64 B"\nprotected_bits = 20\n',
)


@dataclass(frozen=True)
class Case:
    """One random program on one platform.

    Attributes:
        seed: The number from which all was drawn.
        mpi: The MPI library.
        program: `calls` (C) or `objects` (Python, messages of lower-case methods).
        ranks: How many ranks.
        rounds: How many calls, or groups of calls, one after the other.
        kinds: Which kinds, as a sum of powers of two.
        platform: The platform file's name.
        options: Further options of `kumihimo run`.
        sections: Text that is added to the platform file.
        policy: The text of a policy for `--approx`; empty for none.
        counts: Whether its work is counted and takes time; `calls` of MPICH only.
    """

    seed: int
    mpi: Mpi
    program: str
    ranks: int
    rounds: int
    kinds: int
    platform: str
    options: tuple[str, ...]
    sections: str = ""
    policy: str = ""
    counts: bool = False

    def command(self) -> list[str]:
        """Return the program's command line; it is compiled if it has to be."""
        if self.program == "objects":
            numbers = [str(self.seed), str(self.rounds), hex(self.kinds)]
            return [sys.executable, str(FOLDER / "random_objects.py"), *numbers]
        kinds = self.kinds & ~(THREADS if self.counts else 0)
        # In MPICH 5.0.2 both do not work together, natively neither.
        if self.mpi == MPICH and kinds & PARTITIONED:
            kinds &= ~CANCELLED
        numbers = [str(self.seed), str(self.rounds), hex(kinds or 1)]
        words = {
            "approximate": bool(self.policy),
            "kernels": not {"hint", "hint_evict"}.isdisjoint(self.options),
        }
        numbers += [word for word, is_on in words.items() if is_on]
        source = FOLDER / "random_calls.c"
        return [str(build_counting(source) if self.counts else build(self.mpi, source)), *numbers]

    def write_files(self, folder: Path) -> list[str]:
        """Write platform and policy; return the options that name them."""
        platform = folder / f"{self.platform}.toml"
        text = (PLATFORMS / platform.name).read_text()
        platform.write_text(text + self.sections)
        if not self.policy:
            return ["--platform", str(platform)]
        policy = folder / "policy.toml"
        policy.write_text(self.policy)
        return ["--platform", str(platform), "--approx", str(policy)]


@dataclass(frozen=True)
class Variant:
    """A way to run a case that must not change anything.

    Attributes:
        name: What it is called in messages.
        cores: How many cores ranks compute on.
        is_ahead: Whether ranks run ahead of their clocks.
        is_loaded: Whether other processes come and go meanwhile.
        is_moved: Whether libraries lie elsewhere in memory, and allocated memory is never zero.
        is_patient: Whether ranks sleep only after many more polls that found nothing.
    """

    name: str
    cores: int = 1
    is_ahead: bool = True
    is_loaded: bool = False
    is_moved: bool = False
    is_patient: bool = False


VARIANTS = (
    Variant("in time", is_ahead=False),
    Variant("ahead, patient", is_patient=True),
    Variant("2 cores, moved", cores=2, is_moved=True),
    Variant("3 cores, loaded", cores=3, is_loaded=True),
    Variant("2 cores, in time", cores=2, is_ahead=False),
)


def draw(seed: int) -> Case:
    """Return the case that belongs to a number."""
    choose = random.Random(seed)
    mpi = BY_NAME[choose.choice(["mpich", "mpich", "openmpi"])]
    program = choose.choice(["calls"] * 5 + ["objects"])
    no_windows = ALL_KINDS & ~WINDOWS
    # Some kinds alone meet more often.
    some = choose.sample(range(no_windows.bit_length()), choose.randint(2, 6))
    kinds = choose.choice([ALL_KINDS, no_windows, no_windows, sum(1 << kind for kind in some)])
    platform = choose.choice(
        [
            *("star64", "tree64", "fattree64", "torus4x4x4", "torus4x4x4", "torus4x4x4"),
            *("dragonfly256", "dragonfly256-approximate"),
        ]
    )
    options, sections, policy = draw_techniques(choose, platform)
    return Case(
        seed=seed,
        mpi=mpi,
        program=program,
        ranks=choose.choice([2, 3, 4, 5, 6, 8, 8, 13, 16, 16]),
        rounds=choose.choice([20, 40, 80, 160]) // (2 if program == "objects" else 1),
        kinds=kinds,
        platform=platform,
        options=tuple(options),
        sections=with_quick_links(seed, sections),
        policy=policy,
        counts=program == "calls" and mpi == MPICH and draws(seed, "counted"),
    )


def draws(seed: int, what: str) -> bool:
    """Whether a case has something that not all have. It draws nothing from the case's numbers."""
    return random.Random(f"{what} {seed}").random() < 0.5


def with_quick_links(seed: int, sections: str) -> str:
    """Let some of the links wake so fast that schedules of random programs wake them."""
    if draws(seed, "quick links"):
        return sections
    quick = 'preset = "matsuyama18"\nsleep_time = "2 ns"\nwake_time = "3 ns"'
    return sections.replace('preset = "matsuyama18"', quick)


def draw_techniques(choose: random.Random, platform: str) -> tuple[list[str], str, str]:
    """Return options, sections of the platform file and the policy of a subset of the five."""
    options: list[str] = []
    sections = policy = ""
    if choose.random() < 0.4:
        options += ["--link-power", "prewake", "--predict"]
        preset = choose.choice(["matsuyama18", "10GBASE-T", "25GBASE-T", "dual"])
        frames = choose.choice(["all_at_once", "hop_by_hop"])
        sections += f'\n[link_power]\npreset = "{preset}"\nwake_frames = "{frames}"\n'
    if choose.random() < 0.4:
        policy = choose.choice(POLICIES)
        if platform != "dragonfly256-approximate":
            # More noise than that corrupts protected bits, too, if rarely.
            sections += CHANNEL.format(rate=choose.choice(["1e-6", "1e-5", "1e-4"]))
    if choose.random() < 0.4:
        options += ["--service", choose.choice(["rc", "ud", "hybrid", "hint", "hint_evict"])]
        sections += f'\n[mpi.service]\nsetup_time = "{choose.choice([1, 20, 300])} us"\n'
        if "hint_evict" in options:
            sections += f"connection_cap = {choose.choice([1, 2, 4])}\n"
    if choose.random() < 0.4:
        models = ["list", "elan4", "alpu", "dimmnet2", "lhs", "hashed", "connectx"]
        options += ["--matching", choose.choice(models)]
    if choose.random() < 0.4:
        options += ["--collectives", choose.choice(["scheduled", "scheduled", "hint"])]
        guard, jitter = choose.choice([(0, 0), (0, 700), (3000, 0), (3000, 3000)])
        sections += f'\n[mpi.collectives]\nguard = "{guard} ns"\njitter = "{jitter} ns"\n'
    return options, sections, policy


def environment_of(case: Case) -> dict[str, str]:
    """Return the environment in which Kumihimo is called for a case."""
    return {**os.environ, **(case.mpi.environment if case.mpi != MPICH else {})}


def moving(seed: int) -> dict[str, str]:
    """Return the environment in which memory is another one.

    Libraries and stacks lie elsewhere, and what is allocated is full of some byte at first.
    """
    choose = random.Random(f"moved {seed}")
    # Some libraries begin at multiples of 2 MiB, that of 512 pages.
    pages = choose.choice([3, 250, 700, 1300, 3000])
    library = BUILD / f"padding{pages}.so"
    command = ["cc", "-shared", "-fPIC", f"-DPAGES={pages}", str(FOLDER / "padding.c")]
    compiled(library, [FOLDER / "padding.c"], command)
    return {
        "LD_PRELOAD": str(library),
        # Not 255, of which the complement fills new memory with zeros.
        "MALLOC_PERTURB_": str(choose.randrange(1, 255)),
        "PADDING": "x" * choose.randrange(1, 5000),
    }


def execute(
    command: Sequence[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, or raise subprocess.TimeoutExpired."""
    return subprocess.run(
        command,
        env=environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )


def run(case: Case, variant: Variant, folder: Path) -> dict[str, Any]:
    """Run a case in one way; return all that must be the same in the others.

    A run that fails gives its exit status and what it printed, which differ from run to run.
    """
    command = [
        *(str(BIN / "kumihimo"), "run", "-n", str(case.ranks), "--mpi", case.mpi.name, "--quiet"),
        *(*case.write_files(folder.parent), "--out", str(folder)),
        *("--compute", "counted" if case.counts else "none"),
        *("--cores", str(variant.cores), "--detail", "tables", *case.options),
        *(("--profile-calls",) if draws(case.seed, "profiled calls") else ()),
        *("--", *case.command()),
    ]
    environment = environment_of(case)
    environment["KUMI_RUN_AHEAD"] = "on" if variant.is_ahead else "off"
    environment["KUMI_CORE_TRIAL"] = "off"
    environment["KUMI_EMPTY_POLLS"] = "many" if variant.is_patient else "few"
    environment |= moving(case.seed) if variant.is_moved else {}
    with busy_computer(LIMIT_S) if variant.is_loaded else nullcontext():
        try:
            ended = execute(command, environment)
        except subprocess.TimeoutExpired as late:
            shown = str(late.stderr)[-2000:]
            return {"failure": f"did not end within {LIMIT_S} s", "stderr": shown}
    if ended.returncode != 0:
        shown = (ended.stdout + ended.stderr)[-2000:]
        return {"failure": f"exit status {ended.returncode}", "stderr": shown}
    found: dict[str, Any] = {"printed": ended.stdout}
    found["result"] = (folder / "result.json").read_text()
    for name in TABLES:
        path = folder / f"{name}.parquet"
        if path.exists():
            found[name] = sorted(map(repr, pq.read_table(path).to_pylist()))
    return found


def differences(case: Case, variants: Sequence[Variant] = VARIANTS) -> list[str]:
    """Run a case in several ways; say which failed, or differ from the first, and in what."""
    problems: list[str] = []
    first: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="kumi-torture-") as scratch:
        for variant in variants:
            folder = Path(scratch) / "out"
            found = run(case, variant, folder)
            shutil.rmtree(folder, ignore_errors=True)
            if "failure" in found:
                problems.append(f"{variant.name}: {found['failure']}\n{found['stderr']}")
                continue
            first = first or found
            differing = [name for name, value in found.items() if first.get(name) != value]
            if differing:
                problems.append(f"{variant.name}: other {', '.join(differing)}")
    return problems


def replay_problems(case: Case) -> list[str]:
    """Record a case and replay it; say in what the replay differs from the recorded run.

    The schedule is also compared with that of ranks that do not run ahead. Schedules know no other
    technique than errors: of cases with more there is nothing to say.
    """
    if case.options:
        return []
    try:
        live, again = recorded_and_replayed(case)
    except RuntimeError as problem:
        return [str(problem)]
    differing = [key for key, value in live.items() if again[key] != value]
    return [f"replay: other {', '.join(differing)}"] if differing else []


def record_problems(case: Case) -> list[str]:
    """Record the calls of a case; say whether ranks that run ahead leave another schedule.

    Without calls that cannot be recorded, and without the techniques, which records do not have.
    """
    kinds = case.kinds & ~(WINDOWS | PARTITIONED | CANCELLED | THREADS) or 1
    case = replace(case, options=(), sections="", policy="", kinds=kinds)
    found = set()
    with tempfile.TemporaryDirectory(prefix="kumi-torture-") as scratch:
        folder = Path(scratch)
        files = case.write_files(folder)
        for mode, cores in (("off", "1"), ("on", "1"), ("on", "2")):
            words = [*files, "--of", "calls", "--cores", cores]
            try:
                found.add(recorded(case, words, folder, mode).read_bytes())
            except RuntimeError as problem:
                return [str(problem)]
    return [] if len(found) == 1 else ["record --of calls: another schedule if ranks run ahead"]


def recorded_and_replayed(case: Case) -> list[dict[str, Any]]:
    """Record a case and replay it; return what both results must have in common.

    Raises:
        RuntimeError: If one of them fails, or ranks that do not run ahead leave another schedule.
    """
    with tempfile.TemporaryDirectory(prefix="kumi-torture-") as scratch:
        folder = Path(scratch)
        files = case.write_files(folder)
        schedules = [recorded(case, files, folder, mode).read_bytes() for mode in ("off", "on")]
        if schedules[0] != schedules[1]:
            raise RuntimeError("record: another schedule if ranks run ahead")
        kumihimo(
            ["replay", str(folder / "run.bin"), *files[:2]], folder / "replay", environment_of(case)
        )
        return [facts_of_replays(folder / name) for name in ("live", "replay")]


def recorded(case: Case, words: Sequence[str], folder: Path, mode: str) -> Path:
    """Record a case with these options; return the schedule. The result is in `folder / "live"`.

    Args:
        case: What is recorded.
        words: Options, among them those that name its files.
        folder: For what comes of it; what is there from before is replaced.
        mode: Whether ranks run ahead: "on" or "off".

    Raises:
        RuntimeError: If it fails.
    """
    schedule = folder / "run.bin"
    shutil.rmtree(folder / "live", ignore_errors=True)
    record = ["record", "-n", str(case.ranks), "--mpi", case.mpi.name, *words]
    record += ["-s", str(schedule), "--compute", "none", "--", *case.command()]
    kumihimo(record, folder / "live", {**environment_of(case), "KUMI_RUN_AHEAD": mode})
    return schedule


def kumihimo(words: Sequence[str], out: Path, environment: Mapping[str, str]) -> None:
    """Call a command of Kumihimo, which writes a summary into `out`.

    Raises:
        RuntimeError: If it fails.
    """
    options = ["--quiet", "--out", str(out), "--detail", "summary"]
    ended = execute([str(BIN / "kumihimo"), words[0], *options, *words[1:]], environment)
    if ended.returncode != 0:
        shown = (ended.stdout + ended.stderr)[-2000:]
        raise RuntimeError(f"{words[0]}: exit status {ended.returncode}\n{shown}")


def facts_of_replays(folder: Path) -> dict[str, Any]:
    """Return what the result of a recorded run and that of its replay must have in common."""
    document = json.loads((folder / "result.json").read_text())
    found = document.get("approximate", {})
    errors = ("messages", "bytes", "wrong_bits", "by_function", "payload_bytes", "link_bytes")
    times = ("virtual_time_ps", "event_hash", "totals", "per_rank", "per_link")
    facts = {f"approximate.{key}": found.get(key) for key in errors}
    shared = without_clock_readings(document)
    return facts | {key: shared[key] for key in times}


def report(case: Case, problems: Sequence[str]) -> str:
    """Return what is printed of a case that failed: the line that repeats it, and what differs."""
    drawn = f"make torture SEED={case.seed} COUNT=1"
    again = drawn if case == draw(case.seed) else "pytest tests/system/test_torture.py"
    return "\n".join([f"FAILED, again with: {again}", f"  {case}", *problems])


def main() -> int:
    """Draw cases until the time is over; return how many failed, at most 100."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="of the first case; else the time")
    parser.add_argument("--count", type=int, default=None, help="how many cases at most")
    parser.add_argument("--minutes", type=float, default=60.0, help="no case begins after that")
    options = parser.parse_args()
    seed = int(time.time()) * 1000 if options.seed is None else options.seed
    end_s = time.monotonic() + 60 * options.minutes
    cases = failed = 0
    while time.monotonic() < end_s and (options.count is None or cases < options.count):
        case = draw(seed + cases)
        problems = differences(case) + replay_problems(case) + record_problems(case)
        cases += 1
        failed += bool(problems)
        print(report(case, problems) if problems else f"{case.seed}: same", flush=True)
    print(f"{cases} cases, {failed} failed")
    return min(failed, 100)


if __name__ == "__main__":
    sys.exit(main())
