"""Buffer and searcher together match messages as src/matching does, while they come in."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from commands import CANCEL, INSERT, PROBE, TAKE, Command, Matching
from simulation import simulate
from test_lh_buffer import ENTRY_BEATS, text

CONTEXT = 1
SLOW_BITS = 6
# What the hardware has after a reset.
SPLIT = 3


def message(random: Random, key: Command, size: int | None) -> list[str]:
    """Return beats: the size in word 0, then source and tag, then the context.

    A size of None is a random one.
    """
    size = size or random.choice((16, 48, 64, 80, 200))
    content = bytearray(random.randbytes(-(-size // 16) * 16))
    words = (size, key.source << 16 | key.tag, key.context)
    content[:12] = b"".join(word.to_bytes(4, "little") for word in words)
    return [text(bytes(content[start : start + 16])) for start in range(0, len(content), 16)]


@pytest.mark.parametrize(("entries", "width", "pinned"), [(16, 4, 0), (8, 2, 0), (16, 4, 3)])
def test_messages_and_commands_at_once(
    entries: int, width: int, pinned: int, tmp_path: Path
) -> None:
    """The hardware's assertions hold, answers are the engine's, heads and rests the right ones.

    The first messages, `pinned` of them, are long and never received. All others get in
    nevertheless, with some twenty times the size of slow memory.
    """
    random = Random(entries)
    keys = [
        Command(
            INSERT,
            CONTEXT if number >= pinned else CONTEXT + 1,
            random.randrange(4),
            random.randrange(6),
            pointer=number,
        )
        for number in range(600)
    ]
    beats = [message(random, key, 200 if key.pointer < pinned else None) for key in keys]
    messages = [{"beats": each, "idle": random.choice((0, 0, 3, 30))} for each in beats]
    commands = [
        Command(
            random.choice((TAKE, TAKE, TAKE, PROBE, PROBE, CANCEL)),
            CONTEXT,
            random.randrange(4),
            random.randrange(6),
            random.random() < 0.4,
            random.random() < 0.4,
            # One of the last that came, about.
            pointer=max(pinned, int(number * random.uniform(0.3, 0.4)) - random.randrange(12)),
            idle=random.choice((0, 0, 1, 5)),
        )
        for number in range(1500)
    ]
    lines = [command.line() for command in commands]
    traffic = {"messages": messages, "commands": lines, "left": pinned}
    (tmp_path / "traffic").write_text(json.dumps(traffic))
    files = {"TRAFFIC": tmp_path / "traffic", "LOG": tmp_path / "log"}
    parameters = {"ENTRIES": entries, "WIDTH": width, "SLOW_BITS": SLOW_BITS, "BLOCK_BITS": 2}
    simulate(tmp_path, "head_separation", "bench_head_separation", parameters, files)

    matching = Matching("unexpected")
    inserted = most = live = most_rest = 0
    found_by = dict.fromkeys((TAKE, PROBE, CANCEL), 0)
    for happened in json.loads((tmp_path / "log").read_text()):
        if happened[0] == "insert":
            matching.insert(keys[inserted])
            inserted += 1
            live += 1
            most = max(most, live)
            continue
        _, line, found, pointer, head, rest = happened
        kind, context, source, tag, any_source, any_tag, wanted, _ = map(int, line.split())
        command = Command(kind, context, source, tag, bool(any_source), bool(any_tag), wanted)
        right = matching.answer(command)
        assert found == right.found, happened
        if not found:
            continue
        assert pointer == right.pointer, happened
        if head is not None:
            sent = beats[pointer]
            assert head == sent[0]
            assert rest == (sent[SPLIT:] if len(sent) > ENTRY_BEATS else [])
            most_rest = max(most_rest, len(rest))
        found_by[kind] += 1
        live -= int(kind != PROBE)
    assert inserted == len(keys)
    assert most == entries
    assert min(found_by.values()) >= 10, found_by
    assert most_rest == 10
    stored = sum(len(each) - SPLIT for each in beats if len(each) > ENTRY_BEATS)
    assert stored >= 20 << SLOW_BITS
