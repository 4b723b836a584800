"""The message path in the architecture: one existing file a hop, in the order of CONTRIBUTING."""

import re
from itertools import groupby

from sources import ROOT


def hops() -> list[str]:
    """The last cells of the table's rows, in order."""
    text = (ROOT / "docs" / "ARCHITECTURE.md").read_text()
    section = text.split("## The message path\n", 1)[1].split("\n## ", 1)[0]
    rows = re.findall(r"^\|.*\| ([^|]*) \|$", section, re.MULTILINE)
    return [cell for cell in rows if cell != "file"]


def test_each_hop_is_one_file() -> None:
    assert hops()
    for cell in hops():
        assert re.fullmatch(r"`src/[\w/]+\.[ch]pp`", cell), f"one file: {cell}"
        assert (ROOT / cell.strip("`")).is_file(), cell


def test_each_file_is_a_hop_once() -> None:
    assert len(set(hops())) == len(hops())


def test_folders_come_in_the_order_of_contributing() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    paragraph = re.search(r"^The message path: (.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    assert paragraph
    shown = re.findall(r"`src/(\w+)`", paragraph[1])
    passed = [folder for folder, _ in groupby(cell.strip("`").split("/")[1] for cell in hops())]
    assert shown == passed
