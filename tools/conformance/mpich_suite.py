"""MPICH's test suite, configured and built by its own configure and make."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from conformance.entries import Entry
from conformance.judging import Judgement, Verdict, judge
from conformance.running import GRACE_S, Finished, folder_with_links, run
from conformance.sides import (
    BIN,
    NEEDS_MULTIPLE,
    Side,
    asked_for_multiple,
    own_message,
    with_refusal,
    without_own_messages,
)

# The libraries that programs of all folders are linked with.
_FIRST = ("dtpools", "util")


class BuildError(Exception):
    """The suite cannot be configured; the message says why, and where the log is."""


def suite_of(sources: Path) -> Path:
    """Return the folder `test/mpi` of MPICH's sources, or of the suite itself.

    Raises:
        BuildError: If neither is there.
    """
    for folder in (sources / "test" / "mpi", sources):
        if (folder / "runtests").is_file() and (folder / "configure.ac").is_file():
            return folder
    raise BuildError(f"{sources}: expected MPICH's sources, with test/mpi/runtests")


def configure(suite: Path, build: Path) -> None:
    """Configure the suite for the MPICH next to this Python, once.

    Sources from git have no configure script yet: it is made in the sources, by autoconf, automake
    and libtool.

    Raises:
        BuildError: If a step fails.
    """
    if (build / "config.status").is_file() and (build / "testlist").is_file():
        return
    build.mkdir(parents=True, exist_ok=True)
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    steps = []
    if not (suite / "configure").is_file():
        steps.append((["./autogen.sh"], suite))
    options = [f"--with-mpi={BIN.parent}", "--disable-maintainer-mode", "--enable-fortran=no"]
    steps.append(([str(suite.resolve() / "configure"), *options], build))
    log = build / "configure.log"
    with log.open("wb") as file:
        for command, folder in steps:
            finished = subprocess.run(
                command, cwd=folder, env=environment, stdout=file, stderr=file, check=False
            )
            if finished.returncode != 0:
                raise BuildError(f"{command[0]} failed with status {finished.returncode}: {log}")


def make(build: Path, entries: Iterable[Entry], jobs: int, tell: Callable[[str], None]) -> None:
    """Build what the entries need; a program that does not compile is one that is not built."""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    folders = [folder for folder in _FIRST if (build / folder).is_dir()]
    folders += dict.fromkeys(entry.folder for entry in entries)
    with (build / "make.log").open("ab") as log:
        for folder in folders:
            if (build / folder / "Makefile").is_file():
                tell(f"make in {folder}")
                command = ["make", "-k", f"-j{jobs}", "-C", str(build / folder)]
                subprocess.run(command, env=environment, stdout=log, stderr=log, check=False)


def run_entry(
    entry: Entry, suite: Path, build: Path, side: Side, limit_s: int
) -> tuple[Judgement, Finished | None]:
    """Run an entry on one side and judge it.

    Args:
        entry: What to run.
        suite: The sources of the suite.
        build: Where the suite was built.
        side: How to start it.
        limit_s: Wall time that no entry exceeds, whatever its list allows, in seconds.
    """
    programs = build / entry.folder
    if not os.access(programs / entry.program, os.X_OK):
        return Judgement(Verdict.NOT_BUILT, "does not compile, or has no rule"), None
    limit_s = min(limit_s, entry.limit_s)
    environment = dict(variable.split("=", 1) for variable in entry.environment)
    command = side.command(
        entry.ranks, [f"./{entry.program}", *entry.arguments], limit_s, entry.launcher_arguments
    )
    with folder_with_links(programs, suite / entry.folder) as folder:
        environment = {**side.limit_environment(limit_s), **environment}
        finished = run(command, environment, folder, limit_s + GRACE_S)
    return _judged(entry, side, finished, limit_s), finished


def _judged(entry: Entry, side: Side, finished: Finished, limit_s: int) -> Judgement:
    if finished.status is None:
        return Judgement(Verdict.FAILED, f"not finished after {limit_s} s")
    errors, said, status = finished.errors, "", finished.status
    if not side.is_native:
        errors, said = without_own_messages(finished.errors), own_message(finished.errors)
        # Kumihimo has no result then, and says so; the test has one: that it does not apply.
        status = 0 if said.startswith("the program ended without calling MPI_Init") else status
    judgement = judge(entry.result_test, finished.output + errors, status)
    if judgement.verdict is not Verdict.FAILED:
        return judgement
    reason = said or judgement.reason
    if not side.is_native and asked_for_multiple(finished.errors):
        reason += f", having {NEEDS_MULTIPLE}"
    return Judgement(Verdict.FAILED, with_refusal(reason, finished.errors))
