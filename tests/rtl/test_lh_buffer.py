"""The buffer of heads keeps of each message what head separation says, and loses nothing."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from simulation import simulate

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


def check(
    kept: dict[str, Any], sent: list[tuple[int, list[bytes]]], split: int, slow_bits: int
) -> None:
    """Put every message together again from its entry and from slow memory."""
    assert len(kept["entries"]) == len(sent)
    next_slow = 0
    for (size, beats), entry in zip(sent, kept["entries"], strict=True):
        if size <= LONGEST_IN_ENTRY:
            assert entry[: len(beats)] == [text(beat) for beat in beats]
            continue
        assert entry[:split] == [text(beat) for beat in beats[:split]]
        pointer = int(entry[3], 16)
        rest = beats[split:]
        assert pointer & 0xFFFFFFFF == next_slow % (1 << slow_bits)
        assert pointer >> 32 & 0xFFFFFFFF == size
        part = kept["slow"][next_slow : next_slow + len(rest)]
        assert [beat for _, beat in part] == [text(beat) for beat in rest]
        places = range(next_slow, next_slow + len(rest))
        assert [address for address, _ in part] == [place % (1 << slow_bits) for place in places]
        next_slow += len(rest)
    assert len(kept["slow"]) == next_slow


@pytest.mark.parametrize(("split", "size_word"), [(3, 0), (1, 3), (2, 6), (3, 11)])
def test_random_messages(split: int, size_word: int, tmp_path: Path) -> None:
    """Both registers, all lengths around an entry's, full buffers, many times round."""
    random = Random(split)
    sent, messages = [], []
    for _ in range(60):
        size = random.choice((0, 15, 16, 17, 48, 63, 64, 65, 80, 81, 200, 400))
        beats = beats_of(size, size_word, random)
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
    kept = run(tmp_path, messages, split, size_word, ENTRIES=8, SLOW_BITS=6)
    check(kept, sent, split, slow_bits=6)
    assert kept["stalls"] >= 50
    assert any(age > 0 for age, _ in kept["releases"])
    for age, cycles in kept["releases"]:
        assert cycles == (1 if age == 0 else age + 5)


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
    kept = run(tmp_path, messages, 3, 0, ENTRIES=64, SLOW_BITS=6)
    check(kept, sent, 3, slow_bits=6)
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
    kept = run(tmp_path, messages, 3, 0, ENTRIES=4, SLOW_BITS=6)
    check(kept, sent, 3, slow_bits=6)
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
    kept = run(tmp_path, messages, 3, 0, ENTRIES=4, SLOW_BITS=6)
    assert kept["entries"][0] == [text(beat) for beat in long[:4]]
    assert kept["entries"][1][0] == text(short[0])
    assert kept["slow"] == []
