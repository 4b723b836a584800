"""Cards of the report for techniques: what they show, and that they are absent without them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from pathlib import Path

import pytest
import synthetic_run
from synthetic_run import SyntheticRun
from technique_runs import with_approximate, with_collectives, with_matching, with_service

from charts import tables_of
from kumihimo import results
from kumihimo.results.parquet import read_table
from kumihimo.results.report import report_page
from kumihimo.results.report.approximate_figure import TYPE_COLOURS, approximate_figure
from kumihimo.results.report.collectives_figure import (
    CALL_COLOURS,
    STEP_COLOURS,
    collectives_figure,
)
from kumihimo.results.report.figure import DARK_COLOURS, KIND_COLOURS, Figure
from kumihimo.results.report.matching_figure import QUEUE_COLOURS, matching_figure
from kumihimo.results.report.power_figures import POWER_COLOURS
from kumihimo.results.report.service_figure import (
    CONNECTION_COLOURS,
    PART_COLOURS,
    service_figure,
)

CARDS = ("matching", "service", "approximate", "collectives")
MIB = 1 << 20


def written(run: SyntheticRun, folder: Path, *, tables: bool = True) -> results.Run:
    records = run.records if tables else None
    return results.write(folder, run.info, run.summary, records, report=False, trace=False)


def cards(run: results.Run) -> list[str]:
    page = report_page(run)
    return [card for card in CARDS if f'<section class="figure" id="{card}">' in page]


def drawn(figure: Figure) -> list[dict[str, str]]:
    """The rows of data of all panels of a figure."""
    return [row for table in tables_of(figure.chart) for row in table]


def values(figure: Figure, series: str, row: str) -> list[float]:
    found = drawn(figure)
    return [
        float(each["value"]) for each in found if (each["series"], each["row"]) == (series, row)
    ]


def test_no_card_without_its_technique(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_matching(ring, time_ps=0, has_model=False), tmp_path / "out")
    assert "matching" in run.document
    assert cards(run) == []


@pytest.mark.parametrize(
    ("time_ps", "has_model", "is_shown"),
    [(0, True, True), (1000, False, False), (20_000_000, False, True)],
)
def test_matching_is_shown_where_it_matters_or_has_a_model(
    time_ps: int, has_model: bool, is_shown: bool, ring: SyntheticRun, tmp_path: Path
) -> None:
    run = written(with_matching(ring, time_ps=time_ps, has_model=has_model), tmp_path / "out")
    assert cards(run) == (["matching"] if is_shown else [])


def test_matching_of_each_rank(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_matching(ring, time_ps=1_500_000, has_model=True), tmp_path / "out")
    figure = matching_figure(run)
    # In the order of panels: deepest, searched, time in µs, messages.
    assert values(figure, "unexpected messages", "3") == [1998, 5000, 0.75, 1998]
    assert values(figure, "posted receives", "3") == [2, 3000]
    assert values(figure, "reading payloads", "3") == [0.75]
    assert values(figure, "posted receives", "0") == [1]
    assert figure.marks == len(drawn(figure))
    (table,) = figure.tables
    finish_ps = run.document["per_rank"][3]["finish_ps"]
    share = f"{100 * 1_500_000 / finish_ps:.1f} %"
    assert table.rows[3] == [
        *("3", "1.5 µs", share, "2", "1,998", "3,000", "5,000", "1,998 of 2,000")
    ]
    assert len(table.rows) == 4
    assert table.note == ""
    assert "1,998 of 2,030 messages were unexpected" in figure.sentence


def test_matching_of_many_ranks_is_grouped_and_the_table_tells_what_is_missing(
    tmp_path: Path,
) -> None:
    ring = synthetic_run.finish(synthetic_run.ring(130, 2), tmp_path / "records")
    run = written(with_matching(ring, time_ps=1_500_000, has_model=True), tmp_path / "out")
    figure = matching_figure(run)
    # The deepest of the group, and the means of its three ranks.
    group = drawn(figure)[-1]["row"]
    assert group == "127–129"
    assert values(figure, "unexpected messages", group) == pytest.approx(
        [1998, 5000 / 3, 0.25, 1998 / 3]
    )
    (table,) = figure.tables
    assert [row[0] for row in table.rows] == ["129", *map(str, range(15))]
    assert table.note == (
        "The 16 ranks with the longest times of 130; the file matching.parquet has all of them."
    )
    assert "A bar stands for a group of ranks" in figure.sentence


def test_memory_and_connections_of_each_rank(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_service(ring, pool_bytes=16 * MIB), tmp_path / "out")
    assert cards(run) == ["service"]
    figure = service_figure(run)
    # The pool hides the other parts in the first panel, so that a second one is without it.
    assert values(figure, "datagram pool", "3") == [16]
    assert values(figure, "connections", "3") == pytest.approx([4096 / MIB, 4])
    assert values(figure, "eager buffers", "3") == pytest.approx([1024 / MIB, 1])
    assert values(figure, "base", "3") == pytest.approx([512 / MIB, 0.5])
    assert values(figure, "asked for", "3") == [3]
    assert values(figure, "accepted", "3") == [1]
    assert values(figure, "refused", "0") == [3]
    assert values(figure, "refused", "3") == []
    (table,) = figure.tables
    assert table.rows[3] == ["3", "16.01 MiB", "5.5 KiB", "3", "1", "0", "10", "3", "7"]
    assert "asked for 6 connections and were refused 3" in figure.sentence
    assert "once more without the datagram pool" in figure.sentence


def test_a_small_pool_hides_nothing(ring: SyntheticRun, tmp_path: Path) -> None:
    figure = service_figure(written(with_service(ring, pool_bytes=1024), tmp_path / "out"))
    assert values(figure, "datagram pool", "3") == [1]
    assert values(figure, "connections", "3") == [4]
    assert "once more" not in figure.sentence


def test_a_summary_has_cards_of_totals(ring: SyntheticRun, tmp_path: Path) -> None:
    ring = with_service(with_matching(ring, time_ps=1_500_000, has_model=True), pool_bytes=1024)
    run = written(ring, tmp_path / "out", tables=False)
    assert cards(run) == ["matching", "service"]
    matching, service = matching_figure(run), service_figure(run)
    assert matching.chart is service.chart is None
    assert matching.tables[0].rows == [
        ["rank 3, the slowest", "1.5 µs", "2", "1,998"],
        ["all", "1.5 µs", "2", "1,998"],
    ]
    assert service.tables[0].rows == [["3", "6.5 KiB", "512 B", "4 KiB", "1 KiB", "1 KiB"]]
    page = report_page(run)
    assert "There was nothing of it in this run" not in page
    assert "<td>rank 3, the slowest</td>" in page


def test_corrupted_bits_by_position_and_type(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_approximate(ring), tmp_path / "out")
    assert cards(run) == ["approximate"]
    figure = approximate_figure(run.document)
    found = [(row["type"], int(row["position"]), int(row["bits"])) for row in drawn(figure)]
    assert found == [
        *(("double", 0, 13), ("float", 0, 11), ("float", 1, 7), ("float", 30, 2), ("float", 31, 5))
    ]
    meanings = [row["meaning"] for row in drawn(figure)]
    assert meanings == ["fraction", "fraction", "fraction", "exponent", "sign"]
    by_type, by_function = figure.tables
    assert by_type.rows == [
        ["double", "1", "800 B", "13", "0", "3", "0"],
        ["float", "2", "80 B", "25", "1", "0", "4"],
    ]
    assert by_function.rows == [
        ["MPI_Bcast", "1", "80 B", "25"],
        ["MPI_Send", "2", "800 B", "13"],
    ]
    assert by_function.bars == [100, 52]
    assert "Corrupted bits: 38; numbers that became NaN: 1, infinite: 3." in figure.sentence
    assert "they would have taken 1.32 ns more" in figure.sentence
    assert "5 without a rule that allows errors, 6 of unknown type." in figure.sentence


def test_corrupted_bits_in_a_table(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_approximate(ring), tmp_path / "out")
    rows = read_table(run.table_path("approximate")).to_pylist()
    assert len(rows) == 64 + 32
    assert [(row["function"], row["datatype"], row["position"]) for row in rows[31:33]] == [
        ("MPI_Bcast", "float", 31),
        ("MPI_Send", "double", 0),
    ]
    assert [row["wrong_bits"] for row in rows[:2]] == [11, 7]
    assert rows[32]["wrong_bits"] == 13
    assert sum(row["wrong_bits"] for row in rows) == run.document["approximate"]["wrong_bits"]


def test_no_bit_was_corrupted(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_approximate(ring, are_corrupted=False), tmp_path / "out")
    figure = approximate_figure(run.document)
    assert figure.chart is None
    assert figure.sentence.startswith("No bit arrived corrupted. 3 messages")
    assert figure.tables[1].bars == [0, 0]
    assert cards(run) == ["approximate"]


def test_calls_by_what_carried_them_out(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_collectives(ring), tmp_path / "out")
    assert cards(run) == ["collectives"]
    figure = collectives_figure(run.document)
    rows = [(row["function"], row["part"], row["calls"], row["time"]) for row in drawn(figure)]
    assert rows == [
        ("MPI_Alltoall", "scheduled", "8000", "16"),
        ("MPI_Alltoall", "library: shape", "8", "4"),
        ("MPI_Alltoall", "library: size", "2000", "0"),
        ("MPI_Barrier", "scheduled", "6", "9e-06"),
    ]
    (table,) = figure.tables
    assert table.rows == [
        ["MPI_Alltoall", "schedule", "8,000", "79.9 %", "16 µs", "2 ns", "3"],
        ["MPI_Alltoall", "MPI library (shape)", "8", "0.1 %", "4 µs", "500 ns", "–"],
        ["MPI_Alltoall", "MPI library (size)", "2,000", "20.0 %", "0 s", "0 s", "–"],
        ["MPI_Barrier", "schedule", "6", "100.0 %", "9 ps", "1.5 ps", "0"],
    ]
    assert "shape: the hosts of its ranks are no box that the algorithm can use; " in table.note
    assert "communicator" not in table.note
    assert "3 of 32 steps missed their instant, by at most 5 ns." in figure.sentence


def test_what_is_drawn_does_not_depend_on_when(ring: SyntheticRun, tmp_path: Path) -> None:
    """With the run, or of its folder later on."""
    run = with_matching(ring, time_ps=1_500_000, has_model=True)
    run = with_collectives(with_approximate(with_service(run, pool_bytes=16 << 20)))
    for part in (run.summary["approximate"]["functions"], run.summary["collectives"]["functions"]):
        turned = dict(reversed(list(part.items())))
        part.clear()
        part.update(turned)
    page = report_page(written(run, tmp_path / "out"))
    assert page == report_page(results.load(tmp_path / "out"))


def test_steps_of_a_replay(ring: SyntheticRun, tmp_path: Path) -> None:
    run = written(with_collectives(ring, is_program=False), tmp_path / "out")
    figure = collectives_figure(run.document)
    assert [(row["part"], row["steps"]) for row in drawn(figure)] == [
        ("at their instant", "29"),
        ("missed their instant", "3"),
    ]
    assert figure.tables[0].rows == [["4", "2", "24", "928 ns", "1 ns", "32", "3", "5 ns"]]


@pytest.mark.parametrize(
    "colours",
    [
        *(QUEUE_COLOURS, PART_COLOURS, CONNECTION_COLOURS, TYPE_COLOURS, CALL_COLOURS),
        *(STEP_COLOURS, KIND_COLOURS, POWER_COLOURS),
    ],
)
@pytest.mark.parametrize("is_dark", [False, True])
def test_colours_of_a_card_differ(colours: Mapping[str, str], is_dark: bool) -> None:
    shown = [DARK_COLOURS.get(each, each) if is_dark else each for each in colours.values()]
    for one, other in itertools.combinations(shown, 2):
        channels = [[int(each[i : i + 2], 16) for i in (1, 3, 5)] for each in (one, other)]
        assert math.dist(*channels) > 55, (one, other)
