"""mpi4py's own tests, module by module, with the mpi4py that is installed with this Python."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version
from pathlib import Path

from conformance.judging import Judgement, Verdict
from conformance.running import GRACE_S, Finished, run
from conformance.sides import Side, own_message, with_refusal

_VERSION = re.compile(r'^__version__\s*=\s*["\']([^"\']+)', re.MULTILINE)
_FAILED_TEST = re.compile(r"^(?:ERROR|FAIL): (\S+)", re.MULTILINE)


class SuiteError(Exception):
    """Sources that cannot be used; the message says why."""


def modules_of(sources: Path) -> list[str]:
    """Return the names of the modules with tests, sorted.

    Raises:
        SuiteError: If these are no sources of mpi4py, or of another version than is installed.
    """
    tests = sorted(path.stem for path in (sources / "test").glob("test_*.py"))
    package = sources / "src" / "mpi4py" / "__init__.py"
    if not tests or not package.is_file():
        raise SuiteError(f"{sources}: expected mpi4py's sources, with test/test_*.py")
    found = _VERSION.search(package.read_text())
    if found is None or found[1] != version("mpi4py"):
        told = found[1] if found else "none"
        raise SuiteError(f"{sources}: expected version {version('mpi4py')}, found {told}")
    return tests


def run_module(
    module: str, sources: Path, ranks: int, limit_s: int, side: Side
) -> tuple[Judgement, Finished | None]:
    """Run the tests of one module on some ranks, and judge them.

    Args:
        module: Its name.
        sources: mpi4py's sources.
        ranks: How many processes.
        limit_s: Wall time that it may take, in seconds.
        side: How to start it.
    """
    script = str(sources.resolve() / "test" / "main.py")
    # Not the sources' own package, nor one that was built next to them.
    program = [sys.executable, script, "--no-builddir", "--quiet", module]
    command = side.command(ranks, program, limit_s)
    finished = run(command, side.limit_environment(limit_s), sources.resolve(), limit_s + GRACE_S)
    return judged(finished, limit_s), finished


def judged(finished: Finished, limit_s: int) -> Judgement:
    """Judge what unittest printed, on every rank, and its status."""
    failed = dict.fromkeys(_FAILED_TEST.findall(finished.errors + finished.output))
    names = f"; fail: {', '.join(failed)}" if failed else ""
    if finished.status is None:
        return Judgement(Verdict.FAILED, f"not finished after {limit_s} s{names}")
    if finished.status != 0:
        reason = own_message(finished.errors) or f"ends with status {finished.status}"
        return Judgement(Verdict.FAILED, with_refusal(reason, finished.errors) + names)
    return Judgement(Verdict.PASSED)
