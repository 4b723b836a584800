"""Runs in the simulator: gives the buffer of heads messages, and writes what it keeps of them.

Environment: MESSAGES, a file in JSON: `split` (beats), `size_word`, and `messages`, each with its
`beats` (texts of 32 hexadecimal digits), `idle` cycles before each of them, and `release`, which
entries the host gives back before it: numbers that are taken modulo the number of live entries, the
oldest first. KEPT, the file to write: `entries`, each of four beats, in order of arrival, `rests`,
the beats that each has in slow memory, `stalls`, cycles in which a beat had to wait, and
`stalls_for_blocks`, those in which it waited for a block; `live` are the numbers of the entries
left in the end, `forced` counts entries given back since nothing moved, and `releases` are pairs of
the number of entries older than one given back and the cycles until the buffer was ready for the
next.

Beats must go where the model of slow memory puts them, and none may wait while the model has room.
"""

import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from hardware import Hardware
from slow_memory import SlowMemory

# Cycles in which a beat may wait though there is room: after the end of a message, and until blocks
# given back are free.
LONGEST_PAUSE = 3


class Host:
    """Reads what is in the buffer, and gives entries back."""

    def __init__(self, dut: Hardware) -> None:
        self.dut = dut
        self.places = 1 << len(dut.front)
        self.entries: list[list[str]] = []
        # Numbers of entries that were not given back, the oldest first.
        self.live: list[int] = []
        block_bits = len(dut.slow_address) - len(dut.host_block)
        self.model = SlowMemory(1 << len(dut.host_block), 1 << block_bits)
        self.coming_in = 0
        self.rests: list[list[str]] = []
        # What is at each address.
        self.slow: dict[int, str] = {}
        self.stalls = 0
        self.stalls_for_blocks = 0
        self.forced = 0
        self.releases: list[tuple[int, int]] = []

    def place(self, age: int) -> int:
        return (int(self.dut.front.value) + age) % self.places

    async def read(self, age: int) -> list[str]:
        """Read four beats, one in each cycle."""
        dut = self.dut
        seen = []
        for beat in range(4 + 1):
            dut.host_address.value = self.place(age) << 2 | beat % 4
            await FallingEdge(dut.clk)
            seen.append(str(dut.host_data.value))
        return [f"{int(bits, 2):032x}" if set(bits) <= {"0", "1"} else "x" for bits in seen[1:]]

    async def read_rest(self, message: int, entry: list[str]) -> list[str]:
        """Follow a message's blocks through slow memory."""
        dut, block_beats = self.dut, self.model.block_beats
        address = int(entry[3], 16) % (1 << len(dut.slow_address)) if entry[3] != "x" else 0
        rest = []
        for beat in range(self.model.beats(message)):
            if beat and beat % block_beats == 0:
                dut.host_block.value = address // block_beats - 1
                await FallingEdge(dut.clk)
                address = int(dut.host_next.value) * block_beats
            rest.append(self.slow[address])
            address += 1
        return rest

    async def read_all(self) -> None:
        """Read all that is live, what is new and what was read before."""
        # A long message's last beat is written two cycles after it came.
        for _ in range(2):
            await FallingEdge(self.dut.clk)
        while len(self.live) < int(self.dut.count.value):
            number = len(self.entries)
            self.live.append(number)
            self.entries.append(await self.read(len(self.live) - 1))
            self.rests.append(await self.read_rest(number, self.entries[number]))
        for age, number in enumerate(self.live):
            entry = await self.read(age)
            assert entry == self.entries[number], (age, number)
            assert await self.read_rest(number, entry) == self.rests[number], (age, number)

    async def release(self, choice: int) -> None:
        """Give one back, with its blocks."""
        dut = self.dut
        await self.read_all()
        age = choice % len(self.live)
        self.model.release(self.live.pop(age))
        dut.release_entry.value = 1
        dut.release_place.value = self.place(age)
        cycles = 0
        while True:
            await FallingEdge(dut.clk)
            dut.release_entry.value = 0
            cycles += 1
            if dut.release_ready.value == 1:
                break
        self.releases.append((age, cycles))

    async def watch_slow_memory(self) -> None:
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            if dut.rst.value == 0 and dut.slow_valid.value == 1 and dut.slow_ready.value == 1:
                address = int(dut.slow_address.value)
                assert address == self.model.store(self.coming_in), (address, self.coming_in)
                self.slow[address] = f"{int(dut.slow_data.value):032x}"

    def has_room(self, goes_to_slow: bool) -> bool:
        """Return whether the next beat of the message that comes in has a place to go."""
        if not goes_to_slow:
            return int(self.dut.count.value) < self.places
        return bool(self.model.free) or not self.model.needs_block(self.coming_in)

    async def busy_slow_memory(self, seed: int) -> None:
        """Slow memory takes a beat in two cycles of three."""
        chance = random.Random(seed)
        while True:
            await FallingEdge(self.dut.clk)
            self.dut.slow_ready.value = int(chance.random() < 2 / 3)


