"""`kumihimo platform show` and `kumihimo platform reference`."""

import json
import resource
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner, Result

from kumihimo.cli.main import app
from kumihimo.platform.reference import reference_page

PLATFORMS = Path(__file__).resolve().parents[3] / "platforms"
STAR4 = str(PLATFORMS / "star4.toml")


def invoke(*arguments: str) -> Result:
    """Call `kumihimo platform` with arguments."""
    return CliRunner().invoke(app, ["platform", *arguments])


def test_show_prints_network_drawing_and_keys() -> None:
    result = invoke("show", STAR4)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "star4: 4 nodes, 1 switch, 5 Gb/s links"
    assert " host0  host1  host2  host3" in lines
    assert "  hosts           4" in lines
    assert "  links           8, each in one direction" in lines
    assert "  half to half    10 Gb/s from host0…1 to host2…3" in lines
    # Two links of 100 ns in cut-through: 1 KiB at 5 Gb/s takes 1638.4 ns once.
    assert "  any two hosts   0 B in 200 ns, 1 KiB in 1.8384 µs (host0 > switch0 > host1)" in lines
    assert "  link.bandwidth           5 Gb/s" in lines
    assert "  mpi.eager_limit          64 KiB     (default)" in lines


def test_show_tells_the_nearest_and_the_farthest() -> None:
    result = invoke("show", str(PLATFORMS / "tree256.toml"))
    assert result.exit_code == 0, result.output
    # 26 B of header at 100 Gb/s take 2.08 ns; a hop takes 90 ns; links 300, 300 and 100, 100 ns.
    assert "  nearest hosts   0 B in 692.08 ns, " in result.stdout
    assert "  farthest hosts  0 B in 1.07208 µs, " in result.stdout


def test_show_as_json() -> None:
    result = invoke("show", STAR4, "--json")
    shown = json.loads(result.stdout)
    assert shown["name"] == "star4"
    assert shown["keys"]["link.latency"] == {
        "value": 100_000,
        "text": "100 ns",
        "is_default": False,
    }
    assert shown["keys"]["mpi.poll_cost"]["is_default"] is True
    assert shown["network"] == {
        "hosts": 4,
        "ranks": 4,
        "switches": 1,
        "links": 8,
        "virtual_channels": 0,
        "unconnected_pairs": 0,
        "halves_bandwidth_bps": 10**10,
        "nearest": {
            "path": ["host0", "switch0", "host1"],
            "zero_load_0_bytes_ps": 200_000,
            "zero_load_1024_bytes_ps": 1_838_400,
        },
        "farthest": {
            "path": ["host0", "switch0", "host1"],
            "zero_load_0_bytes_ps": 200_000,
            "zero_load_1024_bytes_ps": 1_838_400,
        },
    }


def test_show_writes_a_drawing(tmp_path: Path) -> None:
    target = tmp_path / "star.svg"
    result = invoke("show", STAR4, "--svg", str(target))
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith(f"Drawing written to {target}\n")
    assert ElementTree.fromstring(target.read_text(encoding="utf-8")).tag.endswith("svg")


def test_a_drawing_that_cannot_be_written(tmp_path: Path) -> None:
    target = tmp_path / "none" / "star.svg"
    result = invoke("show", STAR4, "--svg", str(target))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"kumihimo: error: cannot write the drawing {target}: No such")


def test_a_wrong_file(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(Path(STAR4).read_text(encoding="utf-8").replace("hosts = 4", "hosts = 0"))
    line = file.read_text().splitlines().index("hosts = 0") + 1
    result = invoke("show", str(file))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "kumihimo: error: 1 problem in the platform file\n"
        f"{file}:{line}: topology.hosts: expected a whole number from 1 to 4096, found 0\n"
    )


def test_a_missing_file() -> None:
    result = invoke("show", "none.toml")
    assert result.exit_code == 2
    assert "cannot read the platform file none.toml: No such file or directory" in result.stderr


def test_a_file_that_spells_out_every_key(tmp_path: Path) -> None:
    text = (
        'name = "a"\ndescription = "b"\ntopology = { kind = "fully_connected", hosts = 1 }\n'
        'link = { bandwidth = "1 Gb/s", latency = "0 ns", channel = { modulation = "none" } }\n'
        'network = { packet_size = "message", packet_header = "0 B", flow_control = "none" }\n'
        'loopback = { bandwidth = "1 Gb/s", latency = "0 ns" }\n'
        'link_power = { preset = "none" }\n'
        'node = { speed = "1 Gflop/s", ranks = 2, cores = 2 }\n'
        'mapping = { kind = "block" }\n'
        'mpi = { matching = { model = "list" }, service = { kind = "none" }, '
        'collectives = { mode = "library", jitter = "0 ns" }, eager_limit = "0 B", '
        'send_completion = "sent", control_size = "0 B", synchronise_size = "0 B", '
        'synchronise_rule = "corrected", '
        'send_overhead = "0 ns", '
        'receive_overhead = "0 ns", match_cost = "0 ns", poll_cost = "1 ns", clock_cost = "0 ns" }'
    )
    file = tmp_path / "all.toml"
    file.write_text(text)
    result = invoke("show", str(file))
    assert result.exit_code == 0, result.output
    assert "(default)" not in result.stdout
    assert "  ranks           2 (2 on each host)" in result.stdout


def test_what_the_core_refuses_is_an_error_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def __init__(self, spec: object) -> None:
            raise ValueError(f"will not build {type(spec).__name__}")

    monkeypatch.setattr("kumihimo._core.Network", Refusing)
    result = invoke("show", STAR4)
    assert result.exit_code == 2
    assert result.stderr == f"kumihimo: error: {STAR4}: will not build dict\n"


def test_reference_prints_the_page() -> None:
    result = invoke("reference")
    assert (result.exit_code, result.stdout) == (0, reference_page())


@pytest.mark.processes
def test_a_drawing_that_does_not_fit_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kumihimo", "platform", "show", str(PLATFORMS / "star64.toml")]
    result = subprocess.run(
        [*command, "--svg", "big.svg"],
        cwd=tmp_path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode != 0
    assert "cannot write the drawing big.svg: File too large" in result.stderr
    assert list(tmp_path.iterdir()) == []
