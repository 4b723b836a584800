"""Commands for searchers, and what src/matching answers to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Literal

from kumihimo import _core

INSERT, TAKE, PROBE, CANCEL = range(4)
Queue = Literal["posted", "unexpected"]


@dataclass(frozen=True)
class Command:
    """One command, as the test bench reads it."""

    kind: int
    context: int = 0
    source: int = 0
    tag: int = 0
    any_source: bool = False
    any_tag: bool = False
    pointer: int = 0
    idle: int = 0

    def line(self) -> str:
        numbers = (self.kind, self.context, self.source, self.tag, int(self.any_source))
        return " ".join(map(str, (*numbers, int(self.any_tag), self.pointer, self.idle)))

    @property
    def source_or_any(self) -> int | None:
        return None if self.any_source else self.source

    @property
    def whole_tag(self) -> int:
        """The tag as libraries have it: with the communicator, which is never left open."""
        return self.context << 16 | self.tag

    @property
    def ignored(self) -> int:
        return 0xFFFF if self.any_tag else 0


@dataclass(frozen=True)
class Answer:
    """What a searcher says; `pointer` means nothing if it is not `found`."""

    found: bool
    pointer: int


class Matching:
    """The C++ engine's queue of one side, with hardware's commands."""

    def __init__(self, queue: Queue) -> None:
        self._posted = _core.PostedQueue() if queue == "posted" else None
        self._unexpected = _core.UnexpectedQueue()

    def insert(self, c: Command) -> None:
        if self._posted is not None:
            self._posted.insert(c.source_or_any, c.whole_tag, c.ignored, c.pointer)
        else:
            self._unexpected.insert(c.source, c.whole_tag, c.pointer)

    def answer(self, c: Command) -> Answer:
        """Answer everything but INSERT."""
        if c.kind == CANCEL:
            queue = self._unexpected if self._posted is None else self._posted
            return Answer(queue.cancel(c.pointer), c.pointer)
        takes = c.kind == TAKE
        if self._posted is not None:
            found = self._posted.look(c.source, c.whole_tag, takes)
        else:
            found = self._unexpected.look(c.source_or_any, c.whole_tag, c.ignored, takes)
        return Answer(found is not None, found or 0)


def expected(commands: Iterable[Command], queue: Queue, entries: int) -> list[Answer]:
    """Return what a searcher must answer: the engine's answers, but it refuses what has no room."""
    matching = Matching(queue)
    live = 0
    answers = []
    for command in commands:
        if command.kind == INSERT:
            accepted = live < entries
            if accepted:
                matching.insert(command)
                live += 1
            answers.append(Answer(accepted, command.pointer))
            continue
        answer = matching.answer(command)
        live -= int(answer.found and command.kind != PROBE)
        answers.append(answer)
    return answers


def random_commands(seed: int, count: int, queue: Queue, load: float) -> list[Command]:
    """Return random traffic with few keys, so that much of it matches.

    Args:
        seed: Of the random numbers.
        count: How many commands.
        queue: Which side has the wildcards.
        load: The share of INSERT.
    """
    random = Random(seed)
    commands: list[Command] = []
    for number in range(count):
        kind = INSERT if random.random() < load else random.choice((TAKE, TAKE, PROBE, CANCEL))
        has_wildcards = (kind == INSERT) == (queue == "posted")
        # A cancel may name what was inserted just before, or long ago, or never.
        pointer = (
            number if kind == INSERT else max(0, number - random.choice((1, 1, 2, 3, 30, 300)))
        )
        commands.append(
            Command(
                kind,
                context=random.choice((1, 1023)),
                source=random.randrange(4) * 21845,
                tag=random.randrange(6) * 13107,
                any_source=has_wildcards and random.random() < 0.2,
                any_tag=has_wildcards and random.random() < 0.2,
                pointer=pointer,
                idle=random.choice((0, 0, 0, 1, 5)),
            )
        )
        # Entries that never match would in the end fill any room.
        if number % 150 == 149:
            commands += [Command(CANCEL, pointer=old) for old in range(number + 1)[-150:]]
    return commands
