"""What messages and links waited for, in the results of replays, against closed forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from kumihimo.cli.main import app
from kumihimo.results import load

# A byte takes a nanosecond, a link 100 ns.
PLATFORM = """\
[topology]
{topology}
[link]
bandwidth = "8 Gb/s"
latency = "100 ns"
[network]
packet_header = "0 B"
{network}
[node]
speed = "1 Gflop/s"
[mpi]
eager_limit = "1 MiB"
send_overhead = "0 s"
receive_overhead = "0 s"
{more}
"""
STAR = 'kind = "star"\nhosts = 8'
DRAGONFLY = (
    'kind = "dragonfly"\ngroups = 5\nswitches_per_group = 2\nglobal_links_per_switch = 2\n'
    "hosts_per_switch = 1"
)
INCAST = ("--pattern", "incast", "-n", "8", "-b", "1kB")


def replayed(folder: Path, what: tuple[str, ...], keys: dict[str, str]) -> tuple[Any, str]:
    folder.mkdir(exist_ok=True)
    platform = folder / "platform.toml"
    platform.write_text(PLATFORM.format(**{"topology": STAR, "network": "", "more": ""} | keys))
    out = folder / "result"
    done = CliRunner().invoke(app, ["replay", *what, "-p", str(platform), "--out", str(out)])
    assert done.exit_code == 0, done.output
    return load(out), done.output


def test_links_that_never_sleep_have_the_waits_of_links_without_power(tmp_path: Path) -> None:
    plain, _ = replayed(tmp_path / "plain", INCAST, {})
    power = {"more": '[link_power]\npreset = "25GBASE-T"\npolicy = "always_on"'}
    awake, _ = replayed(tmp_path / "awake", INCAST, power)
    assert awake.document["event_hash"] == plain.document["event_hash"]
    assert awake.links.to_pylist() == plain.links.to_pylist()
    [port] = [row for row in plain.links.to_pylist() if row["name"] == "switch0->host0"]
    # Seven messages at once: they wait for none, one, ... six others.
    assert port["queue_wait_ps"] == 21 * 1_000_000
    assert port["longest_wait_ps"] == 6 * 1_000_000


def test_a_longer_route_is_no_queueing(tmp_path: Path) -> None:
    goal = tmp_path / "longer.goal"
    goal.write_text("num_ranks 10\nrank 0 { send 1000b to 9 }\nrank 9 { recv 1000b from 0 }\n")
    keys = {"topology": DRAGONFLY, "network": 'routing = "valiant"'}
    run, _ = replayed(tmp_path / "run", (str(goal),), keys)
    [message] = run.messages.to_pylist()
    links = [row for row in run.links.to_pylist() if row["packets"]]
    assert len(links) > 5, "the message took a minimal path"
    assert message["zero_load_ps"] == len(links) * 100_000 + 1_000_000
    assert message["queueing_ps"] == 0


def test_waits_for_credit_are_told_apart(tmp_path: Path) -> None:
    goal = tmp_path / "two.goal"
    goal.write_text(
        "num_ranks 2\nrank 0 { send 1000b to 1 send 1000b to 1 }\n"
        "rank 1 { recv 1000b from 0 recv 1000b from 0 }\n"
    )
    network = 'packet_size = "1000 B"\nflow_control = "credits"\nbuffer = "1000 B"'
    run, output = replayed(tmp_path / "run", (str(goal),), {"network": network})
    # The second message waits 1 µs behind the first, and then 200 ns until the buffer's room is
    # known to be free.
    [port] = [row for row in run.links.to_pylist() if row["name"] == "host0->switch0"]
    waits = (port["queue_wait_ps"], port["longest_wait_ps"], port["credit_wait_ps"])
    assert waits == (1_000_000, 1_000_000, 200_000)
    first, second = run.messages.to_pylist()
    assert (first["queueing_ps"], first["credit_wait_ps"]) == (0, 0)
    assert (second["queueing_ps"], second["credit_wait_ps"]) == (1_200_000, 200_000)
    assert "For credit" in output
    report = (tmp_path / "run" / "result" / "report.html").read_text()
    assert "Waited for credit" in report
    assert '"for credit"' in report or "for credit," in report
    folder = str(tmp_path / "run" / "result")
    compared = CliRunner().invoke(app, ["compare", folder, folder])
    assert "Waits of links for credit" in compared.stdout
    facts = json.loads(CliRunner().invoke(app, ["compare", "--json", folder, folder]).stdout)
    assert facts["results"][0]["credit_wait_ps"] == 200_000


def test_without_buffers_nothing_is_said_of_credit(tmp_path: Path) -> None:
    run, output = replayed(tmp_path / "run", INCAST, {})
    assert "For credit" not in output
    assert "Waited for credit" not in (tmp_path / "run" / "result" / "report.html").read_text()
    assert {row["credit_wait_ps"] for row in run.messages.to_pylist()} == {0}
