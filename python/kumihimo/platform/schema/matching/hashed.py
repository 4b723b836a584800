"""Hash tables in the host's memory, as present libraries have."""

from kumihimo.platform.schema.matching.matcher import Matcher

# UCX has 1021 buckets. Times are those of a present server's core with warm caches.
TABLE: dict[str, int | str] = {"search_cost": "30 ns", "compare": "2 ns", "buckets": 1021}

HASHED = Matcher(
    name="hashed",
    doc="Hash tables of 1,021 buckets in the host's memory, as UCX has. Keys are taken to spread "
    "evenly, and wildcards to have tables of their own. Times are assumptions.",
    posted=TABLE,
    unexpected=TABLE,
)
