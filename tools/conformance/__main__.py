"""`python -m conformance`: see docs/conformance.md."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path

from conformance import mpi4py_suite, mpich_suite
from conformance.comparing import Again, Case, compare, tell
from conformance.entries import Entry, ListError, read_lists
from conformance.records import Records
from conformance.report import write_tables
from conformance.sides import NATIVE, ROOT, kumihimo


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, what, limit_s in (
        ("mpich", "MPICH's sources", 60),
        ("mpi4py", "mpi4py's sources, of the version that is installed", 180),
    ):
        command = commands.add_parser(name, help=f"run the tests of {what}")
        command.add_argument("--sources", type=Path, required=True, help=f"folder of {what}")
        command.add_argument("--jobs", type=int, default=2, help="how many run at a time")
        command.add_argument(
            "--limit", type=int, default=limit_s, help="seconds that each may take"
        )
        command.add_argument("--only", nargs="*", default=[], help="parts of the names of tests")
        command.add_argument("--again", type=Again, choices=list(Again), default=Again.NONE)
        if name == "mpich":
            command.add_argument("--lists", nargs="+", default=["testlist"], help="names of lists")
        else:
            command.add_argument("--ranks", type=int, default=3)
    report = commands.add_parser("report", help="write the tables of docs/conformance-tables.md")
    report.add_argument("--page", type=Path, default=ROOT / "docs" / "conformance-tables.md")
    for command in commands.choices.values():
        command.add_argument("--work", type=Path, default=ROOT / "build" / "conformance")
    parser.set_defaults(platform=ROOT / "platforms" / "star256.toml")
    return parser


def _mpich_cases(options: argparse.Namespace) -> list[Case]:
    build = options.work / "mpich"
    suite = mpich_suite.suite_of(options.sources)
    tell(f"configure {suite}")
    mpich_suite.configure(suite, build)
    entries = _chosen(read_lists(build, suite, options.lists), options.only)
    run_now = [entry for entry in entries if not entry.left_out]
    tell(
        f"{len(entries)} entries, of which {len(entries) - len(run_now)} are left out by the lists"
    )
    mpich_suite.make(build, run_now, options.jobs, tell)
    return [
        Case(
            entry.name,
            entry.category,
            partial(mpich_suite.run_entry, entry, suite, build, limit_s=options.limit),
        )
        for entry in run_now
    ]


def _chosen(entries: list[Entry], parts: list[str]) -> list[Entry]:
    return [entry for entry in entries if not parts or any(part in entry.name for part in parts)]


def _mpi4py_cases(options: argparse.Namespace) -> list[Case]:
    modules = mpi4py_suite.modules_of(options.sources)
    return [
        Case(
            module,
            "mpi4py",
            partial(mpi4py_suite.run_module, module, options.sources, options.ranks, options.limit),
        )
        for module in modules
        if not options.only or any(part in module for part in options.only)
    ]


def main() -> int:
    """Run a command; return the status to exit with."""
    options = _parser().parse_args()
    try:
        if options.command == "report":
            return write_tables(options.work, options.page)
        cases = _mpich_cases(options) if options.command == "mpich" else _mpi4py_cases(options)
    except (mpich_suite.BuildError, ListError, mpi4py_suite.SuiteError) as error:
        print(f"conformance: error: {error}", file=sys.stderr)
        return 1
    records = Records(options.work / f"{options.command}.jsonl")
    compare(cases, (NATIVE, kumihimo(options.platform)), records, options.jobs, options.again)
    return 0


if __name__ == "__main__":
    sys.exit(main())
