"""The options of `kumihimo run`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from kumihimo.cli.main import app
from kumihimo.run import session
from kumihimo.run.options import RunOptions
from kumihimo.units import SPEED
from star_platform import NETWORK_ONLY


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[RunOptions]:
    seen: list[RunOptions] = []

    def run(options: RunOptions) -> int:
        seen.append(options)
        return 7

    monkeypatch.setattr(session, "run", run)
    return seen


def invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["run", *arguments])
    return result.exit_code, result.output


def test_the_defaults(asked: list[RunOptions]) -> None:
    assert invoke("-n", "4", "--platform", "p.toml", "--", "./a.out", "-x", "--mpi")[0] == 7
    assert asked == [
        RunOptions(ranks=4, platform=Path("p.toml"), command=("./a.out", "-x", "--mpi"))
    ]
    assert asked[0].result_directory() == Path("kumi-a-n4")


def test_every_option(asked: list[RunOptions]) -> None:
    arguments = (
        "-n 2 -p p.toml --out o --detail summary --compute none --mpi openmpi --seed 5 "
        "--stall-timeout 2.5 -q"
    )
    invoke(
        *arguments.split(),
        *("--max-virtual-time", "10 s", "--host-speed", "5 Gflop/s"),
        *("python", "s.py", "-n", "3"),
    )
    assert asked == [
        RunOptions(
            ranks=2,
            platform=Path("p.toml"),
            command=("python", "s.py", "-n", "3"),
            out=Path("o"),
            detail="summary",
            seed=5,
            compute="none",
            mpi="openmpi",
            stall_timeout_s=2.5,
            time_limit_ps=10**13,
            host_flops=5 * 10**9,
            quiet=True,
        )
    ]


def test_no_result_folder_if_nothing_is_recorded(asked: list[RunOptions]) -> None:
    invoke("-p", "p.toml", "--detail", "none", "x")
    assert asked[0].result_directory() is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--max-virtual-time", "10"), "--max-virtual-time"),
        (("--max-virtual-time", "0 s"), "out of range"),
        (("--host-speed", "5 GHz"), "--host-speed"),
        (("-n", "0"), "--ranks"),
        (("--seed", str(2**63)), "--seed"),
        (("--detail", "some"), "--detail"),
    ],
)
def test_wrong_values_are_named(
    arguments: tuple[str, ...], message: str, asked: list[RunOptions]
) -> None:
    code, output = invoke("-p", "p.toml", *arguments, "x")
    assert code == 2
    assert message in output
    assert asked == []


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("./build/heat", "512"), "kumi-heat-n4"),
        (("python", "-u", "examples/ring.py", "8"), "kumi-ring-n4"),
        (("python3", "-c", "pass"), "kumi-python3-n4"),
    ],
)
def test_result_is_named_after_what_runs(command: tuple[str, ...], name: str) -> None:
    options = RunOptions(ranks=4, platform=Path("star4.toml"), command=command)
    assert options.result_directory() == Path(name)


@pytest.mark.parametrize("mode", ["measured", "counted"])
def test_a_speed_is_needed_by_modes_that_scale_with_it(mode: str, tmp_path: Path) -> None:
    platform = tmp_path / "network.toml"
    platform.write_text(NETWORK_ONLY)
    out = tmp_path / "out"
    arguments = ("-p", str(platform), "--compute", mode, "--out", str(out), sys.executable)
    code, output = invoke(*arguments)
    assert code == 2
    assert output == (
        f"kumihimo: error: {platform}: node.speed: missing in [node], and --compute {mode} needs "
        f"it; expected {SPEED.expected()}\n"
    )
    assert not out.exists()
