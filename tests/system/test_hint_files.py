"""`run --hints`: a program without hints does what it would do with them in its source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs import (
    BIN,
    BY_NAME,
    MPICH,
    PROGRAMS,
    WITH_TABLES,
    Job,
    Mpi,
    build,
    command_of,
    run,
    run_native,
    run_simulated,
)
from services import FINE, PLATFORM, rows_of

SHIFT = 'function = "MPI_Sendrecv"'
# The program `services` has two rounds of 200 shifts.
REGION = """\
[[region]]
from = { SHIFT, call = 1, every = 200 }
to = { SHIFT, call = 200, every = 200 }
"""
SHIFTS_ALONE = ("200", "10240", "none")


def run_hinted(
    folder: Path,
    hints: str | None,
    program: list[str],
    *options: str,
    mpi: Mpi = MPICH,
    before: tuple[str, ...] = (),
    keys: str = "",
    shift: str = SHIFT,
) -> Job:
    folder.mkdir(parents=True)
    platform = folder / "platform.toml"
    platform.write_text(PLATFORM + keys)
    if hints is not None:
        (folder / "hints.toml").write_text(hints.replace("SHIFT", shift))
        options = ("--hints", str(folder / "hints.toml"), *options)
    job = run_simulated(
        *(mpi, 8, program, folder / "out"),
        platform=platform,
        options=(*WITH_TABLES, "--service", "hint", *options),
        before=before,
    )
    assert job.stdout == FINE
    return job


def outcome(job: Job) -> tuple[Any, ...]:
    """Return times, connections and memory; not the hints that `services` passes wrongly."""
    rows = [{**row, "kernel_unbegun": 0} for row in rows_of(job)]
    service: Mapping[str, Any] = {
        key: value for key, value in job.result["service"].items() if key != "wrong_nesting"
    }
    return job.result["event_hash"], job.result["virtual_time_ps"], service, rows


@pytest.mark.parametrize("mpi", BY_NAME)
def test_a_file_does_what_hints_in_the_source_do(mpi: str, tmp_path: Path) -> None:
    chosen = BY_NAME[mpi]
    plain = command_of(chosen, "services_plain")
    inside = outcome(
        run_hinted(tmp_path / "inside", None, command_of(chosen, "services"), mpi=chosen)
    )
    without = outcome(run_hinted(tmp_path / "without", None, plain, mpi=chosen))
    assert without[2]["most_connections"] == 0
    assert without[0] != inside[0]
    for name, before, options in (
        ("default", (), ()),
        ("in_time", ("env", "KUMI_RUN_AHEAD=off"), ()),
        ("two", (), ("--cores", "2")),
    ):
        job = run_hinted(tmp_path / name, REGION, plain, *options, mpi=chosen, before=before)
        assert outcome(job) == inside, name
        assert "missed_hints" not in job.result
        assert (
            "wrong_nesting" not in job.result["service"]
            or not job.result["service"]["wrong_nesting"]
        )


@pytest.fixture(scope="module")
def with_lines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    binary = tmp_path_factory.mktemp("program") / "plain"
    source = PROGRAMS / "services_plain.c"
    include = PROGRAMS.parents[1] / "include"
    run([str(BIN / "mpicc"), "-O1", "-g", "-I", str(include), str(source), "-o", str(binary)])
    return binary


def test_places_are_named_as_profiles_print_them(with_lines: Path, tmp_path: Path) -> None:
    expected = outcome(run_hinted(tmp_path / "function", REGION, [str(with_lines)]))
    profiled = run_hinted(tmp_path / "profile", None, [str(with_lines)], "--profile-calls")
    sites = pq.read_table(profiled.folder / "call_sites.parquet").to_pylist()
    (shift,) = (site for site in sites if site["function"] == "MPI_Sendrecv")
    (sums,) = (site for site in sites if site["function"] == "MPI_Allreduce")
    for name, place in (
        ("offset", f"plain+{shift['offset']:#x}"),
        ("path", f"{shift['module']}+{shift['offset']:#x}"),
        ("line", f"services.c:{shift['line']}"),
    ):
        at = f'{SHIFT}, site = "{place}"'
        assert outcome(run_hinted(tmp_path / name, REGION, [str(with_lines)], shift=at)) == expected
    at = f'{SHIFT}, site = "services.c:{sums["line"]}"'
    other = run_hinted(tmp_path / "other", REGION, [str(with_lines)], shift=at)
    assert other.result["service"]["most_connections"] == 0
    assert [
        (each["key"], each["ranks"], each["most_calls"]) for each in other.result["missed_hints"]
    ] == [
        ("region[0].from", 8, 0),
        ("region[0].to", 8, 0),
    ]


def test_a_profile_proposes_a_file(with_lines: Path, tmp_path: Path) -> None:
    profiled = run_hinted(tmp_path / "profile", None, [str(with_lines)], "--profile-calls")
    proposed = run([str(BIN / "kumihimo"), "hints", str(profiled.folder)]).stdout
    assert "services.c:" in proposed
    job = run_hinted(tmp_path / "proposed", proposed, [str(with_lines)])
    # The sums of the second round lie between the first and the last call.
    assert job.result["service"]["most_connections"] >= 2
    assert "missed_hints" not in job.result
    plain = run_hinted(tmp_path / "plain", None, [str(with_lines)])
    with pytest.raises(AssertionError, match="has no profile of calls; run with --profile-calls"):
        run([str(BIN / "kumihimo"), "hints", str(plain.folder)])


def test_what_is_not_reached_is_told(tmp_path: Path) -> None:
    late = "[[region]]\nfrom = { SHIFT, call = 3 }\nto = { SHIFT, call = 401 }\nranks = [2, 5]\n"
    program = command_of(MPICH, "services_plain", *SHIFTS_ALONE)
    job = run_hinted(tmp_path / "late", late, program)
    assert job.result["missed_hints"] == [
        {"call": 401, "key": "region[0].to", "line": 3, "most_calls": 400, "ranks": 2}
    ]
    words = " ".join(job.stderr.split())
    assert (
        "hints.toml:3: region[0].to: 2 of 8 ranks did not reach call 401: there were 400" in words
    )
    assert [row["asked"] for row in rows_of(job)] == [0, 0, 1, 0, 0, 1, 0, 0]


def test_single_hints_act_at_their_calls(tmp_path: Path) -> None:
    keys = '[mpi]\neager_limit = "1 KiB"\n'
    platform = PLATFORM.replace("[mpi]\n", keys)
    program = command_of(MPICH, "services_plain", *SHIFTS_ALONE)
    (tmp_path / "platform.toml").write_text(platform)
    hints = tmp_path / "hints.toml"
    hints.write_text(
        '[[hint]]\nkey = "EAGER"\nvalue = "16 KiB"\nbefore = { SHIFT, call = 11 }\n'
        '[[hint]]\nkey = "EAGER"\nvalue = "0"\nafter = { SHIFT, call = 390 }\n'.replace(
            "SHIFT", SHIFT
        )
    )
    job = run_simulated(
        *(MPICH, 8, program, tmp_path / "out"),
        platform=tmp_path / "platform.toml",
        options=("--hints", str(hints)),
    )
    # A request to send, one for the data, and one that they have come: of the others.
    assert job.result["totals"]["control_messages"] == 3 * 8 * 20
    assert "has no effect" not in job.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "hints.toml:1: no hints; expected [[region]] or [[hint]]"),
        ("[[regoin]]\n", "hints.toml:1: regoin: unknown key; did you mean region?"),
        ("[[region]]\nfrom = { SHIFT }\n", "hints.toml:1: region[0]: to: missing"),
        (REGION + 'key = "EAGER"\n', 'hints.toml:4: region[0].key: expected "IN_KERNEL" or'),
        (
            REGION + "ranks = [8]\n",
            "hints.toml:2: region[0].from: there is no rank 8: the run has 8",
        ),
        (REGION + "ranks = 3\n", "hints.toml:4: region[0].ranks: expected a list of ranks"),
        (
            REGION.replace("call = 200", "call = 0"),
            "hints.toml:3: region[0].to.call: expected a whole number from 1",
        ),
        (
            REGION.replace("SHIFT", 'function = "send"', 1),
            'hints.toml:2: region[0].from.function: expected a name such as "MPI_Send"',
        ),
        (
            REGION.replace("SHIFT", 'SHIFT, site = "plain"', 1),
            'hints.toml:2: region[0].from.site: expected a place such as "a.out+0x1234"',
        ),
        (
            REGION.replace("SHIFT", 'SHIFT, site = "services.c:1"', 1),
            "hints.toml:2: region[0].from.site: ",
        ),
        (
            '[[hint]]\nkey = "EAGER"\nvalue = "much"\nbefore = { SHIFT }\n',
            "hints.toml:3: hint[0].value: ",
        ),
        (
            '[[hint]]\nkey = "WAKE"\nvalue = "all"\nbefore = { SHIFT }\n',
            "hints.toml:2: hint[0].key: expected one of",
        ),
        (
            '[[hint]]\nkey = "INIT_DONE"\nvalue = "0"\nbefore = { SHIFT }\nafter = { SHIFT }\n',
            "hints.toml:1: hint[0]: expected either before or after",
        ),
    ],
)
def test_wrong_files_name_line_and_key(text: str, expected: str, tmp_path: Path) -> None:
    program = [str(build(MPICH, PROGRAMS / "services_plain.c"))]
    with pytest.raises(AssertionError) as caught:
        run_hinted(tmp_path / "wrong", text, program)
    assert expected in str(caught.value)
    assert not (tmp_path / "wrong" / "out").exists()


@pytest.mark.parametrize("mpi", BY_NAME)
def test_the_compiler_puts_hints_where_the_source_has_them(mpi: str, tmp_path: Path) -> None:
    chosen = BY_NAME[mpi]
    binary = tmp_path / "compiled"
    source = PROGRAMS / "services_plain.c"
    command = [str(BIN / "kumihimo"), "cc", "--mpi", mpi, "--hints", "--no-count", "-O2"]
    built = run([*command, str(source), "-o", str(binary), "-lm", "-ldl"])
    line = line_of("i < shifts")
    assert f"services.c:{line}: IN_KERNEL around the loop" in built.stderr
    for what in ("sums", "all"):
        arguments = ["200", "10240", what]
        program = command_of(chosen, "services", *arguments)
        inside = run_hinted(tmp_path / f"inside-{what}", None, program, mpi=chosen)
        command = [str(binary), *arguments]
        compiled = run_hinted(tmp_path / f"compiled-{what}", None, command, mpi=chosen)
        assert outcome(compiled) == outcome(inside)
        assert compiled.result["service"]["most_connections"] == 2
    assert run_native(chosen, 4, [str(binary)]) == FINE


def line_of(text: str) -> int:
    lines = (PROGRAMS / "services.c").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)
