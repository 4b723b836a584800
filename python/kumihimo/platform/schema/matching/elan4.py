"""QsNET-II: lists in the DRAM of the network interface, walked by its processor."""

from kumihimo.platform.schema.matching.matcher import BY_INTERFACE, Matcher

# One access to the interface's DRAM for each entry, which hides the comparing [Tanabe07, 5.1.4].
ENTRY = "100 ns"
_LIST = {"latency": ENTRY, "compare": "0 ns"}

ELAN4 = Matcher(
    name="elan4",
    doc="QsNET-II: the interface's processor walks lists in its DRAM, 100 ns an entry "
    "[Underwood04].",
    values=BY_INTERFACE,
    posted=_LIST,
    unexpected=_LIST,
)
