"""What MPICH's lists of tests say: which program, how many ranks, how its result is judged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

DEFAULT_RANKS = 2
DEFAULT_LIMIT_S = 180
# What MPICH's own script assumes of a computer: tests that say they need more are left out.
DEFAULT_MEMORY_GB = 4.0


class ListError(Exception):
    """A list of tests that cannot be read; the message names file, line and what was expected."""


@dataclass(frozen=True)
class Entry:
    """One line of a list of tests.

    Attributes:
        folder: The folder of the program, relative to the suite.
        program: Its name in that folder.
        ranks: How many processes it is started with.
        arguments: Its arguments.
        environment: Its environment variables, as NAME=value.
        launcher_arguments: Options for `mpiexec`, which other launchers do not know.
        result_test: The rule that its output and status are judged by; "" is the usual one.
        limit_s: Wall time that it may take, in seconds.
        left_out: Why it is not run, as the list says; "" if it is.
    """

    folder: str
    program: str
    ranks: int
    arguments: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    launcher_arguments: tuple[str, ...] = ()
    result_test: str = ""
    limit_s: int = DEFAULT_LIMIT_S
    left_out: str = ""

    @property
    def name(self) -> str:
        """Folder, program, ranks and what distinguishes it from others of the program."""
        options = (*self.environment, *self.launcher_arguments, *self.arguments)
        return " ".join((f"{self.folder}/{self.program}", str(self.ranks), *options))

    @property
    def category(self) -> str:
        """The first folder."""
        return self.folder.split("/")[0]


def read_lists(build: Path, sources: Path, names: Sequence[str]) -> list[Entry]:
    """Return all entries of the suite in order, each once.

    Args:
        build: Where the suite was configured; its lists go before those of the sources.
        sources: The sources of the suite.
        names: The names of the lists in each folder, as "testlist".

    Raises:
        ListError: If there is no list at the top, or if a line cannot be understood.
    """
    if not any(_path(build, sources, "", name) for name in names):
        raise ListError(f"{sources}: expected a file {' or '.join(names)}")
    entries = _read_folder(build, sources, "", tuple(names))
    return list({entry.name: entry for entry in entries}.values())


def _path(build: Path, sources: Path, folder: str, name: str) -> Path | None:
    for top in (build, sources):
        path = top / folder / name
        if path.is_file():
            return path
    return None


def _read_folder(
    build: Path, sources: Path, folder: str, names: tuple[str, ...]
) -> Iterator[Entry]:
    for name in names:
        path = _path(build, sources, folder, name)
        if path is None:
            continue
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            words = line.split("#")[0].split()
            # "!folder:target" names a library that has to be built first; everything is.
            if not words or words[0].startswith("!"):
                continue
            inner = f"{folder}/{words[0]}" if folder else words[0]
            if (sources / inner).is_dir():
                yield from _read_folder(build, sources, inner, names)
            else:
                yield _entry(folder, words, f"{path}:{number}")


def _entry(folder: str, words: list[str], where: str) -> Entry:
    program, *rest = words
    if "/" in program:
        inner, program = program.rsplit("/", 1)
        folder = f"{folder}/{inner}"
    ranks = DEFAULT_RANKS
    if rest:
        if not rest[0].isdecimal():
            raise ListError(f"{where}: expected a number of processes, found {rest[0]!r}")
        ranks = int(rest[0])
    options: dict[str, list[str]] = {}
    for word in rest[1:]:
        # MPICH's own script passes over words that set nothing, and some lists have them.
        key, _, value = word.partition("=")
        options.setdefault(key, []).append(value)
    return Entry(
        folder=folder,
        program=program,
        ranks=ranks,
        arguments=tuple(options.get("arg", ())),
        environment=tuple(options.get("env", ())),
        launcher_arguments=tuple(options.get("mpiexecarg", ())),
        result_test=options.get("resultTest", [""])[-1],
        limit_s=_seconds(options.get("timeLimit", [""])[-1]),
        left_out=_left_out(options),
    )


def _seconds(text: str) -> int:
    return int(text) if re.fullmatch(r"\d+", text) else DEFAULT_LIMIT_S


def _left_out(options: dict[str, list[str]]) -> str:
    if reason := options.get("xfail", [""])[-1]:
        return f"expected to fail: {reason}"
    if "hasgpu" in options:
        return "needs a GPU"
    memory = options.get("mem", ["0"])[-1]
    if float(memory) > DEFAULT_MEMORY_GB:
        return f"needs {memory} GB of memory"
    return ""
