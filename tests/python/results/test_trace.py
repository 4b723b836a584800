"""The trace for Perfetto."""

from __future__ import annotations

import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import synthetic_run
from synthetic_run import CONTROL, SyntheticRun

from kumihimo import results
from kumihimo.results import trace
from kumihimo.results.records import RANK_STATES


def write(run: SyntheticRun, folder: Path) -> tuple[dict[str, Any], results.Run]:
    result = results.write(folder, run.info, run.summary, run.records, report=False)
    with gzip.open(folder / "trace.json.gz", "rt", encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal), result


def events(document: dict[str, Any], phase: str) -> list[dict[str, Any]]:
    return [event for event in document["traceEvents"] if event["ph"] == phase]


def ps(microseconds: Decimal) -> int:
    return int(microseconds * 1_000_000)


def test_slices_are_the_states(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    document, _ = write(all_to_all, tmp_path / "out")
    found = [
        (ps(event["ts"]), ps(event["ts"]) + ps(event["dur"]), event["tid"], event["name"])
        for event in events(document, "X")
    ]
    states = all_to_all.states
    expected = [
        (int(row["begin_ps"]), int(row["end_ps"]), int(row["rank"]), RANK_STATES[row["state"]])
        for row in states
    ]
    assert found == expected
    assert document["otherData"]["left out"] == []


def test_arrows_are_the_mpi_messages(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    document, _ = write(all_to_all, tmp_path / "out")
    ends = {event["id"]: event for event in events(document, "f")}
    found = [
        (event["tid"], ends[event["id"]]["tid"], ps(event["ts"]), ps(ends[event["id"]]["ts"]),
         event["args"]["size_bytes"])
        for event in events(document, "s")
    ]  # fmt: skip
    messages = all_to_all.messages[all_to_all.messages["kind"] != CONTROL]
    assert len(messages) < len(all_to_all.messages), "the run has no control messages to leave out"
    names = ("source", "target", "sent_ps", "arrived_ps", "size_bytes")
    assert found == list(zip(*(messages[name].tolist() for name in names), strict=True))


def test_counters_add_up_to_what_links_were_busy(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    document, result = write(all_to_all, tmp_path / "out")
    bin_ps = all_to_all.summary["link_use"]["bin_ps"]
    busy: dict[str, Decimal] = {}
    for event in events(document, "C"):
        busy[event["name"]] = busy.get(event["name"], Decimal(0)) + event["args"]["use %"]
    for link in result.document["per_link"]:
        # Every value is rounded to a hundredth of a percent of its bin.
        assert float(busy[link["name"]]) / 100 * bin_ps == pytest.approx(
            link["busy_ps"], abs=0.00005 * bin_ps * 100
        )


def test_ranks_are_named_threads(ring: SyntheticRun, tmp_path: Path) -> None:
    document, _ = write(ring, tmp_path / "out")
    names = [event["args"]["name"] for event in events(document, "M")
             if event["name"] == "thread_name"]  # fmt: skip
    assert names == [f"rank {rank} (host{rank})" for rank in range(4)]


def test_what_is_left_out_is_told(
    all_to_all: SyntheticRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "MOST_SLICES", 20)
    monkeypatch.setattr(trace, "MOST_FLOWS", 3)
    monkeypatch.setattr(trace, "MOST_LINKS", 2)
    monkeypatch.setattr(trace, "MOST_COUNTER_VALUES", 5)
    document, result = write(all_to_all, tmp_path / "out")
    assert 0 < len(events(document, "X")) <= 20
    assert len(events(document, "s")) == len(events(document, "f")) <= 3
    assert len({event["name"] for event in events(document, "C")}) <= 2
    left_out = document["otherData"]["left out"]
    for what in ("stretches of ranks", "message arrows", "used links", "values of link use"):
        assert any(what in text for text in left_out), what
    assert [f"trace.json.gz: {text}" for text in left_out] == result.host["remarks"]


def check_covers(slices: list[dict[str, Any]], run: SyntheticRun) -> None:
    """Check that slices have no overlaps, and of each rank the time of its states."""
    for rank in range(run.info.ranks):
        mine = [event for event in slices if event["tid"] == rank]
        begins = [ps(event["ts"]) for event in mine]
        ends = [ps(event["ts"]) + ps(event["dur"]) for event in mine]
        states = run.states[run.states["rank"] == rank]
        assert begins == sorted(begins)
        assert all(end <= begin for end, begin in zip(ends, begins[1:], strict=False))
        assert (begins[0], ends[-1]) == (states["begin_ps"].min(), states["end_ps"].max())
        for state, name in enumerate(RANK_STATES):
            of_state = states[states["state"] == state]
            told = sum(
                ps(event["dur"])
                if event["name"] == name
                else ps(event.get("args", {}).get(f"{name} (us)", Decimal(0)))
                for event in mine
            )
            assert told == (of_state["end_ps"] - of_state["begin_ps"]).sum()


def test_a_long_trace_covers_the_whole_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "MOST_SLICES", 400)
    monkeypatch.setattr(trace, "MOST_FLOWS", 25)
    run = synthetic_run.finish(synthetic_run.ring(4, 100), tmp_path / "records")
    assert len(run.states) > 1000
    document, result = write(run, tmp_path / "out")
    slices = events(document, "X")
    assert 160 < len(slices) <= 400
    check_covers(slices, run)
    end = result.virtual_time_ps
    sent = [ps(event["ts"]) for event in events(document, "s")]
    assert len(sent) == 25
    assert min(sent) < 0.1 * end
    assert max(sent) > 0.9 * end
    told = f"{len(run.states):,} stretches of ranks are drawn as {len(slices)}, over the whole run"
    assert any(told in text for text in document["otherData"]["left out"])


def test_of_too_many_ranks_some_are_in_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trace, "MOST_SLICES", 200)
    run = synthetic_run.finish(synthetic_run.ring(10, 20), tmp_path / "records")
    document, result = write(run, tmp_path / "out")
    assert {event["tid"] for event in events(document, "X")} == {0, 4, 8}
    names = [x["args"]["name"] for x in events(document, "M") if x["name"] == "thread_name"]
    assert names == [f"rank {rank} (host{rank})" for rank in (0, 4, 8)]
    assert "trace.json.gz: 3 of 10 ranks are in it (every 4th)" in result.host["remarks"]


def test_equal_runs_give_equal_files(all_to_all: SyntheticRun, tmp_path: Path) -> None:
    write(all_to_all, tmp_path / "a")
    write(all_to_all, tmp_path / "b")
    first, second = (tmp_path / name / "trace.json.gz" for name in "ab")
    assert first.read_bytes() == second.read_bytes()
