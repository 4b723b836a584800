"""Runs in the simulator: messages come in while the host searches and takes them out.

Environment: TRAFFIC, a file in JSON: `messages`, each with its `beats` (texts of 32 hexadecimal
digits) and `idle` cycles before it, `commands`, lines as for bench_search, and `left`, how many
messages stay in the end. LOG, the file to write: what happened, in order: `["insert"]`, and
`["command", line, found, pointer, head, rest]`, where `head` is the first beat at the found place
and `rest` the beats in slow memory, read after a PROBE, else null. When the commands are at an end
the host takes out all of context 1, so that all messages get in.

Beats must go where the model of slow memory puts them.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from hardware import Hardware
from slow_memory import SlowMemory

TAKE, PROBE = 1, 2


async def until_taken(dut: Hardware, valid: str, ready: str) -> None:
    """Offer what was set until it is taken; called and left at a falling edge."""
    getattr(dut, valid).value = 1
    await ReadOnly()
    while getattr(dut, ready).value != 1:
        await FallingEdge(dut.clk)
        await ReadOnly()
    await FallingEdge(dut.clk)
    getattr(dut, valid).value = 0


@cocotb.test()
async def matches_messages(dut: Hardware) -> None:
    job = json.loads(Path(os.environ["TRAFFIC"]).read_text())
    Clock(dut.clk, 10, unit="ns").start()
    for name in ("in_valid", "in_last", "in_data", "slow_ready", "valid", "host_block"):
        getattr(dut, name).value = 0
    dut.configure.value = 0
    dut.host_address.value = 0
    dut.rst.value = 1
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    log: list[list[Any]] = []
    sent = 0
    block_bits = len(dut.slow_address) - len(dut.host_block)
    model = SlowMemory(1 << len(dut.host_block), 1 << block_bits)
    slow: dict[int, str] = {}

    async def watch() -> None:
        """Note the order in which messages and commands reach the searcher, and slow memory."""
        while True:
            await RisingEdge(dut.clk)
            if dut.slow_valid.value == 1 and dut.slow_ready.value == 1:
                address = int(dut.slow_address.value)
                assert address == model.store(sent), (address, sent)
                slow[address] = f"{int(dut.slow_data.value):032x}"
            if dut.removes.value == 1:
                model.release(int(dut.found_pointer.value))
            if dut.inserts.value == 1:
                log.append(["insert"])
            elif dut.takes.value == 1:
                log.append(["command"])

    async def busy_slow_memory() -> None:
        chance = random.Random(1)
        while True:
            await FallingEdge(dut.clk)
            dut.slow_ready.value = int(chance.random() < 2 / 3)

    async def send() -> None:
        nonlocal sent
        for message in job["messages"]:
            for _ in range(message["idle"]):
                await FallingEdge(dut.clk)
            for number, beat in enumerate(message["beats"]):
                dut.in_data.value = int(beat, 16)
                dut.in_last.value = int(number == len(message["beats"]) - 1)
                await until_taken(dut, "in_valid", "in_ready")
            sent += 1

    async def give(line: str) -> bool:
        command, context, source, tag, any_source, any_tag, pointer, idle = map(int, line.split())
        for _ in range(idle):
            await FallingEdge(dut.clk)
        dut.command.value = command
        dut.key.value = context << 32 | source << 16 | tag
        dut.wildcards.value = any_source << 1 | any_tag
        dut.pointer.value = pointer
        await until_taken(dut, "valid", "ready")
        entry = next(entry for entry in reversed(log) if entry[0] == "command")
        while dut.done.value != 1:
            await FallingEdge(dut.clk)
        found = int(dut.found.value)
        message = int(dut.found_pointer.value)
        entry += [line, found, message, None, None]
        if found and command == PROBE:
            place = int(dut.found_place.value)
            entry[-2] = f"{await read(place, 0):032x}"
            entry[-1] = await read_rest(place, model.beats(message))
        return bool(found)

    async def read(place: int, beat: int) -> int:
        dut.host_address.value = place << 2 | beat
        for _ in range(2):
            await FallingEdge(dut.clk)
        return int(dut.host_data.value)

    async def read_rest(place: int, beats: int) -> list[str]:
        """Follow a message's blocks through slow memory."""
        address = await read(place, 3) % (1 << len(dut.slow_address)) if beats else 0
        rest = []
        for beat in range(beats):
            if beat and beat % model.block_beats == 0:
                dut.host_block.value = address // model.block_beats - 1
                await FallingEdge(dut.clk)
                address = int(dut.host_next.value) * model.block_beats
            rest.append(slow[address])
            address += 1
        return rest

    cocotb.start_soon(watch())
    cocotb.start_soon(busy_slow_memory())
    cocotb.start_soon(send())
    for line in job["commands"]:
        await give(line)
    is_found = True
    while is_found:
        # The last message may get in after a command that does not find it.
        are_all_in = int(dut.arrived.value) == len(job["messages"])
        is_found = await give(f"{TAKE} 1 0 0 1 1 0 9") or not are_all_in
    assert int(dut.count.value) == job["left"]
    Path(os.environ["LOG"]).write_text(json.dumps(log))
