"""One program under several policies of its links."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from kumihimo.run.options import RunOptions
from kumihimo.run.session import run


def run_variants(options: RunOptions, policies: Sequence[str]) -> tuple[list[Path], int]:
    """Run a program once for each policy.

    Args:
        options: As of one run; `out` is the folder that takes the result folders.
        policies: Names of policies.

    Returns:
        The result folders, in the order of the policies, and 0; or those of the runs that came to
        their end, and the exit status of the one that did not.

    Raises:
        UserError: If platform, program or result folder cannot be used.
    """
    default = options.result_directory()
    assert default is not None
    folder = options.out or default.with_name(f"{default.name}-variants")
    folders: list[Path] = []
    for policy in policies:
        print(f"kumihimo: {policy} ...", file=sys.stderr)
        directory = folder / policy
        exit_code = run(replace(options, out=directory, link_power=policy))
        if exit_code:
            return folders, exit_code
        folders.append(directory)
    return folders, 0
