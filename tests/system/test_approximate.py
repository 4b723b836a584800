"""`run --approx`: bits that arrive wrong, what messages take on links, and that it repeats."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import (
    BIN,
    BY_NAME,
    FULL,
    MPICH,
    OPEN_MPI,
    PLATFORMS,
    PROGRAMS,
    ROOT,
    WITH_TABLES,
    Job,
    Mpi,
    command_of,
    run,
    run_simulated,
)
from noisy_platform import LATENCY_PS, PATHS, noisy_platform
from replayable import without_clock_readings

POLICY = """\
[[rule]]
datatype = ["double", "double complex"]
protected_bits = 16

[[rule]]
datatype = "float"
protected_bits = 12
"""
# Of each case of the program: elements of 4 ranks in 4 rounds, and unprotected bits of an element.
CASES = {
    "double 800": (4 * 4 * 100, 48),
    "double 160000": (4 * 4 * 20_000, 48),
    "float 4800": (4 * 4 * 1_200, 20),
    "float 160000": (4 * 4 * 40_000, 20),
    "complex 160000": (4 * 4 * 20_000, 48),
}


def run_approximate(
    folder: Path,
    mpi: Mpi,
    program: tuple[str, ...],
    *,
    links: int = 2,
    bit_error_rate: str = "1e-4",
    policy: str = POLICY,
    ranks: int = 4,
    before: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> Job:
    folder.mkdir(exist_ok=True)
    (folder / "policy.toml").write_text(policy)
    return run_simulated(
        mpi,
        ranks,
        command_of(mpi, *program),
        folder / "result",
        platform=noisy_platform(folder, links, bit_error_rate),
        options=("--approx", str(folder / "policy.toml"), *options),
        before=before,
    )


@pytest.mark.parametrize("links", PATHS)
@pytest.mark.parametrize("mpi", BY_NAME)
def test_bits_are_wrong_as_often_as_the_closed_form_says(
    mpi: str, links: int, tmp_path: Path
) -> None:
    rate = 3e-4
    has_report = links == 1
    job = run_approximate(
        tmp_path,
        BY_NAME[mpi],
        ("approximate", "count"),
        links=links,
        bit_error_rate=f"{rate:g}",
        options=FULL if has_report else WITH_TABLES,
    )
    assert job.stdout.endswith("what must be right is right\n")
    found = dict(re.findall(r"^(\w+ \d+) wrong (\d+)$", job.stdout, re.MULTILINE))
    for case, (words, open_bits) in CASES.items():
        # A bit is wrong if an odd number of links turned it round.
        expected = words * open_bits * (1 - (1 - 2 * rate) ** links) / 2
        deviation = int(found[case]) / expected - 1
        print(f"{mpi}, {links} links, {case}: {100 * deviation:+.2f} % from the closed form")
        # Five standard deviations of as many independent bits; neighbours in a symbol are alike.
        assert abs(deviation) < 5 / math.sqrt(expected) + 0.01, case
    approximate = job.result["approximate"]
    for name, protected in (("double", 16), ("double complex", 16), ("float", 12)):
        by_bit = approximate["by_datatype"][name]["wrong_bits"]
        assert sum(by_bit[:protected]) == 0
        assert min(by_bit[protected:]) > 0
    assert approximate["wrong_bits"] == sum(
        row["wrong_bits"] for row in approximate["by_function"].values()
    )
    assert set(approximate["by_function"]) == {"MPI_Send", "MPI_Sendrecv", "MPI_Allreduce"}
    assert approximate["nan"] == approximate["inf"] == 0
    assert "Approximate: " in job.stderr
    assert not has_report or "approximate" in job.cards
    table = pq.read_table(job.folder / "approximate.parquet").to_pylist()
    assert sum(row["wrong_bits"] for row in table) == approximate["wrong_bits"]
    assert [row["wrong_bits"] for row in table if row["datatype"] == "float"] == list(
        reversed(approximate["by_datatype"]["float"]["wrong_bits"])
    )
    by_function = Counter[str]()
    for row in table:
        by_function[row["function"]] += row["wrong_bits"]
    assert by_function == {
        name: row["wrong_bits"] for name, row in approximate["by_function"].items()
    }


@pytest.mark.parametrize(
    ("size", "element", "share"),
    [(800, "double", 272 / 256), (160_000, "double", 272 / 256), (4_800, "float", 140 / 128)],
)
def test_a_message_takes_what_its_protected_bits_ask_for(
    size: int, element: str, share: float, tmp_path: Path
) -> None:
    job = run_approximate(tmp_path, MPICH, ("approximate",), options=WITH_TABLES)
    messages = pq.read_table(job.folder / "messages.parquet").to_pylist()
    kinds = {"eager": size < 100_000, "rendezvous": size >= 100_000}
    taken = [
        message["arrived_ps"] - message["sent_ps"]
        for message in messages
        if message["size_bytes"] == size and kinds.get(message["kind"], False)
    ]
    # 1 Tb/s: 8 ps a byte; two links, each message in one piece.
    closed = 2 * LATENCY_PS + 8 * size * share
    print(f"{size} bytes of {element}: {min(taken)} ps, closed form {closed:.0f} ps")
    assert abs(min(taken) / closed - 1) < 1e-3


@pytest.mark.parametrize("protected_bits", [0, 8, 32, 64])
def test_the_bandwidth_is_that_of_the_closed_form(protected_bits: int, tmp_path: Path) -> None:
    policy = f'[[rule]]\ndatatype = "double"\nprotected_bits = {protected_bits}\n'
    # No bit is wrong, so that the program finds its own 16 protected ones right.
    program = ("approximate",)
    job = run_approximate(
        tmp_path, MPICH, program, bit_error_rate="1e-15", policy=policy, options=WITH_TABLES
    )
    messages = pq.read_table(job.folder / "messages.parquet").to_pylist()
    fetched = [row for row in messages if row["kind"] == "rendezvous"]
    doubles = [row for row in fetched if row["size_bytes"] == 160_000]
    times_ps = [row["arrived_ps"] - row["sent_ps"] - 2 * LATENCY_PS for row in doubles]
    # What is no double is exact, thus protected as a whole, and takes no less.
    found = 8 * 160_000 / min(times_ps)
    closed = 4 * 64 / (4 * 64 + protected_bits)
    print(f"{protected_bits} protected bits: {found:.5f} Tb/s, closed form {closed:.5f} Tb/s")
    assert abs(found / closed - 1) < 1e-3
    approximate = job.result["approximate"]
    assert abs(approximate["payload_bytes"] / approximate["link_bytes"] / closed - 1) < 1e-3


def outcome(job: Job) -> tuple[str, str, Any]:
    return job.stdout, job.result["event_hash"], job.result["approximate"]


@pytest.mark.parametrize("mpi", BY_NAME)
def test_the_same_bits_in_every_repeat(mpi: str, tmp_path: Path) -> None:
    first = run_approximate(tmp_path / "first", BY_NAME[mpi], ("approximate", "count"))
    for name, before, options in (
        ("again", (), ()),
        ("in_time", ("env", "KUMI_RUN_AHEAD=off"), ()),
        ("ahead", ("env", "KUMI_RUN_AHEAD=on"), ()),
        ("one", (), ("--cores", "1")),
        ("two", (), ("--cores", "2")),
    ):
        other = run_approximate(
            tmp_path / name,
            BY_NAME[mpi],
            ("approximate", "count"),
            before=before,
            options=options,
        )
        assert outcome(other) == outcome(first), name
    seeded = run_approximate(
        tmp_path / "seeded", BY_NAME[mpi], ("approximate", "count"), options=("--seed", "7")
    )
    # Other bits, in the same time.
    assert seeded.result["event_hash"] == first.result["event_hash"]
    assert seeded.stdout != first.stdout


def replay_facts(folder: Path) -> dict[str, Any]:
    """What a run and the replay of its record have in common."""
    document = json.loads((folder / "result.json").read_text())
    found = document["approximate"]
    same = ("messages", "bytes", "wrong_bits", "by_function", "payload_bytes", "link_bytes")
    facts = {key: found[key] for key in (*same, "saved_ps")}
    for name, row in found["by_datatype"].items():
        facts[name] = {key: row[key] for key in ("messages", "bytes", "wrong_bits")}
    for key in ("virtual_time_ps", "event_hash", "totals", "per_rank", "per_link"):
        facts[key] = without_clock_readings(document)[key]
    return facts


def record_and_replay(
    folder: Path, mpi: Mpi, ranks: int, platform: Path, policy: str, command: list[str]
) -> list[dict[str, Any]]:
    """Run, record and replay; return what all must agree on: of the run, the recorded run, and the
    replays of the binary form and of text.
    """
    (folder / "policy.toml").write_text(policy)
    options = ("--approx", str(folder / "policy.toml"), "--seed", "3")
    job = run_simulated(mpi, ranks, command, folder / "run", platform=platform, options=options)
    facts = [replay_facts(job.folder)]
    kumihimo = str(BIN / "kumihimo")
    where = ["-n", str(ranks), "-p", str(platform), "--mpi", mpi.name, "--compute", "none", "-q"]
    schedule, text = folder / "run.bin", folder / "run.goal"
    record = [*where, *options, "-s", str(schedule), "--out", str(folder / "live")]
    run([kumihimo, "record", *record, "--detail", "summary", "--", *command])
    facts.append(replay_facts(folder / "live"))
    run([kumihimo, "schedule", "convert", str(schedule), str(text)])
    for form in (schedule, text):
        out = folder / f"replay{form.suffix}"
        replay = [str(form), "-p", str(platform), "--seed", "3", "--out", str(out)]
        run([kumihimo, "replay", *replay, *WITH_TABLES])
        facts.append(replay_facts(out))
    return facts


@pytest.mark.parametrize("links", [1, 2, 3])
@pytest.mark.parametrize("mpi", BY_NAME)
def test_a_recorded_run_replays_with_its_errors(mpi: str, links: int, tmp_path: Path) -> None:
    platform = noisy_platform(tmp_path, links, "1e-4")
    command = command_of(BY_NAME[mpi], "approximate", "count")
    facts = record_and_replay(tmp_path, BY_NAME[mpi], 4, platform, POLICY, command)
    assert facts[0]["wrong_bits"] > 1000
    assert set(facts[0]["by_function"]) == {"MPI_Send", "MPI_Sendrecv", "MPI_Allreduce"}
    for other in facts[1:]:
        assert other == facts[0]
    found = json.loads((tmp_path / "replay.goal" / "result.json").read_text())["approximate"]
    # What follows from payloads and rules.
    assert found["nan"] is found["inf"] is found["unruled"] is found["by_source"] is None
    table = pq.read_table(tmp_path / "replay.goal" / "approximate.parquet").to_pylist()
    assert sum(row["wrong_bits"] for row in table) == facts[0]["wrong_bits"]


def test_a_recorded_run_on_a_dragonfly_replays_with_its_errors(tmp_path: Path) -> None:
    # The program allows the errors; exact messages take no more than elsewhere.
    policy = 'exact_messages = "unprotected"\norder = "important_first"\nfinite = true\n'
    platform = PLATFORMS / "dragonfly256-approximate.toml"
    command = command_of(MPICH, "approximate_source")
    facts = record_and_replay(tmp_path, MPICH, 8, platform, policy, command)
    assert facts[0]["wrong_bits"] > 0
    for other in facts[1:]:
        assert other == facts[0]


def test_a_schedule_says_what_is_approximate(tmp_path: Path) -> None:
    platform = noisy_platform(tmp_path, 2, "1e-4")
    command = command_of(MPICH, "approximate", "count")
    record_and_replay(tmp_path, MPICH, 4, platform, POLICY, command)
    kumihimo = str(BIN / "kumihimo")
    text = tmp_path / "run.goal"
    assert "exact_messages protected\n" in text.read_text()
    assert re.search(r"bare interface approximate double 16 by MPI_Send\b", text.read_text())
    assert "approximate" in run([kumihimo, "schedule", "show", str(text)]).stdout
    plain = run(
        [kumihimo, "schedule", "convert", "--portable", str(text), str(tmp_path / "p.goal")]
    )
    assert "messages that may arrive with errors, written as exact ones: 100" in plain.stderr
    valiant = tmp_path / "valiant.toml"
    dragonfly = (PLATFORMS / "dragonfly256-approximate.toml").read_text()
    valiant.write_text(dragonfly + '[network]\nrouting = "valiant"\n')
    with pytest.raises(AssertionError, match='a schedule with approximate messages needs "min'):
        run([kumihimo, "replay", str(text), "-p", str(valiant)])
    # On links without noise all messages are exact.
    out = tmp_path / "quiet"
    run([kumihimo, "replay", str(text), "-p", str(PLATFORMS / "star4.toml"), "--out", str(out)])
    found = json.loads((out / "result.json").read_text())["approximate"]
    assert found["messages"] == 0
    assert found["without_noise"]["messages"] == 100


@pytest.mark.parametrize("mpi", BY_NAME)
def test_finite_numbers_stay_finite(mpi: str, tmp_path: Path) -> None:
    rule = '[[rule]]\ndatatype = "double"\nfunction = "MPI_Send"\nprotected_bits = 0\n'
    found = {}
    for name, more in (("free", ""), ("finite", "finite = true\n")):
        job = run_approximate(
            tmp_path / name,
            BY_NAME[mpi],
            ("approximate_finite", "free" if name == "free" else "finite"),
            bit_error_rate="1e-2",
            policy=rule + more,
        )
        found[name] = job.result["approximate"]
        assert "passed" in job.stdout
    assert found["finite"]["nan"] == found["finite"]["inf"] == 0
    assert found["finite"]["restored"] == found["free"]["nan"] + found["free"]["inf"] > 100
    assert found["finite"]["wrong_bits"] == found["free"]["wrong_bits"]


def test_without_a_policy_noise_changes_nothing(tmp_path: Path) -> None:
    noisy = noisy_platform(tmp_path, 2, "1e-3")
    quiet = tmp_path / "quiet.toml"
    quiet.write_text(noisy.read_text().replace("bit_error_rate = 1e-3\n", ""))
    command = command_of(MPICH, "approximate", "count")
    jobs = [
        run_simulated(MPICH, 4, command, tmp_path / path.stem, platform=path, options=FULL)
        for path in (noisy, quiet)
    ]
    assert jobs[0].result["event_hash"] == jobs[1].result["event_hash"]
    assert "wrong 0" in jobs[0].stdout
    assert "approximate" not in jobs[0].result
    assert "approximate" not in jobs[0].cards


def test_exact_messages_are_protected_unless_the_policy_says_otherwise(tmp_path: Path) -> None:
    rule = '[[rule]]\ndatatype = "double"\nexact = true\n'
    jobs = {
        words: run_approximate(
            tmp_path / words,
            MPICH,
            ("approximate", "count"),
            policy=f'exact_messages = "{words}"\n{rule}',
        )
        for words in ("protected", "unprotected")
    }
    assert all("wrong 0" in job.stdout for job in jobs.values())
    assert (
        jobs["protected"].result["virtual_time_ps"] > jobs["unprotected"].result["virtual_time_ps"]
    )
    plain = run_simulated(
        MPICH,
        4,
        command_of(MPICH, "approximate", "count"),
        tmp_path / "plain",
        platform=tmp_path / "unprotected" / "noisy.toml",
    )
    assert plain.result["event_hash"] == jobs["unprotected"].result["event_hash"]


@pytest.mark.parametrize(
    ("mpi", "program", "datatype", "function"),
    [
        (OPEN_MPI, "fortran_mpif", "double", "MPI_Isend"),
        (OPEN_MPI, "fortran_use", "double", "MPI_Allreduce"),
        (OPEN_MPI, "fortran_f08", "int32", "MPI_Sendrecv"),
        (MPICH, "py_messages", "double", "MPI_Send"),
        (MPICH, "derived_types", "double", "MPI_Sendrecv"),
        (OPEN_MPI, "derived_types", "double", "MPI_Sendrecv"),
        (MPICH, "collectives", "double", "MPI_Allreduce"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_numbers_are_known_in_every_language(
    mpi: Mpi, program: str, datatype: str, function: str, tmp_path: Path
) -> None:
    """At this rate no bit is wrong, so that programs find what they expect."""
    policy = POLICY.replace('"double complex"', '"float complex", "double complex"').replace(
        "protected_bits = 16", "protected_bits = 12"
    )
    policy += '[[rule]]\ndatatype = "int32"\nforce = true\nprotected_bits = 0\n'
    job = run_approximate(tmp_path, mpi, (program,), bit_error_rate="1e-15", policy=policy)
    approximate = job.result["approximate"]
    assert approximate["by_datatype"][datatype]["messages"] > 0
    assert approximate["by_function"][function]["messages"] > 0
    assert approximate["wrong_bits"] == 0


@pytest.mark.parametrize(("protected_bits", "converges"), [(32, True), (16, False)])
def test_conjugate_gradients_converge(protected_bits: int, converges: bool, tmp_path: Path) -> None:
    """Halos with errors, exact sums: what is left of the error is what the open bits are worth."""
    (tmp_path / "policy.toml").write_text(
        '[[rule]]\ndatatype = "double"\nfunction = "MPI_Sendrecv"\n'
        f"protected_bits = {protected_bits}\n"
    )
    script = ROOT / "examples" / "apps" / "conjugate_gradient.py"
    # The program's exit status says whether it has found its solution to 1e-7.
    ending = "" if converges else " || true"
    command = ["sh", "-c", f'"$0" "$@"{ending}', sys.executable, str(script)]
    job = run_simulated(
        MPICH,
        4,
        command,
        tmp_path / "result",
        platform=noisy_platform(tmp_path, 2, "1e-5"),
        options=("--approx", str(tmp_path / "policy.toml")),
    )
    found = re.search(r"(\d+) iterations, largest error (\S+): (\w+)", job.stdout)
    assert found is not None
    assert (found[3] == "VERIFIED") == converges
    assert float(found[2]) < (1e-8 if converges else 1e-3)
    assert job.result["approximate"]["wrong_bits"] > 10


@pytest.mark.parametrize("mpi", BY_NAME)
def test_rules_speak_of_communicators(mpi: str, tmp_path: Path) -> None:
    rule = '[[rule]]\ndatatype = "double"\nprotected_bits = 16\n'
    policy = (
        f'{rule}communicator = "halo"\nmost_members = 2\n{rule}fewest_members = 3\n'
        f'communicator = "MPI_COMM_WORLD"\n{rule}most_members = 2\n{rule}communicator = "hal"\n'
    )
    job = run_approximate(tmp_path, BY_NAME[mpi], ("approximate_communicators",), policy=policy)
    # Halves, all ranks, pairs; all ranks under the halves' name are not spoken of.
    rows = [row["messages"] for row in job.result["approximate"]["by_rule"]]
    assert rows == [4, 4, 4, 0]
    assert job.result["approximate"]["unruled"]["bytes"] >= 4 * 8_000
    # Longer lines are broken.
    assert "policy.toml:15: no message fits this rule" in " ".join(job.stderr.split())


@pytest.mark.parametrize("mpi", BY_NAME)
def test_rules_speak_of_places_in_the_program(mpi: str, tmp_path: Path) -> None:
    source = PROGRAMS / "approximate_sites.c"
    program = tmp_path / "approximate_sites"
    compiler = BY_NAME[mpi].compilers[".c"]
    run([compiler, "-g", "-O1", str(source), "-o", str(program)])
    lines = source.read_text().splitlines()
    # What is between a comment and the next one.
    first, second, third = (
        next(number for number, line in enumerate(lines, 2) if f"/* {name} */" in line)
        for name in ("first", "second", "third")
    )
    rule = '[[rule]]\ndatatype = "double"\nprotected_bits = 16\n'

    def run_with(policy: str, folder: str, *options: str) -> Job:
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "policy.toml"
        path.write_text(policy)
        return run_simulated(
            *(BY_NAME[mpi], 4, [str(program)], tmp_path / folder / "result"),
            platform=noisy_platform(tmp_path / folder, 2, "1e-4"),
            options=("--approx", str(path), "--profile-calls", *options),
        )

    sites = f'site = ["{source.name}:{second}", "{source.name}:{third}"]'
    job = run_with(f'{rule}site = "{source.name}:{first}"\n{rule}{sites}\n', "lines")
    rows = [row["messages"] for row in job.result["approximate"]["by_rule"]]
    assert rows[0] == 4
    # Ranks send several messages in MPI_Allreduce.
    assert rows[1] >= 4 + 8
    assert job.result["approximate"]["unruled"]["messages"] == 0
    # The same by return addresses, as a profile lists them.
    table = pq.read_table(job.folder / "call_sites.parquet").to_pylist()
    places = {
        f"{row['module']}+{row['offset']:#x}" for row in table if row["function"] == "MPI_Sendrecv"
    }
    assert len(places) == 2
    listed = ", ".join(f'"{place}"' for place in sorted(places))
    again = run_with(f"{rule}site = [{listed}]\n", "places", "--cores", "2")
    assert [row["messages"] for row in again.result["approximate"]["by_rule"]] == [8]
    with pytest.raises(AssertionError, match=r"policy\.toml:1: rule\[0\]\.site: .*was it compiled"):
        run_with(f'{rule}site = "{source.name}:1"\n', "nothing")


@pytest.mark.parametrize("program", ["fortran_mpif", "fortran_f08"])
def test_communicators_are_known_in_fortran(program: str, tmp_path: Path) -> None:
    policy = (
        '[[rule]]\ndatatype = ["double", "int32"]\ncommunicator = "MPI_COMM_WORLD"\n'
        "fewest_members = 4\nforce = true\nprotected_bits = 16\n"
    )
    job = run_approximate(tmp_path, OPEN_MPI, (program,), bit_error_rate="1e-15", policy=policy)
    assert job.result["approximate"]["by_rule"][0]["messages"] > 0


def test_a_mistake_in_the_policy_ends_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"policy\.toml:2: rule\[0\]\.datatype: expected one"):
        run_approximate(
            tmp_path, MPICH, ("approximate",), policy='[[rule]]\ndatatype = "real"\nexact = true\n'
        )
    assert not (tmp_path / "result").exists()


def test_links_without_noise_are_warned_of(tmp_path: Path) -> None:
    (tmp_path / "policy.toml").write_text(POLICY)
    job = run_simulated(
        MPICH,
        4,
        command_of(MPICH, "approximate", "count"),
        tmp_path / "result",
        platform=PLATFORMS / "star4.toml",
        options=("--approx", str(tmp_path / "policy.toml")),
    )
    assert "warning: --approx has no effect: no link of" in job.stderr
    assert job.result["approximate"]["without_noise"]["messages"] > 0
    assert "wrong 0" in job.stdout
