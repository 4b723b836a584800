"""Errors that the program itself allows, by kumihimo/approx.h and its likes."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest

from jobs import BY_NAME, MPICH, OPEN_MPI, Job, Mpi, command_of, run_native, run_simulated
from noisy_platform import noisy_platform

RATE = 3e-4
WORDS = 20_000
RANKS = 4
# Of each case of the C program: words that one rank sends, and unprotected bits of each.
CASES = {
    "double": (WORDS, 48),
    "double again": (WORDS, 24),
    "float": (2 * WORDS, 23),
    "complex": (WORDS, 52),
    "integer": (WORDS, 16),
    "duplicate": (WORDS, 48),
    "contiguous": (WORDS, 48),
    "structure": (WORDS, 32),
    "with plain numbers": (WORDS, 0),
    "with integers": (WORDS, 0),
    "vector": (WORDS, 48),
    "plain": (WORDS, 0),
}
LANGUAGES = [
    (OPEN_MPI, "approximate_source_mpif"),
    (OPEN_MPI, "approximate_source_f08"),
    (MPICH, "approximate_source_cxx"),
    (OPEN_MPI, "approximate_source_cxx"),
    (MPICH, "py_approximate_source"),
    (OPEN_MPI, "py_approximate_source"),
]
TOLD = {
    "approximate_source_mpif": ["type", "argument"],
    "approximate_source_f08": ["type", "argument"],
    "approximate_source_cxx": [],
    "py_approximate_source": ["type", "type", "success", "argument"],
}


def run_source(
    folder: Path,
    mpi: Mpi,
    *program: str,
    approx: str | None = "source",
    bit_error_rate: float = RATE,
    links: int = 2,
    modulation: str = "qam1024",
    options: tuple[str, ...] = (),
) -> Job:
    """Run a program where it alone allows errors, or the text of a policy does, or neither does."""
    folder.mkdir(exist_ok=True)
    if approx not in (None, "source"):
        (folder / "policy.toml").write_text(approx)
        approx = str(folder / "policy.toml")
    return run_simulated(
        mpi,
        RANKS,
        command_of(mpi, *program),
        folder / "result",
        platform=noisy_platform(folder, links, f"{bit_error_rate:g}", modulation=modulation),
        options=(*(("--approx", approx) if approx else ()), *options),
    )


def expected_bits(words: int, open_bits: int, links: int) -> float:
    """Of all ranks: a bit is wrong if an odd number of links turned it round."""
    return RANKS * words * open_bits * (1 - (1 - 2 * RATE) ** links) / 2


def words_of(text: str) -> str:
    """Return the text of a terminal as if it had no lines."""
    return " ".join(text.split())


def wrong_bits(text: str) -> dict[str, int]:
    return {name: int(bits) for name, bits in re.findall(r"^(.+) wrong (\d+)$", text, re.M)}


@pytest.mark.parametrize("links", [1, 4])
@pytest.mark.parametrize("mpi", BY_NAME)
def test_bits_are_wrong_where_the_program_allows_it(mpi: str, links: int, tmp_path: Path) -> None:
    job = run_source(tmp_path, BY_NAME[mpi], "approximate_source", "count", links=links)
    found = wrong_bits(job.stdout)
    assert found.keys() == CASES.keys()
    for case, (words, open_bits) in CASES.items():
        expected = expected_bits(words, open_bits, links)
        assert abs(found[case] - expected) <= 5 * math.sqrt(expected) + 0.01 * expected, case
    approximate = job.result["approximate"]
    by_source = approximate["by_source"]
    assert by_source["messages"] == approximate["messages"] > 9 * RANKS
    assert by_source["bytes"] == approximate["bytes"]
    assert approximate["by_rule"] == []
    assert set(approximate["by_function"]) == {"MPI_Sendrecv", "MPI_Bcast"}
    assert f"{by_source['messages']} by the program's word" in words_of(job.stderr)


@pytest.mark.parametrize("mpi", BY_NAME)
def test_the_program_decides_before_the_rules(mpi: str, tmp_path: Path) -> None:
    rule = '[[rule]]\ndatatype = "double"\nfunction = "MPI_Sendrecv"\nexact = true\n'
    alone = run_source(tmp_path / "alone", BY_NAME[mpi], "approximate_source", "count")
    ruled = run_source(
        tmp_path / "ruled",
        BY_NAME[mpi],
        *("approximate_source", "count"),
        approx=f'{rule}[[rule]]\ndatatype = "double"\nprotected_bits = 60\n',
    )
    assert ruled.stdout == alone.stdout
    assert ruled.result["event_hash"] == alone.result["event_hash"]
    found = ruled.result["approximate"]
    assert found["by_source"] == alone.result["approximate"]["by_source"]
    # The plain one, and the structure of both.
    assert found["by_rule"][0]["messages"] == 2 * RANKS
    assert found["by_rule"][1]["messages"] == 0


@pytest.mark.parametrize("mpi", BY_NAME)
def test_rules_allow_errors_where_the_program_does_not(mpi: str, tmp_path: Path) -> None:
    policy = '[[rule]]\ndatatype = "double"\nfunction = "MPI_Send"\nprotected_bits = 16\n'
    job = run_source(tmp_path, BY_NAME[mpi], "approximate", "count", approx=policy)
    approximate = job.result["approximate"]
    assert approximate["by_source"]["messages"] == 0
    assert approximate["by_rule"][0]["messages"] > 0


def outcome(job: Job) -> tuple[str, str, Any]:
    return job.stdout, job.result["event_hash"], job.result["approximate"]


@pytest.mark.parametrize("mpi", BY_NAME)
def test_the_same_bits_in_every_repeat(mpi: str, tmp_path: Path) -> None:
    first = run_source(tmp_path / "first", BY_NAME[mpi], "approximate_source", "count")
    for name, options in (("again", ()), ("one", ("--cores", "1")), ("two", ("--cores", "2"))):
        other = run_source(
            tmp_path / name, BY_NAME[mpi], "approximate_source", "count", options=options
        )
        assert outcome(other) == outcome(first), name


@pytest.mark.parametrize("mpi", BY_NAME)
def test_without_the_option_nothing_is_changed(mpi: str, tmp_path: Path) -> None:
    noisy = run_source(tmp_path / "noisy", BY_NAME[mpi], "approximate_source", "count", approx=None)
    quiet = run_simulated(
        BY_NAME[mpi],
        RANKS,
        command_of(BY_NAME[mpi], "approximate_source", "count"),
        tmp_path / "quiet",
        platform=noisy_platform(tmp_path, 2, "none"),
    )
    assert set(wrong_bits(noisy.stdout).values()) == {0}
    assert noisy.stdout == quiet.stdout
    assert noisy.result["event_hash"] == quiet.result["event_hash"]
    assert "approximate" not in noisy.result


@pytest.mark.parametrize("mpi", BY_NAME)
def test_what_cannot_be_is_told_to_the_program(mpi: str, tmp_path: Path) -> None:
    expected = {
        "all bits": "success",
        "more bits": "argument",
        "fewer bits": "argument",
        "more bits of a part": "argument",
        "bytes": "type",
        "bytes by force": "type",
        "integers": "type",
        "integers by force": "success",
        "mixture": "type",
    }
    job = run_source(tmp_path, BY_NAME[mpi], "approximate_errors", approx=None)
    found = dict(re.findall(r"^([\w ]+): (\w+)$", job.stdout, re.MULTILINE))
    assert {name: found[name] for name in expected} == expected
    native = run_native(BY_NAME[mpi], 2, command_of(BY_NAME[mpi], "approximate_errors"))
    found = dict(re.findall(r"^([\w ]+): (\w+)$", native, re.MULTILINE))
    assert {name: found[name] for name in expected} == dict.fromkeys(expected, "success")


@pytest.mark.parametrize(
    ("mpi", "program"), LANGUAGES, ids=[f"{program}-{mpi.name}" for mpi, program in LANGUAGES]
)
def test_every_language_allows_errors(mpi: Mpi, program: str, tmp_path: Path) -> None:
    job = run_source(tmp_path, mpi, program, "count")
    told = [line for line in job.stdout.splitlines() if " wrong " not in line]
    assert told[:-1] == TOLD[program]
    assert "passed" in told[-1]
    found = wrong_bits(job.stdout)
    assert "double" in found
    for case, bits in found.items():
        words, open_bits = CASES[case]
        expected = expected_bits(words, open_bits, 2)
        assert abs(bits - expected) <= 5 * math.sqrt(expected) + 0.01 * expected, case
    assert job.result["approximate"]["by_source"]["messages"] == len(found) * RANKS
    native = wrong_bits(run_native(mpi, RANKS, command_of(mpi, program, "count")))
    assert native == dict.fromkeys(found, 0)


def test_the_policy_says_how_such_messages_arrive(tmp_path: Path) -> None:
    policy = 'order = "important_first"\nfinite = true\n'
    jobs = [
        run_source(tmp_path / str(rank), MPICH, "approximate_source", "count", approx=text)
        for rank, text in enumerate(("source", policy))
    ]
    found = [job.result["approximate"] for job in jobs]
    plain, important = (one["by_datatype"]["double"]["wrong_bits"] for one in found)
    # 48, 24 and 32 of 64 bits are open: those of the last type with 16 protected bits go first.
    assert sum(important[16:24]) < sum(plain[16:24]) / 3
    assert sum(important[-8:]) > 1.3 * sum(plain[-8:])
    assert found[0]["by_source"] == found[1]["by_source"]
    assert jobs[0].result["virtual_time_ps"] == jobs[1].result["virtual_time_ps"]


def test_links_that_protect_nothing_are_exact(tmp_path: Path) -> None:
    job = run_source(tmp_path, MPICH, "approximate_source", "count", modulation="nrz")
    approximate = job.result["approximate"]
    assert set(wrong_bits(job.stdout).values()) == {0}
    assert approximate["unprotectable"]["messages"] == approximate["by_source"]["messages"] > 0
    assert "on links that protect no bits" in words_of(job.stderr)


def test_a_program_that_allows_nothing_is_remarked(tmp_path: Path) -> None:
    job = run_source(tmp_path, MPICH, "approximate")
    assert "no message is of a datatype in which the program allows errors" in words_of(job.stderr)
