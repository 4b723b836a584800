"""Runs in the simulator: messages come in while the host searches and takes them out.

Environment: TRAFFIC, a file in JSON: `messages`, each with its `beats` (texts of 32 hexadecimal
digits) and `idle` cycles before it, and `commands`, lines as for bench_search. LOG, the file to
write: what happened, in order: `["insert"]`, and `["command", line, found, pointer, head]`, where
`head` is the first beat at the found place, read after a PROBE, else null. When the commands are
at an end the host takes out what is left, so that all messages get in.
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
    for name in ("in_valid", "in_last", "in_data", "slow_ready", "valid", "release_slow"):
        getattr(dut, name).value = 0
    dut.configure.value = 0
    dut.host_address.value = 0
    dut.rst.value = 1
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    log: list[list[Any]] = []
    sent = 0

    async def watch() -> None:
        """Note the order in which messages and commands reach the searcher."""
        while True:
            await RisingEdge(dut.clk)
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
        entry += [line, found, int(dut.found_pointer.value), None]
        if found and command == PROBE:
            dut.host_address.value = int(dut.found_place.value) << 2
            for _ in range(2):
                await FallingEdge(dut.clk)
            entry[-1] = f"{int(dut.host_data.value):032x}"
        return bool(found)

    cocotb.start_soon(watch())
    cocotb.start_soon(busy_slow_memory())
    cocotb.start_soon(send())
    for line in job["commands"]:
        await give(line)
    while await give(f"{TAKE} 1 0 0 1 1 0 9") or sent < len(job["messages"]):
        pass
    assert int(dut.count.value) == 0
    Path(os.environ["LOG"]).write_text(json.dumps(log))
