"""What was run, as lines of JSON in a file, so that an interrupted comparison goes on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from conformance.judging import Verdict

_KEPT_OUTPUT = 2000


@dataclass(frozen=True)
class Record:
    """One run of one entry on one side.

    Attributes:
        entry: The entry's name.
        category: The row of the table it counts in.
        side: The side's name.
        verdict: How it ended.
        reason: Why it did not pass.
        status: Exit status; None if it had to be killed, or did not run.
        wall_s: How long it took, in seconds.
        output: The end of what it printed.
    """

    entry: str
    category: str
    side: str
    verdict: str
    reason: str = ""
    status: int | None = None
    wall_s: float = 0.0
    output: str = ""

    @property
    def is_good(self) -> bool:
        """Whether it passed, or said that it does not apply."""
        return self.verdict in (Verdict.PASSED, Verdict.SKIPPED)


class Records:
    """A file of records; the last one of an entry and side counts."""

    def __init__(self, path: Path) -> None:
        """Read what is there; a last line that was cut off is dropped."""
        self._path = path
        self._lock = threading.Lock()
        self._latest: dict[tuple[str, str], Record] = {}
        lines = path.read_text().splitlines() if path.exists() else []
        for number, line in enumerate(lines, start=1):
            try:
                record = Record(**json.loads(line))
            except ValueError:
                if number < len(lines):
                    raise ValueError(f"{path}:{number}: expected a record in JSON") from None
                self._rewrite()
                continue
            self._latest[record.entry, record.side] = record

    def find(self, entry: str, side: str) -> Record | None:
        """The latest record of an entry on a side."""
        return self._latest.get((entry, side))

    def add(self, record: Record) -> None:
        """Keep a record, on disk before this returns; any thread may call it."""
        line = json.dumps({**asdict(record), "output": record.output[-_KEPT_OUTPUT:]})
        with self._lock:
            self._latest[record.entry, record.side] = record
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a") as file:
                file.write(line + "\n")

    def pairs(self, sides: tuple[str, str]) -> Iterable[tuple[Record, Record]]:
        """Every entry that was run on both sides, in the order of the file."""
        for (entry, side), record in list(self._latest.items()):
            other = self._latest.get((entry, sides[1]))
            if side == sides[0] and other is not None:
                yield record, other

    def _rewrite(self) -> None:
        text = "".join(json.dumps(asdict(record)) + "\n" for record in self._latest.values())
        self._path.write_text(text)
