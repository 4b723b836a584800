"""A small platform for tests that need any."""

from __future__ import annotations

# Links of 1 ns a byte and 100 ns. Nothing computes there.
NETWORK_ONLY = """\
[topology]
kind = "star"
hosts = 4
[link]
bandwidth = "8 Gb/s"
latency = "100 ns"
"""
# It ends in the section of nodes, for more keys of these.
STAR_PLATFORM = f"""\
{NETWORK_ONLY}[node]
speed = "1 Gflop/s"
"""
