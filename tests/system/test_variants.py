"""`kumihimo variants`: one program under all combinations of techniques."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pyarrow.parquet as pq

from jobs import BIN, MPICH, command_of, run
from pages import check_clean, chromium, open_page

PLATFORM = """\
[topology]
kind = "torus"
sizes = [4, 4]
hosts_per_switch = 1
[link]
latency = "50 ns"
[link.channel]
modulation = "qam1024"
symbol_rate = "25 GBd"
lanes = 4
bit_error_rate = 1e-4
[link_power]
preset = "matsuyama18"
"""
POLICY = """\
[[rule]]
datatype = "double"
protected_bits = 16
"""
VARY = ("link-power=always_on,prewake", "service=none,hint", "approx=none,policy.toml",
        "collectives=library,scheduled")  # fmt: skip


def command(folder: Path, *options: str, vary: tuple[str, ...] = VARY) -> list[str]:
    (folder / "platform.toml").write_text(PLATFORM)
    (folder / "policy.toml").write_text(POLICY)
    axes = [word for each in vary for word in ("--vary", each)]
    start = [str(BIN / "kumihimo"), "variants", "-n", "16", "-p", "platform.toml", *axes, *options]
    return [*start, "--", *command_of(MPICH, "braid", "4")]


def test_all_combinations(tmp_path: Path) -> None:
    words = command(tmp_path, "--predict", "--json", "--out", "out", "--error", r"wrong bits (\d+)")
    rows = json.loads(run(words, cwd=tmp_path).stdout)
    assert len(rows) == 16
    by_name = {row["variant"]: row for row in rows}
    first, last = by_name["as it is"], by_name["prewake + hint + policy.toml + scheduled"]
    assert first["time_ratio"] == first["energy_ratio"] == 1
    assert first["rank_memory_bytes"] is first["wrong_bits"] is first["missed_steps"] is None
    assert last["energy_ratio"] < 1
    assert last["rank_memory_bytes"] > 0
    assert last["missed_steps"] is not None
    # The program counts those wrong bits that it can tell.
    for row in rows:
        assert (row["program_error"] > 0) == (row["approx"] != "none"), row["variant"]
        assert row["program_error"] <= (row["wrong_bits"] or 0)
    table = pq.read_table(tmp_path / "out" / "combinations.parquet").to_pylist()
    assert [row["event_hash"] for row in table] == [row["event_hash"] for row in rows]
    found = json.loads((tmp_path / "out" / "variants.json").read_text())
    assert len(found["tables"]["pairs"]) == 6 * 2
    assert {row["technique"] for row in found["tables"]["effects"]} == {
        each.replace("=", " = ", 1).replace(each.split("=")[1].split(",")[0] + ",", "")
        for each in VARY
    }
    path = tmp_path / "out" / "variants.html"
    with chromium() as browser:
        opened = open_page(browser, path)
        assert len(opened.page.query_selector_all("#combinations tbody tr")) == 16
        bars = opened.page.query_selector_all("#variants svg .role-mark path")
        assert len(bars) >= 16 * 4
        check_clean(opened, path)
    # Each is what `kumihimo run` gives.
    alone = [str(BIN / "kumihimo"), "run", "-n", "16", "-p", "platform.toml", "--compute", "none"]
    alone += ["--service", "hint", "--approx", "policy.toml", "--out", "alone", "--"]
    run([*alone, *command_of(MPICH, "braid", "4")], cwd=tmp_path)
    result = json.loads((tmp_path / "alone" / "result.json").read_text())
    assert result["event_hash"] == by_name["hint + policy.toml"]["event_hash"]


def test_a_table_is_printed(tmp_path: Path) -> None:
    words = command(tmp_path, "--out", "out", "-q", vary=("service=none,rc,ud",))
    output = run(words, cwd=tmp_path).stdout
    lines = output.splitlines()
    assert re.split(r"\s{2,}", lines[0].strip()) == ["combination", "time", "ratio", "energy",
                                                     "ratio", "memory"]  # fmt: skip
    assert [line.split()[0] for line in lines[1:]] == ["none", "rc", "ud"]


def test_what_cannot_be_is_told_before_anything_runs(tmp_path: Path) -> None:
    for vary, message in (
        (("service=none,hunt",), "expected one of"),
        (("link.latncy=1 us,2 us",), "did you mean link.latency?"),
        (("approx=none,missing.toml",), "cannot read missing.toml"),
        (("service=none,rc", "service=none,ud"), "expected each name once"),
    ):
        words = command(tmp_path, "--out", "out", vary=vary)
        finished = subprocess.run(
            words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60
        )
        assert finished.returncode == 2
        assert message in finished.stderr, finished.stderr
        assert not (tmp_path / "out" / "variants").exists()
