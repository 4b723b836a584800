"""Runs in the simulator: gives the buffer of heads messages, and writes what it keeps of them.

Environment: MESSAGES, a file in JSON: `split` (beats), `size_word`, and `messages`, each with its
`beats` (texts of 32 hexadecimal digits), `idle` cycles before each of them, and `release`, which
entries the host gives back before it: numbers that are taken modulo the number of live entries, the
oldest first. KEPT, the file to write: `entries`, each of four beats, in order of arrival, `slow`,
pairs of an address and a beat, and `stalls`, cycles in which a beat had to wait; `live` are the
numbers of the entries left in the end, and `releases`, pairs of the number of entries older than
one given back and the cycles until the buffer was ready for the next.
"""

import json
import os
import random
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from hardware import Hardware


class Host:
    """Reads what is in the buffer, and gives entries back."""

    def __init__(self, dut: Hardware) -> None:
        self.dut = dut
        self.places = 1 << len(dut.front)
        self.entries: list[list[str]] = []
        # Numbers of entries that were not given back, the oldest first.
        self.live: list[int] = []
        # Of each entry, the address behind what it has in slow memory.
        self.slow_ends: list[int] = []
        self.slow: list[tuple[int, str]] = []
        self.stalls = 0
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

    async def read_all(self) -> None:
        """Read all that is live, what is new and what was read before."""
        # A long message's last beat is written two cycles after it came.
        for _ in range(2):
            await FallingEdge(self.dut.clk)
        while len(self.live) < int(self.dut.count.value):
            self.live.append(len(self.entries))
            self.entries.append(await self.read(len(self.live) - 1))
        for age, number in enumerate(self.live):
            assert await self.read(age) == self.entries[number], (age, number)

    async def release(self, choice: int) -> None:
        """Give one back, and slow memory up to the oldest that is still live."""
        dut = self.dut
        await self.read_all()
        age = choice % len(self.live)
        number = self.live.pop(age)
        oldest = self.live[0] if self.live else number + 1
        dut.release_entry.value = 1
        dut.release_place.value = self.place(age)
        dut.release_slow.value = self.slow_ends[oldest - 1] % (1 << len(dut.slow_address))
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
                self.slow.append((int(dut.slow_address.value), f"{int(dut.slow_data.value):032x}"))

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
    dut.release_place.value = 0
    dut.release_slow.value = 0
    dut.rst.value = 1
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    dut.configure.value = 1
    dut.set_split.value = job["split"]
    dut.set_size_word.value = job["size_word"]
    await FallingEdge(dut.clk)
    dut.configure.value = 0
    # The list of rows is written after a reset.
    while dut.release_ready.value != 1:
        assert dut.in_ready.value == 0
        await FallingEdge(dut.clk)

    host = Host(dut)
    cocotb.start_soon(host.watch_slow_memory())
    cocotb.start_soon(host.busy_slow_memory(1))

    for message in job["messages"]:
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
            waited = 0
            while dut.in_ready.value != 1:
                host.stalls += 1
                waited += 1
                await FallingEdge(dut.clk)
                # Nothing moves but what the host gives back. In a full buffer the row of one that
                # is not the oldest takes the beat that waits; slow memory is freed by the oldest.
                if waited % 50 == 0:
                    is_full = int(dut.count.value) == host.places
                    await host.release(host.places // 2 if is_full else 0)
                await ReadOnly()
            await FallingEdge(dut.clk)
            dut.in_valid.value = 0
        host.slow_ends.append(len(host.slow))
    await host.read_all()
    kept = {
        "entries": host.entries,
        "slow": host.slow,
        "stalls": host.stalls,
        "live": host.live,
        "releases": host.releases,
    }
    Path(os.environ["KEPT"]).write_text(json.dumps(kept))
