"""Sends and receives of a schedule that do not fit together, in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kumihimo._core import Schedule
from kumihimo.progress.ending import Ending, ExitCode

_MOST_SHOWN = 10


def truncated(message: dict[str, int], file: Path | None) -> Ending:
    """Say which message is larger than its receive, and where both stand."""
    send = (message["source"], message["send"])
    receive = (message["target"], message["receive"])
    send_place, receive_place = _places(file, [send, receive])
    return Ending(
        ExitCode.FAILED,
        f"{send_place}: rank {send[0]} sends {message['size_bytes']:,} bytes to rank {receive[0]}, "
        f"whose receive ({receive_place}) has room for {message['room_bytes']:,}; "
        "--allow-truncation replays it all the same",
    )


def unreceived(messages: Sequence[dict[str, int]], file: Path | None) -> Ending:
    """Name the messages that no rank received, and the places of their sends."""
    shown = messages[:_MOST_SHOWN]
    places = _places(file, [(message["source"], message["send"]) for message in shown])
    lines = [
        f"{place}: rank {message['source']} sends {message['size_bytes']:,} bytes with tag "
        f"{message['tag']} to rank {message['target']}, which never receives them"
        for place, message in zip(places, shown, strict=True)
    ]
    if len(messages) > len(shown):
        lines.append(f"and {len(messages) - len(shown):,} more")
    lines[-1] += "; --allow-unreceived replays it all the same"
    return Ending(ExitCode.FAILED, "\n".join(lines))


def _places(file: Path | None, operations: Sequence[tuple[int, int]]) -> list[str]:
    """Name operations, pairs of rank and number in it: by file and line where there are lines."""
    lines = [0] * len(operations)
    if file is not None:
        lines = Schedule.find_lines(str(file), operations)
    return [
        f"{file}:{line}" if line else f"operation {number} of rank {rank}"
        for line, (rank, number) in zip(lines, operations, strict=True)
    ]
