"""Draws a network with characters, for the terminal."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass, field

from kumihimo.platform.drawing.diagram import Cable, Diagram, Node, draw_up
from kumihimo.platform.network import Network

_GAP = 2  # columns between the boxes of a level
_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
# Indexed by the directions in which a line leaves the cell.
_LINES = (
    " \u2575\u2577\u2502\u2574\u2518\u2510\u2524\u2576\u2514\u250c\u251c\u2500\u2534\u252c\u253c"
)


def draw_text(network: Network, width: int = 80) -> str:
    """Return a drawing of at most `width` columns, if the network's names allow it.

    The highest switches are on top, hosts at the bottom; next to the lines is what each cable
    of that level carries in either direction.
    """
    kinds = _longest_kind(network)
    room = max(width - kinds - 3, 20)
    diagram = draw_up(network, lambda row: _needed(row) <= room)
    columns = max(_needed(_nodes(diagram, level)) for level in range(len(diagram.levels)))
    centres = _centres(diagram, columns)
    lines: list[str] = []
    for level in reversed(range(1, len(diagram.levels))):
        lines += _boxes(diagram, level, centres)
        lines += _cables(diagram, level, centres, columns)
    # Hosts that are connected among themselves hang below their cables.
    lines += _cables(diagram, 0, centres, columns)
    lines += _boxes(diagram, 0, centres)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _longest_kind(network: Network) -> int:
    kinds = draw_up(network, lambda _: False).kinds
    return max((len(str(kind)) for kind, _ in kinds), default=0)


def _text_of(node: Node, alone: bool) -> list[str]:
    """Return the lines of a box: of several vertices the first and the last, stacked if narrow."""
    if len(node.members) == 1:
        return [node.label]
    if alone:
        return [node.label, f"({node.note})"]
    return [node.members[0], "…", node.members[-1]]


def _texts(row: list[Node]) -> list[list[str]]:
    return [_text_of(node, alone=len(row) == 1) for node in row]


def _widest(row: list[Node]) -> int:
    return max(len(line) for text in _texts(row) for line in text)


def _needed(row: list[Node]) -> int:
    return len(row) * (_widest(row) + _GAP)


def _nodes(diagram: Diagram, level: int) -> list[Node]:
    return [diagram.nodes[box] for box in diagram.levels[level]]


def _centres(diagram: Diagram, columns: int) -> dict[int, int]:
    """Return the column of each box's centre."""
    centres: dict[int, int] = {}
    for number, level in enumerate(diagram.levels):
        even = [(2 * place + 1) * columns // (2 * len(level)) for place in range(len(level))]
        above = [_mean([centres[child] for child in _children(diagram, box)]) for box in level]
        wanted = [even[place] if mean is None else mean for place, mean in enumerate(above)]
        room = _widest(_nodes(diagram, number)) + 1
        apart = all(right - left >= room for left, right in itertools.pairwise(wanted))
        centres.update(zip(level, wanted if apart else even, strict=True))
    return centres


def _children(diagram: Diagram, box: int) -> list[int]:
    level = diagram.nodes[box].level
    return [
        cable.lower
        for cable in diagram.cables
        if cable.upper == box and diagram.nodes[cable.lower].level < level
    ]


def _mean(numbers: list[int]) -> int | None:
    return sum(numbers) // len(numbers) if numbers else None


def _boxes(diagram: Diagram, level: int, centres: dict[int, int]) -> list[str]:
    """Return the lines with the texts of one level."""
    texts = _texts(_nodes(diagram, level))
    lines = [""] * max(len(text) for text in texts)
    for box, text in zip(diagram.levels[level], texts, strict=True):
        for row, part in enumerate(text):
            start = centres[box] - len(part) // 2
            lines[row] = lines[row].ljust(start) + part
    return lines


@dataclass
class _Canvas:
    """Cells that remember in which directions lines leave them."""

    cells: dict[tuple[int, int], int] = field(default_factory=dict)

    def add(self, row: int, column: int, directions: int) -> None:
        self.cells[row, column] = self.cells.get((row, column), 0) | directions

    def line(self, row: int, columns: int) -> str:
        return "".join(_LINES[self.cells.get((row, column), 0)] for column in range(columns))


def _cables(diagram: Diagram, level: int, centres: dict[int, int], columns: int) -> list[str]:
    """Return the lines below the boxes of a level: one bar for all boxes that belong together."""
    cables = [cable for cable in diagram.cables if diagram.nodes[cable.upper].level == level]
    if not cables:
        return []
    bars = _rows_of_bars([bar for bar in _bars(diagram, cables, centres) if bar.width > 0])
    canvas = _Canvas()
    for row, bars_of_row in enumerate(bars):
        for bar in bars_of_row:
            _draw_bar(canvas, bar, row, len(bars))
    lines = [canvas.line(row, columns) for row in range(max(len(bars), 1))]
    kinds = " / ".join(str(kind) for kind in sorted({cable.kind for cable in cables}))
    lines[len(lines) // 2] += f"   {_inside(diagram, cables)}{kinds}"
    return lines


def _inside(diagram: Diagram, cables: list[Cable]) -> str:
    """Return what connects the vertices inside a box, with a comma; empty if nothing does."""
    counts = Counter[int]()
    for cable in cables:
        if cable.upper == cable.lower:
            counts[cable.upper] += cable.count
    if not counts:
        return ""
    sizes = {box: len(diagram.nodes[box].members) for box in counts}
    if all(count == sizes[box] * (sizes[box] - 1) // 2 for box, count in counts.items()):
        return "each two connected, "
    return f"{sum(counts.values())} cables inside, "


@dataclass(frozen=True)
class _Bar:
    """A horizontal line; boxes above and below hang on it at their columns."""

    above: frozenset[int]
    below: frozenset[int]

    @property
    def ends(self) -> tuple[int, int]:
        columns = self.above | self.below
        return min(columns), max(columns)

    @property
    def width(self) -> int:
        """How many boxes hang on it, less one."""
        return len(self.above) + len(self.below) - 1


def _bars(diagram: Diagram, cables: list[Cable], centres: dict[int, int]) -> list[_Bar]:
    """Return a bar for each set of boxes that the cables connect."""
    joined: list[_Bar] = []
    for cable in cables:
        level = diagram.nodes[cable.upper].level
        # A cable between boxes of one level hangs above both.
        is_sideways = diagram.nodes[cable.lower].level == level
        above = frozenset() if is_sideways else frozenset({centres[cable.upper]})
        below = frozenset({centres[cable.lower]})
        if is_sideways:
            below |= {centres[cable.upper]}
        apart = []
        for bar in joined:
            if bar.above & above or bar.below & below:
                above |= bar.above
                below |= bar.below
            else:
                apart.append(bar)
        joined = [*apart, _Bar(above, below)]
    return sorted(joined, key=lambda bar: bar.ends)


def _rows_of_bars(bars: list[_Bar]) -> list[list[_Bar]]:
    """Return the bars in rows, none of them over another of its row."""
    rows: list[list[_Bar]] = []
    for bar in bars:
        row = next((row for row in rows if row[-1].ends[1] < bar.ends[0]), None)
        if row is None:
            rows.append([bar])
        else:
            row.append(bar)
    return rows


def _draw_bar(canvas: _Canvas, bar: _Bar, row: int, rows: int) -> None:
    first, last = bar.ends
    for column in range(first, last):
        canvas.add(row, column, _RIGHT)
        canvas.add(row, column + 1, _LEFT)
    for column in bar.above:
        canvas.add(row, column, _UP)
        for higher in range(row):
            canvas.add(higher, column, _UP | _DOWN)
    for column in bar.below:
        canvas.add(row, column, _DOWN)
        for lower in range(row + 1, rows):
            canvas.add(lower, column, _UP | _DOWN)
