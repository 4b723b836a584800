"""DIMMnet-2 with limited-length head separation: heads in order in a buffer that is cached."""

from kumihimo.platform.schema.matching.dimmnet2 import (
    CACHED,
    COMPARE,
    HOST_LIST,
    VECTOR_LOAD,
    VECTOR_LOAD_AND_COMPARE,
)
from kumihimo.platform.schema.matching.matcher import Matcher

# The host's access to the buffer if it is not cached: "about 100 ns" [Tanabe07, 5.1.4].
_BUFFER = "100 ns"

LHS = Matcher(
    name="lhs",
    doc="DIMMnet-2 with head separation: 512 heads of 64 B in order in a buffer that the host's "
    "cache prefetches, 100 ns for the first and 14.8 ns for each one more; a payload of up to 48 B "
    'comes with its head. Longer ones, and heads beyond the buffer, cost what "dimmnet2" does '
    "[Tanabe07].",
    values={"head_latency": _BUFFER, "body_latency": VECTOR_LOAD},
    posted=HOST_LIST,
    unexpected={
        "compare": COMPARE,
        "latency": _BUFFER,
        "cached_latency": CACHED,
        "entry_size": "64 B",
        # Two neighbouring lines of 64 B.
        "access_size": "128 B",
        "prefetch": "next",
        "capacity": 512,
        "spill_cost": VECTOR_LOAD_AND_COMPARE,
    },
)
