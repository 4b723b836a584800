"""`kumihimo replay`: results, endings and what is refused."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from kumihimo.cli.main import app
from kumihimo.replay import session
from kumihimo.replay.display import ReplayLine, format_left
from kumihimo.results import load
from star_platform import NETWORK_ONLY, STAR_PLATFORM

PLATFORM = f"""\
{STAR_PLATFORM}ranks = 2
[mpi]
eager_limit = "4 KiB"
send_overhead = "30 ns"
receive_overhead = "20 ns"
[network]
packet_header = "0 B"
"""
PAIR = "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n"


@pytest.fixture
def platform(tmp_path: Path) -> Path:
    path = tmp_path / "platform.toml"
    path.write_text(PLATFORM)
    return path


def invoke(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*map(str, arguments)], terminal_width=200)
    return result.exit_code, result.output


def write(folder: Path, text: str, name: str = "program.goal") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def document_in(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "result.json").read_text())
    return document


def test_a_message_takes_what_the_closed_form_says(platform: Path, tmp_path: Path) -> None:
    text = PLATFORM.replace("ranks = 2", "ranks = 1")
    platform.write_text(text)
    code, output = invoke("replay", write(tmp_path, PAIR), "-p", platform, "--out", tmp_path / "r")
    assert code == 0, output
    document = document_in(tmp_path / "r")
    # Overheads, two links, 1000 bytes at a nanosecond each.
    assert document["virtual_time_ps"] == (30 + 20 + 2 * 100 + 1000) * 1000
    assert document["program"] == ["replay", str(tmp_path / "program.goal")]
    assert document["totals"]["messages"] == 1
    assert [row["host"] for row in document["per_rank"]] == [0, 1]
    assert "complete, event hash" in output


def test_a_replay_needs_no_speed_of_nodes(tmp_path: Path) -> None:
    text = PAIR.replace("send 1000b", "calc 5000\nsend 1000b")
    times = []
    for name, platform in (("with", STAR_PLATFORM), ("without", NETWORK_ONLY)):
        (tmp_path / f"{name}.toml").write_text(platform)
        folder = tmp_path / name
        code, output = invoke(
            *("replay", write(tmp_path, text), "-p", tmp_path / f"{name}.toml", "--out", folder)
        )
        assert code == 0, output
        times.append(document_in(folder)["virtual_time_ps"])
    assert times[0] == times[1]


def test_a_channel_is_the_bandwidth_and_latency_that_follow(tmp_path: Path) -> None:
    kind = '[topology]\nkind = "star"\nhosts = 2\n'
    channel = (
        '[link]\nlatency = "25 ns"\n[link.channel]\nmodulation = "pam4"\n'
        'symbol_rate = "53.125 GBd"\nlanes = 4\nfec = "rs544"\n'
    )
    rate = 53_125_000_000 * 4 * 2 * 514 // 544
    links = f'[link]\nbandwidth = "{rate} b/s"\nlatency = "125 ns"\n'
    documents = []
    for name, text in (("channel", channel), ("links", links)):
        (tmp_path / f"{name}.toml").write_text(kind + text)
        code, output = invoke(
            *("replay", write(tmp_path, PAIR), "-p", tmp_path / f"{name}.toml"),
            *("--out", tmp_path / name),
        )
        assert code == 0, output
        documents.append(document_in(tmp_path / name))
    # Two links, cut-through: 1000 bytes are serialised once.
    assert documents[0]["virtual_time_ps"] == 2 * 125_000 - (-8000 * 10**12 // rate)
    for key in ("virtual_time_ps", "event_hash"):
        assert documents[0][key] == documents[1][key]


def test_the_result_is_that_of_a_run(platform: Path, tmp_path: Path) -> None:
    folder = tmp_path / "r"
    pattern = ("--pattern", "allreduce", "-n", "8", "-b", "64KiB", "--work", "5us")
    assert invoke("replay", *pattern, "-p", platform, "--out", folder)[0] == 0
    assert {path.name for path in folder.iterdir()} == {
        *("result.json", "host.json", "report.html", "trace.json.gz", "messages.parquet"),
        *("states.parquet", "links.parquet", "link_use.parquet", "ranks.parquet"),
        *("matching.parquet", "queue_depths.parquet"),
    }
    run = load(folder)
    assert run.is_complete
    assert (
        run.messages.num_rows
        == run.document["totals"]["messages"] + (run.document["totals"]["control_messages"])
    )
    states = run.states.to_pydict()
    for rank, row in enumerate(run.document["per_rank"]):
        spent = dict.fromkeys(("compute", "communication", "wait"), 0)
        for which, state, begin, end in zip(*states.values(), strict=True):
            if which == rank:
                spent[state] += end - begin
        assert spent == {state: row[f"{state}_ps"] for state in spent}
        assert sum(spent.values()) == row["finish_ps"]
    assert "Replay of allreduce/" in (folder / "report.html").read_text()


def test_a_file_and_its_pattern_give_the_same(platform: Path, tmp_path: Path) -> None:
    pattern = ("--pattern", "permutation", "-n", "8", "-b", "10kB", "--seed", "3")
    path = tmp_path / "p.bin"
    assert invoke("schedule", "generate", *pattern, path)[0] == 0
    assert invoke("replay", *pattern, "-p", platform, "--out", tmp_path / "a")[0] == 0
    assert invoke("replay", path, "-p", platform, "--out", tmp_path / "b", "-q") == (0, "")
    one, other = document_in(tmp_path / "a"), document_in(tmp_path / "b")
    assert one["event_hash"] == other["event_hash"]
    assert one["per_link"] == other["per_link"]
    code, output = invoke("compare", tmp_path / "a", tmp_path / "b")
    assert code == 0
    assert "the same in all" in output


def test_ranks_are_mapped_as_in_a_run(platform: Path, tmp_path: Path) -> None:
    platform.write_text(PLATFORM + '[mapping]\nkind = "round_robin"\n')
    pattern = ("--pattern", "barrier", "-n", "6")
    assert invoke("replay", *pattern, "-p", platform, "--out", tmp_path / "r", "-q")[0] == 0
    document = document_in(tmp_path / "r")
    assert [row["host"] for row in document["per_rank"]] == [0, 1, 2, 3, 0, 1]


def test_a_summary_and_no_result(platform: Path, tmp_path: Path) -> None:
    pattern = ("--pattern", "barrier", "-n", "4", "-p", platform, "--out", tmp_path / "r")
    assert invoke("replay", *pattern, "--detail", "none")[0] == 0
    assert not (tmp_path / "r").exists()
    assert invoke("replay", *pattern, "--detail", "summary")[0] == 0
    assert {path.name for path in (tmp_path / "r").iterdir()} == {"result.json", "host.json"}


def test_a_deadlock_is_told_and_its_result_is_partial(platform: Path, tmp_path: Path) -> None:
    platform.write_text(PLATFORM.replace("ranks = 2", "ranks = 1"))
    text = PAIR.replace("recv 1000b from 0", "a: recv 1b from 0 tag 9\nb: calc 1\nb requires a")
    folder = tmp_path / "r"
    code, output = invoke("replay", write(tmp_path, text), "-p", platform, "--out", folder)
    assert code == 3
    assert "rank 1 waits for a message from rank 0 with tag 9, 1 operation behind it" in output
    assert "partial result" in output
    document = document_in(folder)
    assert document["status"] == "partial"
    # The message is there after an overhead, two links and a nanosecond a byte.
    arrival_ps = (30 + 2 * 100 + 1000) * 1000
    assert "deadlock at 1.23 µs" in document["reason"]
    assert "All figures are of the part up to 1.23 µs" in output
    assert document["virtual_time_ps"] == arrival_ps
    sender, receiver = document["per_rank"]
    assert (sender["finish_ps"], sender["wait_ps"]) == (30_000, 0)
    assert (receiver["finish_ps"], receiver["wait_ps"]) == (arrival_ps, arrival_ps)
    states = load(folder).states.to_pylist()
    waits = [row for row in states if row["rank"] == 1]
    assert [(row["state"], row["end_ps"]) for row in waits] == [("wait", arrival_ps)]


def test_an_interrupt_ends_it_with_a_partial_result(
    platform: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(_line: ReplayLine, _progress: dict[str, int]) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(session, "_STEP_EVENTS", 10)
    monkeypatch.setattr(ReplayLine, "show", interrupt)
    pattern = ("--pattern", "alltoall", "-n", "8", "-b", "1kB")
    code, output = invoke("replay", *pattern, "-p", platform, "--out", tmp_path / "r")
    assert code == 130
    assert "stopped by SIGINT (Ctrl-C)" in output
    document = document_in(tmp_path / "r")
    assert (document["status"], document["events"]) == ("partial", 20)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_messages_that_nobody_receives_are_an_error(platform: Path, tmp_path: Path) -> None:
    text = PAIR.replace("recv 1000b from 0", "calc 1").replace("send", "calc 1\nsend", 1)
    file = write(tmp_path, text)
    code, output = invoke("replay", file, "-p", platform, "--out", tmp_path / "r")
    assert code == 1
    assert (
        f"error: {file}:4: rank 0 sends 1,000 bytes with tag 0 to rank 1, which never receives "
        "them; --allow-unreceived replays it all the same" in output
    )
    assert document_in(tmp_path / "r")["status"] == "partial"
    allowed = ("--allow-unreceived", "--out", tmp_path / "allowed")
    code, output = invoke("replay", file, "-p", platform, *allowed)
    assert code == 0
    assert "Remark: 1 message arrived and was never received" in output
    assert document_in(tmp_path / "allowed")["status"] == "complete"


@pytest.mark.parametrize("size", [100, 10_000])
def test_a_message_that_is_larger_than_its_receive_is_an_error(
    size: int, platform: Path, tmp_path: Path
) -> None:
    text = PAIR.replace("send 1000b", f"send {size}b").replace("recv 1000b", "recv 10b")
    file = write(tmp_path, text)
    out = ("-p", platform, "--out", tmp_path / "r")
    code, output = invoke("replay", file, *out)
    assert code == 1
    assert (
        f"error: {file}:3: rank 0 sends {size:,} bytes to rank 1, whose receive ({file}:6) has "
        "room for 10; --allow-truncation replays it all the same" in output
    )
    code, output = invoke("replay", file, *out, "--allow-truncation")
    assert code == 0, output
    assert "Remark: 1 message was larger than its receive" in output
    # A file without lines: its operations are numbered.
    binary = tmp_path / "program.bin"
    assert invoke("schedule", "convert", file, binary)[0] == 0
    code, output = invoke("replay", binary, *out)
    assert code == 1
    assert f"error: operation 0 of rank 0: rank 0 sends {size:,} bytes" in output
    assert "whose receive (operation 0 of rank 1) has room for 10" in output


def test_recorded_messages_may_be_left_and_of_any_size(platform: Path, tmp_path: Path) -> None:
    text = PAIR.replace("to 1", "to 1 bare\nsend 8b to 1 tag 1 bare").replace(
        "recv 1000b from 0", "recv 10b from 0 bare"
    )
    file = write(tmp_path, text)
    code, output = invoke("replay", file, "-p", platform, "--out", tmp_path / "r")
    assert code == 0, output
    assert "received" not in output
    assert "larger than" not in output
    messages = load(tmp_path / "r").messages.to_pylist()
    # Tags of recorded messages number them, and say nothing of the program's.
    assert [(row["origin"], row["communicator"], row["tag"]) for row in messages] == [
        (None, None, None)
    ] * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "expected either a FILE or a --pattern"),
        (("FILE", "--pattern", "barrier"), "expected either a FILE or a --pattern"),
        (("FILE", "-n", "2"), "--ranks belongs to a --pattern"),
        (("FILE", "--iterations", "2"), "--iterations belongs to a --pattern"),
        (("--pattern", "barrier"), "--pattern needs --ranks"),
        (("--pattern", "barrier", "-n", "9"), "9 ranks do not fit: the platform has room for 8"),
    ],
)
def test_what_is_refused(
    arguments: tuple[str, ...], message: str, platform: Path, tmp_path: Path
) -> None:
    file = str(write(tmp_path, PAIR))
    words = [file if word == "FILE" else word for word in arguments]
    code, output = invoke("replay", *words, "-p", platform, "--out", tmp_path / "r")
    assert code == 2
    assert message in output
    assert not (tmp_path / "r").exists()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_says_how_long_it_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now_s)
    terminal = Terminal()
    line = ReplayLine(4, quiet=False, stream=terminal)
    now_s = 110.0
    line.show({"operations_done": 250, "operations": 1000, "virtual_ps": 5_000_000, "messages": 70})
    assert "25 % of 1,000 operations, 30 s left, virtual time 5 µs, 7 messages/s" in (
        terminal.getvalue()
    )


def test_spans_of_real_time() -> None:
    assert [format_left(seconds) for seconds in (0.2, 119, 180, 7500)] == [
        *("0 s", "119 s", "3 min", "2 h 5 min"),
    ]


def test_a_deadlocked_network_is_named(tmp_path: Path) -> None:
    ring = PLATFORM
    for old, new in {
        'kind = "star"\nhosts = 4': 'kind = "torus"\nsizes = [5]\nhosts_per_switch = 1',
        "ranks = 2": "ranks = 1",
        'packet_header = "0 B"': 'packet_size = "1 KiB"\nflow_control = "credits"\n'
        'buffer = "1 KiB"\nvirtual_channels = 1',
    }.items():
        ring = ring.replace(old, new)
    (tmp_path / "ring.toml").write_text(ring)
    # Every rank sends to the one after the next, all the same way round.
    text = "num_ranks 5\n" + "".join(
        f"rank {rank} {{\nsend 3000b to {(rank + 2) % 5}\nrecv 3000b from {(rank + 3) % 5}\n}}\n"
        for rank in range(5)
    )
    status, output = invoke(
        *("replay", write(tmp_path, text), "--platform", tmp_path / "ring.toml"),
        *("--out", tmp_path / "result"),
    )
    assert status == 3
    assert "the network is deadlocked: the full buffers of 5 links wait for each other" in output
    assert "switch1->switch2" in output
    document = document_in(tmp_path / "result")
    until_ps = document["virtual_time_ps"]
    # A packet has crossed a link to each switch and one between them, and none went further.
    assert until_ps >= 2 * (100 + 1000) * 1000
    assert all(row["finish_ps"] == until_ps for row in document["per_rank"])
    assert all(row["wait_ps"] > 0 for row in document["per_rank"])
    assert max(row["busy_ps"] for row in document["per_link"]) <= until_ps


def test_of_a_very_large_network_the_busiest_links_are_listed(tmp_path: Path) -> None:
    platform = tmp_path / "large.toml"
    sizes = 'kind = "torus"\nsizes = [32, 32, 16]\nhosts_per_switch = 1'
    platform.write_text(
        PLATFORM.replace('kind = "star"\nhosts = 4', sizes).replace("ranks = 2", "ranks = 1")
    )
    pattern = ("--pattern", "halo/3d", "-n", "16384", "-b", "1kB", "--detail", "summary")
    code, output = invoke("replay", *pattern, "-p", platform, "--out", tmp_path / "r")
    assert code == 0, output
    assert "Remark: only the 100,000 busiest of 131,072 links are listed" in output
    document = document_in(tmp_path / "r")
    assert document["links"] == 131072
    rows = document["per_link"]
    assert len(rows) == 100_000
    # The hosts' own links carry six faces each, so none of them is left out.
    assert sum(row["source"].startswith("host") for row in rows) == 16384
    numbers = [row["link"] for row in rows]
    assert numbers == sorted(set(numbers))
    assert {row["name"] for row in rows if row["link"] < 2} == {"host0->switch0", "switch0->host0"}


def test_the_limit_of_virtual_time_leaves_a_partial_result(platform: Path, tmp_path: Path) -> None:
    pattern = ("--pattern", "alltoall/pairwise", "-n", "4", "-b", "1kB", "--iterations", "50")
    out = ("-p", platform, "--out", tmp_path / "r")
    assert invoke("replay", *pattern, *out, "-q")[0] == 0
    whole = document_in(tmp_path / "r")
    limit_ps = whole["virtual_time_ps"] // 2
    code, output = invoke("replay", *pattern, *out, "--max-virtual-time", f"{limit_ps} ps")
    assert code == 4
    assert "the replay is past the limit of virtual time" in output
    document = document_in(tmp_path / "r")
    assert document["status"] == "partial"
    assert "limit" in document["reason"]
    assert 0 < document["totals"]["messages"] < whole["totals"]["messages"]
    arrived_ps = load(tmp_path / "r").messages["arrived_ps"].to_pylist()
    assert 0 < max(arrived_ps) <= limit_ps
    code, output = invoke("replay", *pattern, *out, "--max-virtual-time", "10")
    assert code != 0
    assert "--max-virtual-time" in output


def test_suh_shin_takes_its_dimensions_from_the_torus_of_the_platform(tmp_path: Path) -> None:
    platform = Path(__file__).parents[3] / "platforms" / "torus4x4x4.toml"
    pattern = ("replay", "--pattern", "alltoall/suh_shin", "-n", "64", "-b", "1KiB", "-p", platform)
    documents = []
    for number, more in enumerate(((), ("--dimensions", "4x4x4"), ("--dimensions", "8x8"))):
        out = tmp_path / str(number)
        code, output = invoke(*pattern, *more, "--out", out)
        assert code == 0, output
        documents.append(document_in(out))
    first, same, other = documents
    assert first["program"] == same["program"]
    assert first["program"][-2:] == ["--dimensions", "4x4x4"]
    assert first["event_hash"] == same["event_hash"] != other["event_hash"]
    assert first["totals"]["messages"] == 64 * 6
    code, output = invoke(*pattern[:4], "32", *pattern[5:])
    assert (code, "4x4x4 are those of 64 ranks, not of 32" in output) == (2, True)


@pytest.mark.parametrize("option", ["--ranks", "--iterations", "--root", "--distance"])
def test_numbers_that_no_schedule_can_have(option: str, platform: Path) -> None:
    arguments = {"--ranks": "4", "--bytes": "64 B", option: "9" * 23}
    given = [text for name, value in arguments.items() for text in (name, value)]
    code, output = invoke("replay", "--pattern", "shift/direct", *given, "-p", platform)
    assert code == 2
    assert f"Invalid value for '{option}'" in output
    assert "2147483647" in output


@pytest.mark.parametrize(("bandwidth", "size"), [("1 b/s", "1 MB"), ("5 Gb/s", "4000 TB")])
def test_messages_that_outlast_virtual_time(bandwidth: str, size: str, tmp_path: Path) -> None:
    """A message of 74 or 93 days after another one: 106 days are a time."""
    platform = tmp_path / "slow.toml"
    text = '[topology]\nkind = "star"\nhosts = 4\n[link]\nlatency = "1 us"\n'
    platform.write_text(f'{text}bandwidth = "{bandwidth}"\n[node]\nspeed = "1 Gflop/s"\n')
    pattern = ["--pattern", "broadcast/binomial", "-n", "4", "-b", size]
    code, output = invoke("replay", *pattern, "-p", platform, "--out", tmp_path / "out")
    assert code == 1
    assert "virtual time has come to its end" in output
    assert "see link.bandwidth and the sizes of messages" in output
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_an_empty_file_is_no_schedule(platform: Path, tmp_path: Path) -> None:
    code, output = invoke("replay", write(tmp_path, "", "nothing.bin"), "-p", platform)
    assert code == 2
    assert "nothing.bin is empty: expected a schedule, as text or binary" in output


def remarks_of(folder: Path) -> list[str]:
    remarks: list[str] = json.loads((folder / "host.json").read_text())["remarks"]
    return remarks


ORDER = (
    "the recorded order may depend on time: 1 poll, 1,200 wildcards; over another platform the "
    "program may do otherwise"
)


def test_a_recorded_order_that_may_depend_on_time_is_told_once(
    platform: Path, tmp_path: Path
) -> None:
    marks = "num_ranks 2\nrecorded_polls 1\nrecorded_wildcards 1200\n"
    file = write(tmp_path, PAIR.replace("num_ranks 2\n", marks))
    command = ("replay", file, "-p", platform, "--out", tmp_path / "r")
    code, output = invoke(*command, "-q")
    assert (code, output) == (0, f"kumihimo: warning: {ORDER}\n")
    assert remarks_of(tmp_path / "r") == [ORDER]
    code, output = invoke(*command)
    assert code == 0
    assert " ".join(output.split()).count("the recorded order may depend on time") == 1
    assert ORDER in (tmp_path / "r" / "report.html").read_text()


def test_no_recorded_order_no_warning(platform: Path, tmp_path: Path) -> None:
    file = write(tmp_path, PAIR)
    command = ("replay", file, "-p", platform, "--out", tmp_path / "r", "-q")
    assert invoke(*command) == (0, "")
    assert remarks_of(tmp_path / "r") == []


@pytest.mark.parametrize(
    ("options", "trait", "words"),
    [
        (("--matching", "elan4"), " bare", "overheads, eager limit and matching of their run"),
        (("--service", "ud"), " bare", "use no service"),
        ((), " bare", None),
        (("--matching", "elan4"), "", None),
        (("--service", "ud"), "", None),
    ],
)
def test_what_cannot_act_on_messages_recorded_as_sent_is_told(
    options: tuple[str, ...], trait: str, words: str | None, platform: Path, tmp_path: Path
) -> None:
    # A sleep alone makes no recorded run of it.
    text = PAIR.replace("to 1\n", f"to 1{trait}\ncalc 5 sleep\n").replace(
        "from 0\n", f"from 0{trait}\n"
    )
    code, output = invoke(
        *("replay", write(tmp_path, text), "-p", platform, "--out", tmp_path / "r", "-q"), *options
    )
    assert code == 0, output
    remarks = remarks_of(tmp_path / "r")
    assert len(remarks) == (words is not None)
    assert words is None or words in remarks[0]
