"""Runs in the simulator: gives the buffer of heads messages, and writes what it keeps of them.

Environment: MESSAGES, a file in JSON: `split` (beats), `size_word`, and `messages`, each with its
`beats` (texts of 32 hexadecimal digits), `idle` cycles before each of them, and `release`, how many
entries the host gives back before it; KEPT, the file to write: `entries`, each of four beats, in
order, `slow`, pairs of an address and a beat, and `stalls`, cycles in which a beat had to wait.
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
    """Reads what is in the buffer, and gives back the oldest entries."""

    def __init__(self, dut: Hardware) -> None:
        self.dut = dut
        self.entries: list[list[str]] = []
        # Of each entry, the address behind what it has in slow memory.
        self.slow_ends: list[int] = []
        self.slow: list[tuple[int, str]] = []
        self.stalls = 0

    async def read_all(self, entries: int) -> None:
        """Read the entries that were not read yet; the buffer is at rest."""
        dut = self.dut
        while len(self.entries) < self.released + int(dut.count.value):
            place = len(self.entries) % entries
            beats = []
            for beat in range(4):
                dut.host_address.value = place << 2 | beat
                await FallingEdge(dut.clk)
                beats.append(str(dut.host_data.value))
            self.entries.append([f"{int(bits, 2):032x}" if set(bits) <= {"0", "1"} else "x"
                                 for bits in beats])  # fmt: skip

    released = 0

    async def release(self, slow_end: int) -> None:
        self.dut.release_entry.value = 1
        self.dut.release_slow.value = slow_end
        await FallingEdge(self.dut.clk)
        self.dut.release_entry.value = 0
        self.released += 1

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
    entries = 1 << len(dut.front)
    slow_mask = (1 << len(dut.slow_address)) - 1
    Clock(dut.clk, 10, unit="ns").start()
    for name in ("in_valid", "in_last", "in_data", "slow_ready", "release_entry", "release_slow"):
        getattr(dut, name).value = 0
    dut.configure.value = 0
    dut.host_address.value = 0
    dut.rst.value = 1
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    dut.configure.value = 1
    dut.set_split.value = job["split"]
    dut.set_size_word.value = job["size_word"]
    await FallingEdge(dut.clk)
    dut.configure.value = 0

    host = Host(dut)
    cocotb.start_soon(host.watch_slow_memory())
    cocotb.start_soon(host.busy_slow_memory(1))

    async def free_oldest() -> None:
        await host.read_all(entries)
        await host.release(host.slow_ends[host.released] & slow_mask)

    for message in job["messages"]:
        for _ in range(message["release"]):
            if int(dut.count.value) > 0:
                await free_oldest()
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
                # Nothing moves but what the host gives back.
                if waited % 50 == 0:
                    await free_oldest()
                await ReadOnly()
            await FallingEdge(dut.clk)
            dut.in_valid.value = 0
        for _ in range(2):
            await FallingEdge(dut.clk)
        host.slow_ends.append(len(host.slow))
    await host.read_all(entries)
    kept = {"entries": host.entries, "slow": host.slow, "stalls": host.stalls}
    Path(os.environ["KEPT"]).write_text(json.dumps(kept))
