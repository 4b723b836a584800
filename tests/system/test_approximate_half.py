"""Numbers of 16 bits over links that corrupt bits."""

from __future__ import annotations

import math
import re
from pathlib import Path

from jobs import MPICH
from test_approximate import run_approximate


def test_numbers_of_16_bits(tmp_path: Path) -> None:
    """MPICH alone has their types."""
    policy = '[[rule]]\ndatatype = ["half", "bfloat16"]\nprotected_bits = 9\n'
    rate, links = 1e-4, 2
    job = run_approximate(
        tmp_path, MPICH, ("approximate_half",), bit_error_rate=f"{rate:g}", policy=policy
    )
    found = dict(re.findall(r"^(\w+): (\d+ wrong, \d+) protected$", job.stdout, re.MULTILINE))
    assert found.keys() == {"half", "bfloat16"}
    for name, text in found.items():
        wrong, protected = map(int, text.split(" wrong, "))
        expected = 4 * 200_000 * 7 * (1 - (1 - 2 * rate) ** links) / 2
        assert abs(wrong / expected - 1) < 5 / math.sqrt(expected) + 0.01, name
        assert protected == 0
    approximate = job.result["approximate"]
    assert approximate["by_datatype"].keys() == found.keys()
    assert approximate["corrupted_messages"] == approximate["messages"] == 2 * 4
