"""Runs in the simulator: gives a searcher the commands of a file, and writes what it answers.

Environment: COMMANDS, a file with `command context source tag any_source any_tag pointer idle` in
each line, `idle` cycles of rest before it; ANSWERS, the file to write, with `found pointer cycles
waited`: from where the command was taken, and before that.
"""

import os
from pathlib import Path

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from hardware import Hardware


def integers(line: str) -> list[int]:
    return [int(word) for word in line.split()]


@cocotb.test()
async def answers_commands(dut: Hardware) -> None:
    commands = [integers(line) for line in Path(os.environ["COMMANDS"]).read_text().splitlines()]
    Clock(dut.clk, 10, unit="ns").start()
    dut.rst.value = 1
    dut.valid.value = 0
    for _ in range(2):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    accepted: list[int] = []
    waits: list[int] = []
    answers: list[str] = []
    cycle = 0

    async def listen() -> None:
        nonlocal cycle
        while True:
            await RisingEdge(dut.clk)
            cycle += 1
            await ReadOnly()
            if not dut.rst.value and dut.done.value == 1:
                found, pointer = int(dut.found.value), int(dut.found_pointer.value)
                number = len(answers)
                answers.append(f"{found} {pointer} {cycle - accepted[number]} {waits[number]}")

    cocotb.start_soon(listen())
    for command, context, source, tag, any_source, any_tag, pointer, idle in commands:
        for _ in range(idle):
            await FallingEdge(dut.clk)
        dut.valid.value = 1
        dut.command.value = command
        dut.key.value = context << 32 | source << 16 | tag
        dut.wildcards.value = any_source << 1 | any_tag
        dut.pointer.value = pointer
        await ReadOnly()
        waited = 0
        while dut.ready.value != 1:
            waited += 1
            await FallingEdge(dut.clk)
            await ReadOnly()
        accepted.append(cycle)
        waits.append(waited)
        await FallingEdge(dut.clk)
        dut.valid.value = 0
    while len(answers) < len(commands):
        await FallingEdge(dut.clk)
    Path(os.environ["ANSWERS"]).write_text("\n".join(answers) + "\n")
