"""Tag matching in hardware as ConnectX interfaces have, as far as it is published."""

from kumihimo.platform.schema.matching.hashed import TABLE
from kumihimo.platform.schema.matching.matcher import BY_INTERFACE, Matcher

CONNECTX = Matcher(
    name="connectx",
    doc="Stands for ConnectX-5 to 7. Published are a list of 1,024 receives in hardware, and that "
    'the host matches the rest; 10 ns an entry, and the host\'s times as with "hashed", are '
    "assumptions.",
    values=BY_INTERFACE,
    posted={"compare": "10 ns", "capacity": 1024, "spill_cost": "2 ns"},
    unexpected=TABLE,
)
