"""Documentation: links lead somewhere, and the pages name what there is."""

import re
from pathlib import Path

import pytest

from kumihimo.run import environment
from sources import ROOT, files, relative

LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
CITATION = re.compile(r"\[([A-Z][A-Za-z]+[0-9]{2})[],]")
ENVIRONMENT = ROOT / "docs" / "reference" / "environment.md"
COMPUTE = ROOT / "docs" / "reference" / "compute.md"
HEADER = ROOT / "include" / "kumihimo" / "compute.h"


def without_examples(text: str) -> str:
    """The text without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def broken_links(path: Path) -> list[str]:
    """Links of a page to files of the repository that are not there."""
    targets = LINK.findall(without_examples(path.read_text(encoding="utf-8")))
    local = (target.partition("#")[0] for target in targets if "://" not in target)
    return [target for target in local if target and not (path.parent / target).exists()]


def test_links_lead_to_files() -> None:
    wrong = {relative(page): broken for page in files(".md") if (broken := broken_links(page))}
    assert not wrong


def test_broken_links_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[here](page.md#top) [there](none.md) [far](https://example.org)\n")
    assert broken_links(page) == ["none.md"]


def test_every_citation_is_in_the_bibliography() -> None:
    listed = set(CITATION.findall((ROOT / "docs" / "bibliography.md").read_text(encoding="utf-8")))
    suffixes = (".cpp", ".hpp", ".c", ".h", ".py", ".md", ".toml")
    missing = {
        f"{relative(path)}: {name}"
        for path in files(*suffixes)
        for name in CITATION.findall(path.read_text(encoding="utf-8"))
        if name not in listed
    }
    assert not missing


def test_the_totals_of_test_suites_are_those_of_their_tables() -> None:
    tables = (ROOT / "docs" / "conformance-tables.md").read_text(encoding="utf-8")
    summary = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    front_page = (ROOT / "README.md").read_text(encoding="utf-8")
    mpich, mpi4py = re.findall(r"^\| (?:\*\*all\*\*|mpi4py) \| (.*) \|$", tables, re.MULTILINE)
    assert f"| MPICH | {mpich} |" in summary
    assert f"| mpi4py, 3 ranks | {mpi4py} |" in summary
    _, natively, also_here, _ = mpich.split(" | ")
    assert f"Of {natively} entries" in front_page
    assert f"{also_here} pass here" in front_page


@pytest.mark.parametrize("table", ["_MPICH", "_OPENMPI", "_OPENMPI_PARAMETERS"])
def test_what_ranks_get_is_named(table: str) -> None:
    page = ENVIRONMENT.read_text(encoding="utf-8")
    assert [name for name in getattr(environment, table) if f"`{name}`" not in page] == []


def test_variables_that_are_read_are_named() -> None:
    page = ENVIRONMENT.read_text(encoding="utf-8")
    sources = [path for path in files(".cpp", ".hpp") if path.is_relative_to(ROOT / "src")]
    read = {
        name
        for path in sources
        if "/testing/" not in relative(path)
        for name in re.findall(r'getenv\("(KUMI_[A-Z_]+)"\)', path.read_text(encoding="utf-8"))
    }
    assert read
    assert {name for name in read if f"`{name}`" not in page} == set()


def test_the_words_of_goal_text_are_named() -> None:
    page = (ROOT / "docs" / "reference" / "goal.md").read_text(encoding="utf-8")
    reader = (ROOT / "src" / "schedule" / "goal" / "goal_reader.cpp").read_text(encoding="utf-8")
    words = set(re.findall(r'\b(?:is|take_word|read_count)\("([a-z_]+)"', reader))
    words |= set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)*\b(?=[,)])", reader[reader.index("a hint (") :]))
    assert {"send", "irequires", "wait_after", "in_order", "MEMORY_BUDGET"} <= words
    assert [word for word in sorted(words) if word not in page] == []


def test_the_c_interface_is_named() -> None:
    page = COMPUTE.read_text(encoding="utf-8")
    header = HEADER.read_text(encoding="utf-8")
    names = set(re.findall(r"\b(kumi_[a-z]+_[a-z]+)\(", header))
    names |= set(re.findall(r"#define (KUMI_COMPUTE_[A-Z_]+)", header))
    assert "kumi_compute_flops" in names
    assert [name for name in sorted(names) if name not in page] == []
