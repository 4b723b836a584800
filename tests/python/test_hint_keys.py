"""The table of hints' keys is that of the core, of the header and of the page for readers."""

import re
from pathlib import Path

from kumihimo.hint_keys import KEYS, NAMES, NUMBERED, reference_page

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "src" / "endpoint" / "service" / "hint_key.hpp"
HEADER = ROOT / "include" / "kumihimo" / "hint.h"


def test_the_page_is_the_table() -> None:
    assert (ROOT / "docs" / "reference" / "hints.md").read_text() == reference_page()


def test_the_core_numbers_the_keys_in_this_order() -> None:
    names = re.search(r"kHintNames\{([^}]*)\}", CORE.read_text())
    assert names is not None
    assert re.findall(r'"([A-Z_]+)"', names[1]) == [key.name for key in NUMBERED]


def test_the_header_knows_every_key_and_describes_it() -> None:
    text = HEADER.read_text()
    assert set(re.findall(r'strcmp\(key, "([A-Z_]+)"\)', text)) == set(NAMES)
    assert set(re.findall(r'HINT\("([A-Z_]+)"', text)) == set(NAMES)


def test_each_key_has_a_meaning() -> None:
    assert all(key.values and key.listeners and key.meaning for key in KEYS)
    assert all(key.switches == ("1", "0") for key in KEYS if key.is_region)
