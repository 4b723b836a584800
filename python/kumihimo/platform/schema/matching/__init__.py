"""[mpi.matching]: where messages are matched with receives, and what that costs."""

from kumihimo.platform.schema.matching.keys import (
    IS_LIST,
    MATCHERS,
    MATCHING,
    MATCHING_POSTED,
    MATCHING_UNEXPECTED,
    MODEL_PATH,
)

__all__ = [
    "IS_LIST",
    "MATCHERS",
    "MATCHING",
    "MATCHING_POSTED",
    "MATCHING_UNEXPECTED",
    "MODEL_PATH",
]
