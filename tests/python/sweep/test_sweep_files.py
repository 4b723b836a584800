"""Sweep files: which points they have, and what is said about wrong ones."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.sweep.keys import TABLE
from kumihimo.sweep.points import Point, points_of
from kumihimo.sweep.reader import load_sweep
from kumihimo.sweep.reference import EXAMPLE, reference_page
from star_platform import NETWORK_ONLY, STAR_PLATFORM

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "reference" / "sweep.md"
PLATFORMS = ROOT / "platforms"
SWEEP = """\
platform = "platforms/star.toml"
programs = ["./ring 10", "./ring 20"]
ranks = [2, 4]
seeds = [0, 7]

[parameters]
link.latency = ["100 ns", "1 us"]
"mpi.eager_limit" = ["8 KiB"]
"""


def points(folder: Path, sweep: str = SWEEP, platform: str = STAR_PLATFORM) -> list[Point]:
    (folder / "platforms").mkdir(exist_ok=True)
    (folder / "platforms" / "star.toml").write_text(platform)
    (folder / "ring").write_text("one program")
    (folder / "ring").chmod(0o755)
    for name in ("a.goal", "b.goal"):
        (folder / name).touch()
    (folder / "sweep.toml").write_text(sweep)
    return points_of(load_sweep(folder / "sweep.toml"))


def problem_of(folder: Path, sweep: str) -> str:
    with pytest.raises(UserError) as error:
        points(folder, sweep)
    heading, told = error.value.message.split("\n", 1)
    assert heading == "1 problem in the sweep file"
    return told.removeprefix(f"{folder}/")


def test_points_are_all_combinations_in_order(tmp_path: Path) -> None:
    found = points(tmp_path)
    assert len(found) == 16
    assert len({point.identity for point in found}) == 16
    assert found[0].values == {
        "link.latency": "100 ns",
        "link.latency_ps": 100_000,
        "mpi.eager_limit": "8 KiB",
        "mpi.eager_limit_bytes": 8192,
        "kind": "program",
        "command": "./ring 10",
        "ranks": 2,
        "seed": 0,
    }
    names = ("seed", "ranks", "command", "link.latency_ps")
    assert [tuple(point.values[name] for name in names) for point in found[:5]] == [
        (0, 2, "./ring 10", 100_000),
        (7, 2, "./ring 10", 100_000),
        (0, 4, "./ring 10", 100_000),
        (7, 4, "./ring 10", 100_000),
        (0, 2, "./ring 20", 100_000),
    ]
    assert found[8].values["link.latency"] == "1 µs"


def test_points_say_how_they_are_run(tmp_path: Path) -> None:
    sweep = SWEEP + '[run]\nmpi = "mpich"\nmax_virtual_time = "2 s"\ndetail = "full"\n'
    (point, *_) = points(tmp_path, sweep)
    assert point.keeps
    assert point.folder == str(tmp_path)
    assert " ".join(point.arguments) == (
        "run --ranks 2 --seed 0 --detail full --compute none --cores 1 --mpi mpich "
        "--max-virtual-time 2 s "
        "-- ./ring 10"
    )


def test_replays_are_points_too(tmp_path: Path) -> None:
    sweep = """\
