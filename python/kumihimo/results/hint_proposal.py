"""A file for `run --hints`, proposed from the profile of a program's calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results.run import Run


def propose_hints(run: Run) -> str:
    """Return a hint file with a region around the calls in which ranks that send spend most time.

    Raises:
        UserError: If the run has no profile of calls, or sent nothing.
    """
    assert run.directory is not None
    if not run.table_path("call_sites").exists():
        raise UserError(f"{run.directory} has no profile of calls; run with --profile-calls")
    rows: list[dict[str, Any]] = run.call_sites.to_pylist()
    sites = [row for row in rows if row["messages"] > 0]
    if not sites:
        raise UserError(f"{run.directory}: no call of the profile has sent a message")
    kernel = max(sites, key=lambda row: (row["inside_ps"], row["messages"]))
    all_ps = sum(row["inside_ps"] for row in rows) or 1
    calls = kernel["calls"] // kernel["ranks"]
    module = Path(kernel["module"]).name
    place = f"{module}+{kernel['offset']:#x}"
    line = f", {Path(kernel['file']).name}:{kernel['line']}" if kernel["file"] else ""
    differ = kernel["calls"] % kernel["ranks"] != 0
    remark = " on average: ranks differ" if differ else ""
    at = f'function = "{kernel["function"]}", site = "{place}"'
    share = kernel["inside_ps"] * 100 // all_ps
    return (
        f"# {kernel['function']} at {place}{line}: {share} % of the time in MPI calls,\n"
        f"# {calls} calls of each of {kernel['ranks']} ranks{remark}. If the region comes again\n"
        "# and again, let call of `to` be where it first ends, and write every = n into both.\n"
        "[[region]]\n"
        'key = "IN_KERNEL"\n'
        f"from = {{ {at}, call = 1 }}\n"
        f"to = {{ {at}, call = {calls} }}\n"
    )
