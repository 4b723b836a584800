"""DIMMnet-2 without head separation: whole messages in slow memory, which the host matches."""

from kumihimo.platform.schema.matching.matcher import Matcher

# The paper's host, a Pentium 4 of 2.6 GHz, compares an envelope in 20 cycles and reads one from its
# L2 cache in 18. Only the sum, 14.8 ns, is published: the division is ours.
COMPARE = "7.8 ns"
CACHED = "7 ns"
# A vector load to fetch an envelope or a body: 634 ns an envelope, of which 7.8 ns are comparing;
# the paper says "about 600 ns".
VECTOR_LOAD = "626.2 ns"
VECTOR_LOAD_AND_COMPARE = "634 ns"
# The host has written its own list of receives, and finds it in its cache.
HOST_LIST = {"compare": COMPARE, "latency": CACHED, "cached_latency": CACHED}

DIMMNET2 = Matcher(
    name="dimmnet2",
    doc="DIMMnet-2 without head separation: the host fetches each envelope, and then the body, "
    "from the interface's SO-DIMM by a vector load: 634 ns an envelope [Tanabe07].",
    values={"head_latency": VECTOR_LOAD, "body_latency": VECTOR_LOAD},
    posted=HOST_LIST,
    unexpected={
        "compare": COMPARE,
        "latency": VECTOR_LOAD,
        "entry_size": "16 B",
        "access_size": "16 B",
    },
)