platform = "platforms/star.toml"
patterns = "alltoall/pairwise --bytes 1KiB"
schedules = ["a.goal", "b.goal"]
ranks = [2, 4]
"""
    assert [" ".join(point.arguments) for point in points(tmp_path, sweep)] == [
        "replay --pattern alltoall/pairwise --bytes 1KiB --ranks 2 --seed 0 --detail summary",
        "replay --pattern alltoall/pairwise --bytes 1KiB --ranks 4 --seed 0 --detail summary",
        "replay a.goal --seed 0 --detail summary",
        "replay b.goal --seed 0 --detail summary",
    ]
    limited = points(tmp_path, sweep + '[run]\nmax_virtual_time = "2 s"\n')
    assert limited[2].arguments[-2:] == ("--max-virtual-time", "2 s")


def test_hashes_follow_what_can_change_a_result(tmp_path: Path) -> None:
    before = [point.identity for point in points(tmp_path)]
    other_words = SWEEP.replace('"1 us"', '"1000 ns"')
    assert [point.identity for point in points(tmp_path, other_words)] == before
    commented = 'name = "another"\n' + STAR_PLATFORM
    assert [point.identity for point in points(tmp_path, platform=commented)] == before
    faster = STAR_PLATFORM.replace("8 Gb/s", "9 Gb/s")
    assert not set(before) & {point.identity for point in points(tmp_path, platform=faster)}
    longer = points(tmp_path, SWEEP.replace("[0, 7]", "[0, 7, 8]"))
    assert set(before) < {point.identity for point in longer}
    (tmp_path / "ring").write_text("another program")
    (tmp_path / "sweep.toml").write_text(SWEEP)
    rebuilt = points_of(load_sweep(tmp_path / "sweep.toml"))
    assert not set(before) & {point.identity for point in rebuilt}


def test_a_platform_of_simgrid_is_varied_too(tmp_path: Path) -> None:
    (tmp_path / "bus.xml").write_text(
        '<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/>'
        '<host id="b" speed="1Gf"/><link id="l" bandwidth="1Gbps" latency="1us"/>'
        '<route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>'
    )
    sweep = 'platform = "bus.xml"\nprograms = "./ring"\nranks = 2\n[parameters]\n'
    found = points(tmp_path, sweep + 'mpi.eager_limit = ["1 KiB", "2 KiB"]\n')
    assert [point.values["mpi.eager_limit_bytes"] for point in found] == [1024, 2048]
    assert f'file = "{tmp_path}/bus.xml"' in found[0].platform


PROBLEMS = [
    ("platform = ", "sweep.toml:1: no valid TOML at the end of the file: Invalid value"),
    (
        SWEEP.replace("seeds", "seed"),
        "sweep.toml:4: seed: unknown key; did you mean seeds?",
    ),
    (
        SWEEP.replace("[2, 4]", "[2, 0]"),
        "sweep.toml:3: ranks: value 2 of the list: expected a whole number from 1 to 2097152, "
        "found 0",
    ),
    (
        SWEEP.replace('"./ring 10", ', '"./ring \'10", '),
        'sweep.toml:2: programs: "./ring \'10" is no command line: No closing quotation',
    ),
    (
        SWEEP.replace('"./ring 10", ', '" ", '),
        'sweep.toml:2: programs: expected a command line such as "./halo 64", or a list of them, '
        "found ' '",
    ),
    (
        SWEEP.replace("programs", "schedule_s"),
        "sweep.toml:2: schedule_s: unknown key; did you mean schedules?",
    ),
    (
        SWEEP.replace('programs = ["./ring 10", "./ring 20"]', ""),
        "sweep.toml:1: schedules: expected at least one of programs, patterns and schedules",
    ),
    (
        SWEEP.replace("link.latency", "link.latencey"),
        "sweep.toml:7: parameters.link.latencey: is no key of platform files; did you mean "
        "link.latency?",
    ),
    (
        SWEEP.replace("link.latency", "latency"),
        "sweep.toml:7: parameters.latency: is no key of platform files; did you mean "
        "link.latency or host_link.latency or switch_link.latency or local.latency or "
        "global.latency or switch.latency or loopback.latency or mpi.matching.posted.latency or "
        "mpi.matching.unexpected.latency?",
    ),
    (
        SWEEP.replace('["100 ns", "1 us"]', '"100 ns"'),
        "sweep.toml:7: parameters.link.latency: expected a list of values to go through, found "
        'the text "100 ns"',
    ),
    (
        SWEEP.replace('["100 ns", "1 us"]', "[]"),
        "sweep.toml:7: parameters.link.latency: expected a list of values to go through, found an "
        "empty list",
    ),
    (
        SWEEP.replace('"1 us"', '"1 u"'),
        'sweep.toml:7: parameters.link.latency: value 2 of the list: unknown unit "u" (did you '
        'mean us?); expected a duration such as "100 ns" (units: ps, ns, us, ms, s)',
    ),
    (
        SWEEP.replace('"1 us"', '"0.1 us"'),
        "sweep.toml:7: parameters.link.latency: expected each value once, found one of them twice",
    ),
    (
        SWEEP.replace('"mpi.eager_limit"', "link.latency").replace("8 KiB", "5 ns"),
        None,
    ),
    (
        SWEEP.replace('"mpi.eager_limit" = ["8 KiB"]', "topology.sizes = [[2, 2]]"),
        "sweep.toml:6: parameters: with link.latency = 100 ns, topology.sizes = [2, 2]: "
        'topology.sizes: applies only with topology.kind = "torus" or "mesh", but it is "star"',
    ),
    (
        SWEEP.replace("[parameters]", 'parameters = "none"\n[run]')
        .replace("link.latency", "#")
        .replace('"mpi.eager_limit"', "#"),
        'sweep.toml:6: parameters: expected one section [parameters], found the text "none"',
    ),
    (
        SWEEP.replace("[parameters]", 'patterns = ["barrier", "barrierr"]\n[parameters]'),
        'sweep.toml:6: patterns: "barrierr" with 2 ranks: --pattern barrierr: there is no pattern '
        f"'barrierr', only {', '.join(_core.pattern_kinds())}",
    ),
    (
        SWEEP.replace("[parameters]", 'patterns = "alltoall --byte 1KiB"\n[parameters]'),
        'sweep.toml:6: patterns: "alltoall --byte 1KiB": No such option: --byte',
    ),
    (
        SWEEP.replace("[parameters]", 'patterns = "alltoall"\n[parameters]'),
        'sweep.toml:6: patterns: "alltoall" with 2 ranks: --pattern alltoall: the pattern '
        "alltoall/pairwise needs --bytes",
    ),
    (
        SWEEP.replace("[parameters]", 'patterns = "incast -b 1B --root 3"\n[parameters]'),
        'sweep.toml:6: patterns: "incast -b 1B --root 3" with 2 ranks: --pattern incast: the root '
        "is rank 3, there are only 2 ranks",
    ),
    (
        SWEEP.replace(
            "[parameters]", 'patterns = "alltoall -b 1B --iterations 999999999"\n[parameters]'
        ),
        'sweep.toml:6: patterns: "alltoall -b 1B --iterations 999999999" with 4 ranks: --pattern '
        "alltoall: this would be at least 23999999976 operations, and a schedule has 4294967294 at "
        "most",
    ),
    (
        SWEEP.replace("[parameters]", 'patterns = "alltoall/bruck -b 2097152TiB"\n[parameters]'),
        'sweep.toml:6: patterns: "alltoall/bruck -b 2097152TiB" with 4 ranks: --pattern '
        "alltoall/bruck: 2305843009213693952 bytes for each of 4 ranks are too much, at most 2^62 "
        "in all will do",
    ),
    (
        SWEEP.replace("[parameters]", 'patterns = "barrier --help"\n[parameters]'),
        'sweep.toml:6: patterns: "barrier --help": No such option: --help',
    ),
    (
        SWEEP + '[run]\ncompute = "all"\n',
        'sweep.toml:10: run.compute: expected one of "measured", "counted", "none", found "all"',
    ),
    (
        SWEEP.replace("[0, 7]", str(list(range(10000))))
        .replace("[2, 4]", "[1, 2, 3, 4]")
        .replace('"1 us"]', '"1 us", "2 us"]'),
        "sweep.toml:1: these are 240000 points; expected at most 100000",
    ),
]


MISSING = [
    (
        SWEEP.replace('"./ring 20"', '\n "./rang 20"'),
        "sweep.toml:3: programs: there is no program ./rang",
    ),
    (
        SWEEP.replace('"./ring 20"', '"ring 20"'),
        "sweep.toml:2: programs: there is no program 'ring' in PATH; did you mean ./ring?",
    ),
    (
        SWEEP.replace('"./ring 20"', '"./platforms 20"'),
        "sweep.toml:2: programs: ./platforms is a folder, not a program",
    ),
    (
        SWEEP.replace('"./ring 20"', '"./a.goal"'),
        "sweep.toml:2: programs: ./a.goal is not executable",
    ),
    (
        SWEEP.replace("star.toml", "no.toml"),
        "sweep.toml:1: platform: cannot read the platform file {folder}/platforms/no.toml: "
        "No such file or directory",
    ),
    (
        SWEEP.replace("[parameters]", 'schedules = ["a.goal", "c.goal"]\n[parameters]'),
        "sweep.toml:6: schedules: cannot read c.goal: there is no such file",
    ),
    (
        SWEEP.replace("ranks = [2, 4]", "ranks = [2,\n9]"),
        "sweep.toml:4: ranks: with link.latency = 100 ns, mpi.eager_limit = 8 KiB: 9 ranks do not "
        "fit: {folder}/platforms/star.toml has room for 4",
    ),
    (
        'platform = "platforms/star.toml"\nranks = 9\npatterns = "barrier"\n',
        "sweep.toml:2: ranks: 9 ranks do not fit: {folder}/platforms/star.toml has room for 4",
    ),
    (
        SWEEP.replace("link.latency", "topology.hosts").replace('["100 ns", "1 us"]', "[4, 3, 2]"),
        "sweep.toml:3: ranks: with topology.hosts = 3, mpi.eager_limit = 8 KiB: 4 ranks do not "
        "fit: {folder}/platforms/star.toml has room for 3",
    ),
    (
        SWEEP.replace("link.latency", "node.ranks").replace('["100 ns", "1 us"]', "[2, 1]"),
        None,
    ),
]


@pytest.mark.parametrize(("sweep", "problem"), MISSING)
def test_what_is_not_there_or_does_not_fit(sweep: str, problem: str | None, tmp_path: Path) -> None:
    if problem is None:
        assert points(tmp_path, sweep)
    else:
        assert problem_of(tmp_path, sweep) == problem.format(folder=tmp_path)


def test_a_platform_without_speed_where_work_is_counted(tmp_path: Path) -> None:
    assert points(tmp_path, SWEEP, NETWORK_ONLY)
    with pytest.raises(UserError) as error:
        points(tmp_path, SWEEP + '[run]\ncompute = "counted"\n', NETWORK_ONLY)
    assert error.value.message.splitlines()[1].startswith(
        f"{tmp_path}/sweep.toml:10: run.compute: {tmp_path}/platforms/star.toml: node.speed: "
        'missing in [node], and compute = "counted" needs it; expected a computing speed'
    )


ORACLE = (
    SWEEP
    + """\
