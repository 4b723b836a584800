"""The comparison of test suites, with suites of a few lines."""

import json
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import jobs

CONFIGURE = r"""#!/bin/sh
source=$(dirname "$0")
mpi=${1#--with-mpi=}
mkdir -p kind
echo kind > testlist
printf '%s\n' 'agrees 2 env=WORD=yes' 'differs 2' 'missing 1' 'skipped 1' 'later 1 xfail=soon' \
    > kind/testlist
printf 'all: agrees differs skipped\n%%: %s/kind/%%.c\n\t%s/bin/mpicc -o $@ $<\n' "$source" "$mpi" \
    > kind/Makefile
touch config.status
"""

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {{
    int rank, ranks, sum = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && sum == ranks && {condition})
        printf(" No Errors\\n");
    MPI_Finalize();
    return 0;
}}
"""

MAIN = """
import sys, unittest
from mpi4py import MPI
unittest.main(module=None, argv=["main", *(a for a in sys.argv[1:] if a != "--no-builddir")])
"""

MODULE = """
import os, unittest
from mpi4py import MPI

class Test(unittest.TestCase):
    def test_sum(self):
        self.assertEqual(MPI.COMM_WORLD.allreduce(1), 3)

    def test_place(self):
        self.assertTrue({condition})
"""


def conformance(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "conformance", *map(str, arguments)]
    jobs.run(command, {"PYTHONPATH": str(jobs.ROOT / "tools")})


def records_of(path: Path) -> dict[tuple[str, str], str]:
    records = [json.loads(line) for line in path.read_text().splitlines()]
    return {(record["entry"], record["side"]): record["verdict"] for record in records}


@pytest.fixture
def mpich(tmp_path: Path) -> Path:
    """Sources in the shape of MPICH's: one program agrees, one differs, one is not there."""
    suite = tmp_path / "sources" / "test" / "mpi"
    (suite / "kind").mkdir(parents=True)
    (suite / "runtests").touch()
    (suite / "configure.ac").touch()
    (suite / "configure").write_text(CONFIGURE)
    (suite / "configure").chmod(0o755)
    agrees, differs = "*getenv(\"WORD\") == 'y'", '!getenv("LD_PRELOAD")'
    (suite / "kind" / "agrees.c").write_text(PROGRAM.format(condition=agrees))
    (suite / "kind" / "differs.c").write_text(PROGRAM.format(condition=differs))
    # One that finds out when it is compiled that it does not apply.
    skipped = '#include <stdio.h>\nint main(void) { puts("Test Skipped"); return 0; }\n'
    (suite / "kind" / "skipped.c").write_text(skipped)
    return tmp_path / "sources"


def test_mpich(mpich: Path, tmp_path: Path) -> None:
    work, page = tmp_path / "work", tmp_path / "page.md"
    conformance("mpich", "--sources", mpich, "--work", work)
    assert records_of(work / "mpich.jsonl") == {
        ("kind/agrees 2 WORD=yes", "native"): "passed",
        ("kind/agrees 2 WORD=yes", "kumihimo"): "passed",
        ("kind/differs 2", "native"): "passed",
        ("kind/differs 2", "kumihimo"): "failed",
        ("kind/skipped 1", "native"): "skipped",
        ("kind/skipped 1", "kumihimo"): "skipped",
        ("kind/missing 1", "native"): "not built",
        ("kind/missing 1", "kumihimo"): "not built",
    }
    page.write_text("<!-- mpich: begin -->\n<!-- mpich: end -->\n")
    conformance("report", "--work", work, "--page", page)
    text = page.read_text()
    assert "| kind | 4 | 3 | 2 | 0 |" in text
    assert "`kind/differs 2` (over Kumihimo: ends with status 0 without 'No Errors')" in text


def test_mpi4py(tmp_path: Path) -> None:
    sources, work = tmp_path / "sources", tmp_path / "work"
    (sources / "src" / "mpi4py").mkdir(parents=True)
    (sources / "src" / "mpi4py" / "__init__.py").write_text(
        f'__version__ = "{version("mpi4py")}"\n'
    )
    (sources / "test").mkdir()
    (sources / "test" / "main.py").write_text(MAIN)
    (sources / "test" / "test_agrees.py").write_text(MODULE.format(condition="True"))
    condition = '"LD_PRELOAD" not in os.environ'
    (sources / "test" / "test_differs.py").write_text(MODULE.format(condition=condition))
    conformance("mpi4py", "--sources", sources, "--work", work)
    assert records_of(work / "mpi4py.jsonl") == {
        ("test_agrees", "native"): "passed",
        ("test_agrees", "kumihimo"): "passed",
        ("test_differs", "native"): "passed",
        ("test_differs", "kumihimo"): "failed",
    }
