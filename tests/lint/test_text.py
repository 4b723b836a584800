"""What every file must keep to, whatever its language."""

import re
from pathlib import Path

from sources import all_files, files, relative

SOURCE_SUFFIXES = (".cpp", ".hpp", ".c", ".h", ".py", ".f90", ".F90", ".sh", ".cmake", ".js")
SOFT_LINES = 300
HARD_LINES = 500

# Put together from halves, so that this file passes its own test.
FORBIDDEN = {
    r"\bTO" + r"DO\b": "unfinished work belongs to an issue",
    r"\bFIX" + r"ME\b": "unfinished work belongs to an issue",
    r"\bX" + r"XX\b": "unfinished work belongs to an issue",
    r"(?<![\w.])/(work|root|home)" + r"/\w": "a path that exists on one computer only",
    r"/tmp" + r"/(build|v|bench)\b": "a path that exists on one computer only",
}
MAY_SAY_ANYTHING = {"LICENSE"}


def readable_files() -> list[tuple[Path, str]]:
    """All text files with their contents."""
    found = []
    for path in all_files():
        data = path.read_bytes()
        if b"\0" not in data and path.name not in MAY_SAY_ANYTHING:
            found.append((path, data.decode("utf-8")))
    return found


def test_no_forbidden_words() -> None:
    wrong = []
    for path, text in readable_files():
        for pattern, reason in FORBIDDEN.items():
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                wrong.append(f"{relative(path)}:{line}: {match.group()!r}: {reason}")
    assert not wrong, "\n".join(wrong)


def test_no_file_is_too_long() -> None:
    lengths = {
        relative(path): len(path.read_text().splitlines()) for path in files(*SOURCE_SUFFIXES)
    }
    long = {name: lines for name, lines in lengths.items() if lines > SOFT_LINES}
    print(f"longer than {SOFT_LINES} lines: {long or 'none'}")
    too_long = {name: lines for name, lines in long.items() if lines > HARD_LINES}
    assert not too_long, f"split these files, the limit is {HARD_LINES} lines: {too_long}"


def test_lines_end_plainly() -> None:
    wrong = []
    for path, text in readable_files():
        if "\r" in text:
            wrong.append(f"{relative(path)}: carriage returns")
        if text and not text.endswith("\n"):
            wrong.append(f"{relative(path)}: no newline at the end")
        if path.suffix != ".md" and re.search(r"[ \t]+$", text, re.MULTILINE):
            wrong.append(f"{relative(path)}: spaces at the end of a line")
    assert not wrong, "\n".join(wrong)


def test_random_numbers_come_from_streams() -> None:
    """Those of the standard library differ between libraries, or depend on earlier draws."""
    other = re.compile(
        r"#include <random>|\bstd::(shuffle|mt19937)|\bs?rand\(|\b1664525\b|splitmix", re.I
    )
    wrong = []
    for path in files(".cpp", ".hpp"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if other.search(line):
                wrong.append(f"{relative(path)}:{number}: use base/random/random_stream.hpp")
    assert not wrong, "\n".join(wrong)
