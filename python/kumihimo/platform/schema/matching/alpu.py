"""ALPU: comparator cells, and behind them the interface's processor with its lists."""

from kumihimo.platform.schema.matching.elan4 import ENTRY
from kumihimo.platform.schema.matching.matcher import BY_INTERFACE, Matcher

_CELLS = 256
# 7 cycles at the 500 MHz for which the paper simulated; all cells compare at once.
_CELL_ARRAY: dict[str, int | str] = {
    "compare": "14 ns",
    "width": _CELLS,
    "capacity": _CELLS,
    "spill_cost": ENTRY,
}

ALPU = Matcher(
    name="alpu",
    doc="256 comparator cells for each queue, 7 cycles at 500 MHz whatever they hold, behind them "
    'lists as with "elan4" [Underwood05]. The number of cycles is an assumption.',
    values=BY_INTERFACE,
    posted=_CELL_ARRAY,
    unexpected=_CELL_ARRAY,
)
