"""The buffer of heads keeps of each message what head separation says, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simulation import simulate
from slow_memory import SlowMemory

BEAT, ENTRY_BEATS = 16, 4
LONGEST_IN_ENTRY = BEAT * ENTRY_BEATS


def beats_of(size: int, size_word: int, random: Random) -> list[bytes]:
    """Return a message of random bytes that says its size in that word of 32 bits."""
    count = max(1, -(-size // BEAT), size_word // 4 + 1)
    content = bytearray(random.randbytes(count * BEAT))
    content[4 * size_word : 4 * size_word + 4] = size.to_bytes(4, "little")
    return [bytes(content[start : start + BEAT]) for start in range(0, len(content), BEAT)]


def text(beat: bytes) -> str:
    """Return a beat as a number; its first byte is the lowest."""
    return f"{int.from_bytes(beat, 'little'):032x}"


def run(
    folder: Path, messages: list[dict[str, Any]], split: int, size_word: int, **parameters: int
) -> dict[str, Any]:
    job = {"split": split, "size_word": size_word, "messages": messages}
    (folder / "messages").write_text(json.dumps(job))
    files = {"MESSAGES": folder / "messages", "KEPT": folder / "kept"}
    simulate(folder, "lh_buffer", "bench_lh_buffer", parameters, files)
    kept: dict[str, Any] = json.loads((folder / "kept").read_text())
    return kept


def check(kept: dict[str, Any], sent: list[tuple[int, list[bytes]]], split: int) -> None:
    """Put every message together again from its entry and from slow memory."""
    for (size, beats), entry, rest in zip(sent, kept["entries"], kept["rests"], strict=True):
        texts = [text(beat) for beat in beats]
        if size <= LONGEST_IN_ENTRY:
            assert entry[: len(beats)] == texts[:ENTRY_BEATS]
            assert rest == []
            continue
        assert entry[: min(split, len(beats))] == texts[:split]
        assert int(entry[3], 16) >> 32 & 0xFFFFFFFF == size
        assert rest == texts[split:]


@pytest.mark.parametrize(("split", "size_word"), [(3, 0), (1, 3), (2, 6), (3, 11)])
def test_random_messages(split: int, size_word: int, tmp_path: Path) -> None:
    """Both registers, all lengths around an entry's and a block's, full buffers, no blocks left.

    Some messages are shorter or longer than they say.
    """
    random = Random(split)
    sent, messages = [], []
    for _ in range(200):
        size = random.choice((0, 15, 16, 17, 48, 63, 64, 65, 80, 81, 112, 128, 200, 400))
        beats = beats_of(size, size_word, random)
        if random.random() < 0.1:
            beats = beats[: max(size_word // 4 + 1, len(beats) // 2)]
        elif random.random() < 0.1:
            beats += beats
        sent.append((size, beats))
        messages.append(
            {
                "beats": [text(beat) for beat in beats],
                "idle": random.choice((0, 0, 1)),
                "release": [
                    random.choice((0, 0, 1, 5)) for _ in range(random.choice((0, 0, 1, 3)))
                ],
            }
        )
    # Less slow memory than these messages would take, in blocks of two beats or of eight.
    block_bits = 1 if split == 1 else 3
    kept = run(tmp_path, messages, split, size_word, ENTRIES=8, SLOW_BITS=6, BLOCK_BITS=block_bits)
    check(kept, sent, split)
    assert kept["stalls"] >= 50
    assert kept["stalls_for_blocks"] >= 50
    assert any(age > 0 for age, _ in kept["releases"])
    for age, cycles in kept["releases"]:
        assert cycles == (1 if age == 0 else age + 4)


@pytest.mark.parametrize("block_bits", [1, 2, 4])
def test_a_long_message_that_is_never_given_back(block_bits: int, tmp_path: Path) -> None:
    """Forty times the size of slow memory comes and goes behind it, and nothing waits for a block.

    Entries are given back in random order, and only those that must be, so that memory is always
    nearly full: all of its blocks are used again.
    """
    random = Random(block_bits)
    slow_bits, entries, split = 6, 16, 3
    model = SlowMemory(1 << slow_bits - block_bits, 1 << block_bits)
    live: list[int] = []
    sent: list[tuple[int, list[bytes]]] = []
    messages = []
    stored = fullest = 0
    while stored < 40 << slow_bits:
        number = len(sent)
        size = 200 if number == 0 else random.choice((40, 65, 80, 100, 130, 200, 300))
        beats = beats_of(size, 0, random)
        rest = len(beats[split:]) if size > LONGEST_IN_ENTRY else 0
        ages = []
        while len(live) == entries or len(model.free) < model.blocks_for(rest):
            ages.append(random.randrange(1, len(live)))
            model.release(live.pop(ages[-1]))
        for _ in range(rest):
            model.store(number)
        fullest += int(not model.free)
        stored += rest
        live.append(number)
        sent.append((size, beats))
        texts = [text(beat) for beat in beats]
        messages.append({"beats": texts, "idle": 0, "release": ages})
    parameters = {"ENTRIES": entries, "SLOW_BITS": slow_bits, "BLOCK_BITS": block_bits}
    kept = run(tmp_path, messages, split, 0, **parameters)
    check(kept, sent, split)
    assert kept["live"] == live
    assert live[0] == 0
    assert kept["forced"] == kept["stalls_for_blocks"] == 0
    assert fullest >= 20


def test_an_entry_that_is_never_given_back(tmp_path: Path) -> None:
    """Thousands of messages come and go behind the oldest one; none of them waits."""
    random = Random(3)
    messages, sent = [], []
    for number in range(2000):
        sent.append((40, beats_of(40, 0, random)))
        messages.append(
            {
                "beats": [text(beat) for beat in sent[-1][1]],
                "idle": 0,
                "release": [1] if number > 1 else [],
            }
        )
    kept = run(tmp_path, messages, 3, 0, ENTRIES=64, SLOW_BITS=6, BLOCK_BITS=3)
    check(kept, sent, 3)
    assert kept["live"] == [0, 1999]
    # The second message comes right behind the first.
    assert kept["stalls"] <= 2


def test_a_full_buffer_makes_messages_wait(tmp_path: Path) -> None:
    """Nothing is given back until nothing moves."""
    random = Random(1)
    sent = [(40, beats_of(40, 0, random)) for _ in range(10)]
    messages = [
        {"beats": [text(beat) for beat in beats], "idle": 0, "release": []} for _, beats in sent
    ]
    kept = run(tmp_path, messages, 3, 0, ENTRIES=4, SLOW_BITS=6, BLOCK_BITS=3)
    check(kept, sent, 3)
    assert kept["stalls"] >= 6 * 50


def test_what_is_longer_than_it_says_is_cut_off(tmp_path: Path) -> None:
    """The buffer goes by the size: four beats are kept, and the next message is not disturbed."""
    random = Random(2)
    long = beats_of(200, 0, random)
    long[0] = (64).to_bytes(4, "little") + long[0][4:]
    short = beats_of(16, 0, random)
    messages = [
        {"beats": [text(beat) for beat in beats], "idle": 0, "release": []}
        for beats in (long, short)
    ]
    kept = run(tmp_path, messages, 3, 0, ENTRIES=4, SLOW_BITS=6, BLOCK_BITS=3)
    assert kept["entries"][0] == [text(beat) for beat in long[:4]]
    assert kept["entries"][1][0] == text(short[0])
    assert kept["rests"] == [[], []]