mpi.service.kind = ["hybrid", "oracle"]
[run]
traffic = "first"
"""
)


def test_an_oracle_is_told_the_traffic(tmp_path: Path) -> None:
    without = ORACLE.replace('[run]\ntraffic = "first"\n', "")
    missing = (
        'run.traffic: missing, and mpi.service.kind = "oracle" needs it; expected a result folder'
    )
    assert problem_of(tmp_path, without) == f"sweep.toml:1: {missing}"
    unreadable = "run.traffic: cannot read first/service_traffic.parquet: there is no such file"
    assert problem_of(tmp_path, ORACLE) == f"sweep.toml:11: {unreadable}"
    # Replays know by themselves.
    assert points(tmp_path, without.replace('programs = ["./ring 10", "./ring 20"]',
                                            'schedules = ["a.goal"]'))  # fmt: skip
    table = tmp_path / "first" / "service_traffic.parquet"
    table.parent.mkdir()
    table.write_text("traffic")
    found = points(tmp_path, ORACLE)
    told = [point for point in found if point.values["mpi.service.kind"] == "oracle"]
    assert 2 * len(told) == len(found)
    for point in found:
        assert ("--traffic" in point.arguments) == (point in told)
    place = told[0].arguments.index("--traffic")
    assert told[0].arguments[place + 1] == "first"
    # Its contents tell points from each other, not where they are.
    (tmp_path / "second").mkdir()
    (tmp_path / "second" / table.name).write_text("traffic")
    moved = points(tmp_path, ORACLE.replace("first", "second"))
    assert [point.identity for point in moved] == [point.identity for point in found]
    table.write_text("other traffic")
    changed = points(tmp_path, ORACLE)
    for before, after in zip(found, changed, strict=True):
        assert (before.identity == after.identity) == (before not in told)


def test_hosts_that_a_mapping_does_not_name(tmp_path: Path) -> None:
    (tmp_path / "platforms").mkdir()
    (tmp_path / "platforms" / "hosts.txt").write_text("0\n1\n2\n")
    platform = STAR_PLATFORM + '\n[mapping]\nkind = "file"\nfile = "hosts.txt"\n'
    with pytest.raises(UserError) as error:
        points(tmp_path, SWEEP, platform)
    assert "sweep.toml:3: ranks: with link.latency = 100 ns" in error.value.message
    assert "expected the hosts of 4 ranks, found 3" in error.value.message


@pytest.mark.parametrize(("sweep", "problem"), PROBLEMS)
def test_problems_name_line_and_key(sweep: str, problem: str | None, tmp_path: Path) -> None:
    told = problem_of(tmp_path, sweep)
    assert told.startswith("sweep.toml:") if problem is None else told == problem


def test_all_problems_are_told_at_once(tmp_path: Path) -> None:
    sweep = SWEEP.replace('"1 us"', '"1"').replace("[2, 4]", "[0]").replace("seeds", "sed")
    with pytest.raises(UserError, match=r"^3 problems in the sweep file\n"):
        points(tmp_path, sweep)


def test_a_sweep_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read the sweep file"):
        load_sweep(tmp_path / "no.toml")


@given(st.data())
def test_damaged_sweeps_are_read_or_refused(data: st.DataObject) -> None:
    """Whatever a file holds, the answer is a sweep or a `UserError`."""
    text = SWEEP + '[run]\ncompute = "none"\nmax_virtual_time = "1 s"\n'
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        end = place + data.draw(st.integers(0, 8))
        text = text[:place] + data.draw(st.text(max_size=4)) + text[end:]
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(UserError):
        points(Path(folder), text)


@given(st.text(max_size=200))
def test_any_text_is_a_sweep_or_refused(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(UserError):
        points(Path(folder), text)


WORDS = (
    "alltoall",
    "halo/2d",
    "-b",
    "--bytes",
    "1KiB",
    "--dimensions",
    "2x2",
    "x",
    "-n",
    "--root",
    "-1",
)


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join))
def test_any_pattern_is_taken_or_refused(line: str) -> None:
    text = f'platform = "platforms/star.toml"\nranks = 4\npatterns = "{line}"\n'
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(UserError):
        assert len(points(Path(folder), text)) == 1


def test_the_committed_page_is_the_generated_one() -> None:
    assert PAGE.read_text() == reference_page(), "docs/reference/sweep.md: run `make reference`"


def test_every_key_is_in_the_reference() -> None:
    page = reference_page()
    for path in TABLE.paths():
        assert f"| `{path.rpartition('.')[2]}` |" in page


def test_the_example_is_a_sweep(tmp_path: Path) -> None:
    (tmp_path / "halo").touch(0o755)
    sweep = EXAMPLE.replace("platforms/", f"{PLATFORMS}/")
    assert len(points(tmp_path, sweep)) == 48