@cocotb.test()
async def keeps_messages(dut: Hardware) -> None:
    job = json.loads(Path(os.environ["MESSAGES"]).read_text())
    Clock(dut.clk, 10, unit="ns").start()
    for name in ("in_valid", "in_last", "in_data", "slow_ready", "release_entry"):
        getattr(dut, name).value = 0
    dut.configure.value = 0
    dut.host_address.value = 0
    dut.host_block.value = 0
    dut.release_place.value = 0
    dut.rst.value = 1
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    dut.configure.value = 1
    dut.set_split.value = job["split"]
    dut.set_size_word.value = job["size_word"]
    await FallingEdge(dut.clk)
    dut.configure.value = 0
    # Lists are written after a reset.
    while dut.release_ready.value != 1:
        assert dut.in_ready.value == 0
        await FallingEdge(dut.clk)

    host = Host(dut)
    cocotb.start_soon(host.watch_slow_memory())
    cocotb.start_soon(host.busy_slow_memory(1))

    for index, message in enumerate(job["messages"]):
        host.coming_in = index
        forced = None
        for choice in message["release"]:
            if int(dut.count.value) > 0:
                await host.release(choice)
        for number, beat in enumerate(message["beats"]):
            for _ in range(message["idle"]):
                await FallingEdge(dut.clk)
            dut.in_valid.value = 1
            dut.in_data.value = int(beat, 16)
            dut.in_last.value = int(number == len(message["beats"]) - 1)
            await ReadOnly()
            waited = paused = 0
            while dut.in_ready.value != 1:
                goes_to_slow = dut.goes_to_slow.value == 1 and dut.writes_pointer.value == 0
                if not host.has_room(goes_to_slow):
                    host.stalls_for_blocks += int(goes_to_slow)
                elif not goes_to_slow or dut.slow_ready.value == 1:
                    paused += 1
                    assert paused <= LONGEST_PAUSE, f"message {index} waits though there is room"
                host.stalls += 1
                waited += 1
                await FallingEdge(dut.clk)
                # Nothing moves but what the host gives back, which need not be the oldest. The beat
                # that waits, and more, may be taken before the release is over.
                if waited >= 50 and (forced is None or forced.done()):
                    waited = 0
                    host.forced += 1
                    forced = cocotb.start_soon(host.release(host.places // 2))
                await ReadOnly()
            await FallingEdge(dut.clk)
            dut.in_valid.value = 0
        if forced is not None:
            await forced
    await host.read_all()
    kept = {
        "entries": host.entries,
        "rests": host.rests,
        "stalls": host.stalls,
        "stalls_for_blocks": host.stalls_for_blocks,
        "forced": host.forced,
        "live": host.live,
        "releases": host.releases,
    }
    Path(os.environ["KEPT"]).write_text(json.dumps(kept))
