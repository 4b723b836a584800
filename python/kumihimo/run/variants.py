"""One program under several policies of its links."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform import load_platform
from kumihimo.results.folder import RESULT_FILE
from kumihimo.run.options import RunOptions
from kumihimo.run.program import find_program
from kumihimo.run.session import run


def run_variants(
    options: RunOptions, policies: Sequence[str], *, output_to_stderr: bool = False
) -> tuple[list[Path], int]:
    """Run a program once for each policy.

    Args:
        options: As of one run; `out` is the folder that takes the result folders.
        policies: Names of policies.
        output_to_stderr: Whether what the program prints goes to standard error.

    Returns:
        The result folders, in the order of the policies, and 0; or those of the runs that came to
        their end, and the exit status of the one that did not.

    Raises:
        UserError: If platform, program or result folder cannot be used.
    """
    folder = _folder(options)
    load_platform(options.platform, policies[0], tell=False)
    find_program(options.command, options.mpi)
    ranks = "1 rank" if options.ranks == 1 else f"{options.ranks} ranks"
    folders: list[Path] = []
    for policy in policies:
        print(f"kumihimo: {policy}, {ranks} ...", file=sys.stderr)
        directory = folder / policy
        # Only where it has a meaning: the others take no wake frames.
        predict = options.predict and policy == "prewake"
        with _stdout_to_stderr() if output_to_stderr else nullcontext():
            exit_code = run(replace(options, out=directory, link_power=policy, predict=predict))
        if exit_code:
            return folders, exit_code
        folders.append(directory)
    return folders, 0


def _folder(options: RunOptions) -> Path:
    """Return the folder that takes the result folders."""
    default = options.result_directory()
    assert default is not None
    folder = options.out or default.with_name(f"{default.name}-variants")
    if (folder / RESULT_FILE).exists():
        raise UserError(f"{folder} is a result folder; expected one that takes result folders")
    return folder


@contextmanager
def _stdout_to_stderr() -> Iterator[None]:
    """Let processes that are started here write to standard error in place of standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
