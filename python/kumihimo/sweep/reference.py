"""Writes the reference page of sweep files from the table of keys.

`python -m kumihimo.sweep.reference` prints the page; docs/reference/sweep.md is a copy of it.
"""

from __future__ import annotations

from kumihimo.platform.reference import section_text
from kumihimo.sweep.execute import OUTCOME_COLUMNS
from kumihimo.sweep.keys import TABLE

EXAMPLE = """\
platform = "platforms/star64.toml"
programs = ["./halo 64", "./halo 128"]
ranks = [16, 64]
seeds = [0, 1, 2]

[parameters]
link.latency = ["100 ns", "1 us"]
mpi.eager_limit = ["8 KiB", "64 KiB"]
"""

_INTRODUCTION = f"""\
# Sweep files

<!-- Written by `make reference` from the table that reads the files; not by hand. -->

A sweep file says what `kumihimo sweep` runs: every combination of platforms, programs, ranks and
seeds. It is [TOML](https://toml.io/en/v1.0.0). This one has 48 points:

```toml
{EXAMPLE}```

A mistake is reported with file, line, key and what was expected, all mistakes of a file at once and
before anything runs: also a program, schedule or platform that is not there, and ranks that do not
fit on a platform. Values with a unit are written as in [platform files](platform.md).
"""

_OUTCOME = f"""\
## The folder of a sweep

| file | contents |
|---|---|
| `sweep.parquet` | a row for each point that has ended, in the order of the sweep |
| `sweep.html` | figures and the table, in one file |
| `virtual_time-by-*.svg`, `.png` | virtual time over what was varied: lines, over names bars |
| `link_energy-by-*.svg`, `.png` | the same of link energy, if it differs between points |
| `points/` | the row of each point as JSON, named by the point's hash: what a later call keeps |
| `results/` | result folders by the point's hash, if `run.detail` is not `"none"` |

The output of a program is in its result folder, as `output.txt`.

A column of the table is named after each parameter, with its value as text; one with a unit has a
second column of integers in base units, such as `link.latency_ps`. Then come `kind` (program,
pattern or schedule), `command`, `ranks` and `seed`, and what came out:
{", ".join(f"`{name}`" for name in OUTCOME_COLUMNS)}.
`status` is "complete" or "failed", and `error` what was said then. `point` is the hash of all that
can change the result: the resolved platform, the command line with the contents of the files it
names, ranks, seed, options, and the version of Kumihimo.
"""


def reference_page() -> str:
    """Return the page as Markdown."""
    return "\n".join([_INTRODUCTION, *map(section_text, TABLE.sections), _OUTCOME])


if __name__ == "__main__":
    print(reference_page(), end="")
