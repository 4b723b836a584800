"""The benchmarks of Underwood and Brightwell as schedules, of two ranks, in GOAL text.

Rank 1 looks for one entry of a queue, behind others. What else happens does not depend on its place
in the queue, so that the difference of two virtual times is that of two searches.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

_SIZE = 16
_OTHER, _TIMED, _READY, _ANSWER = range(1, 5)
# What begins, or ends, before an operation.
_BEGINS, _ENDS = "irequires", "requires"


def unexpected(length: int, before: int) -> str:
    """Return the schedule in which rank 1 posts the receive of a message that has arrived.

    Args:
        length: Other messages that have arrived.
        before: How many of these are in front of it.
    """
    others = [_send(_OTHER, 1)] * length
    sends = [*others[:before], _send(_TIMED, 1), *others[before:]]
    receives = [_receive(_READY, 0), _receive(_TIMED, 0), *[_receive(_OTHER, 0)] * length]
    return _goal(
        [(operation, (_BEGINS, -1)) for operation in [*sends, _send(_READY, 1)]],
        [(operation, (_ENDS, -1)) for operation in receives],
    )


def posted(length: int, before: int) -> str:
    """Return the schedule in which a message arrives for one of several receives of rank 1.

    Args:
        length: Other receives that are posted, whose messages come later.
        before: How many of these are in front of it.
    """
    others = [_receive(_OTHER, 0)] * length
    receives = [*others[:before], _receive(_TIMED, 0), *others[before:]]
    # The answer is for the receive, which is as far back as the others behind it and one more.
    answer = (_send(_ANSWER, 0), (_ENDS, before - length - 2))
    sends = [_send(_TIMED, 1), _receive(_ANSWER, 1)]
    return _goal(
        [
            *((operation, (_ENDS, -1)) for operation in [_receive(_READY, 1), *sends]),
            *((_send(_OTHER, 1), (_ENDS if i == 0 else _BEGINS, -1)) for i in range(length)),
        ],
        [*((operation, (_BEGINS, -1)) for operation in [*receives, _send(_READY, 0)]), answer],
    )


def _send(tag: int, target: int) -> str:
    return f"send {_SIZE}b to {target} tag {tag}"


def _receive(tag: int, source: int) -> str:
    return f"recv {_SIZE}b from {source} tag {tag}"


Operation = tuple[str, tuple[str, int]]
"""What it is, and on which one it depends, counted from itself: the first has none."""


def _goal(*ranks: Sequence[Operation]) -> str:
    return "\n".join([f"num_ranks {len(ranks)}", *_lines(ranks), ""])


def _lines(ranks: Sequence[Sequence[Operation]]) -> Iterator[str]:
    for rank, operations in enumerate(ranks):
        yield f"rank {rank} {{"
        yield from (f"o{n}: {operation}" for n, (operation, _) in enumerate(operations))
        for number, (_, (how, distance)) in enumerate(operations):
            if number:
                yield f"o{number} {how} o{number + distance}"
        yield "}"
