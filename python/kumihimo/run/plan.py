"""What the user asked of a run, read and checked before the first process starts."""

from __future__ import annotations

import datetime
import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kumihimo import _core, results
from kumihimo.errors import UserError
from kumihimo.platform import Platform, load_platform
from kumihimo.platform.schema.collectives import BY_HINT, MODE_PATH
from kumihimo.results.memory_limit import check_memory_limit
from kumihimo.results.phases import Mark
from kumihimo.run.environment import check_variables
from kumihimo.run.host import host_file, host_speed
from kumihimo.run.options import WITH_TABLES, RunOptions
from kumihimo.run.program import Program, find_program
from kumihimo.run.recording import check_recordable
from kumihimo.run.traffic import Traffic, load_traffic
from kumihimo.schedule.files import check_writable

if TYPE_CHECKING:
    from kumihimo.run.error_policy import ErrorPolicy
    from kumihimo.run.hint_file import HintFile


@dataclass(frozen=True)
class Plan:
    """Everything that is known before the first process starts."""

    options: RunOptions
    platform: Platform
    program: Program
    network: _core.Network
    config: dict[str, Any]
    errors: ErrorPolicy | None
    traffic: Traffic | None
    hints: HintFile | None
    result_directory: Path | None
    date: datetime.datetime
    began: Mark


def prepare(options: RunOptions) -> Plan:
    """Read and check all that the user gave."""
    date = datetime.datetime.now(datetime.UTC)
    began = Mark(time.monotonic(), 0.0)  # The start of Python is part of the CPU time.
    check_memory_limit()
    check_variables(os.environ)
    described = load_platform(
        options.platform,
        options.link_power,
        matching=options.matching,
        service=options.service,
        collectives=options.collectives,
    )
    _check_prediction(options, described)
    errors = _load_errors(options, described)
    traffic = load_traffic(options.traffic, described, options.ranks)
    hints = _load_hints(options, described)
    program = find_program(options.command, options.mpi)
    _check_launcher(options, program)
    if options.compute is None:
        options = replace(options, compute="counted" if program.counts_work else "measured")
    if options.compute != "none":
        described.require("node.speed", f"--compute {options.compute}")
    try:
        network = _core.Network({**described.network_spec(), "seed": options.seed})
    except ValueError as error:
        raise UserError(f"{options.platform}: {error}") from error
    directory = options.result_directory()
    if directory is not None:
        results.prepare(directory, overwrite=True)
    if options.profile_calls and directory is None:
        raise UserError("a profile of calls goes to the result folder: not with --detail none")
    if options.schedule is not None:
        check_recordable(options, described)
        check_writable(options.schedule)
    return Plan(
        options,
        described,
        program,
        network,
        _core_config(options, described),
        errors,
        traffic,
        hints,
        directory,
        date,
        began,
    )


def _core_config(options: RunOptions, described: Platform) -> dict[str, Any]:
    """Return what the core needs to know of the options and of the platform's costs."""
    return {
        **described.config(),
        **_host_config(options, described),
        "compute_mode": options.compute,
        "detail": "full" if options.detail in WITH_TABLES else "summary",
        "seed": options.seed,
        "time_limit_ps": options.time_limit_ps,
        "profile_calls": options.profile_calls,
    }


def _check_launcher(options: RunOptions, program: Program) -> None:
    """Warn if the program seems to start ranks of its own."""
    if not program.launcher:
        return
    print(
        f"kumihimo: warning: {options.command[0]} seems to call {program.launcher}, which starts "
        "ranks, as Kumihimo does itself: name the program that it starts",
        file=sys.stderr,
    )


def _check_prediction(options: RunOptions, described: Platform) -> None:
    """Warn if ranks would predict for links that take no wake frames."""
    if not options.predict:
        return
    policy = described.link_policy
    if policy is None:
        reason = f"the links of {options.platform} have no power model"
    elif policy != "prewake":
        reason = f'the policy "{policy}" takes no wake frames; "prewake" does'
    else:
        return
    print(f"kumihimo: warning: --predict has no effect: {reason}", file=sys.stderr)


def _load_errors(options: RunOptions, described: Platform) -> ErrorPolicy | None:
    """Read the policy that allows errors, and check it against the platform."""
    if options.approx is None:
        return None
    # Not at the top: most runs have no such file, and start sooner without what reads it.
    from kumihimo.run.error_policy import load_policy

    policy = load_policy(options.approx)
    warning = policy.check(described)
    if warning is not None:
        print(f"kumihimo: warning: {warning}", file=sys.stderr)
    return policy


def _load_hints(options: RunOptions, described: Platform) -> HintFile | None:
    """Read the hints at calls; warn if they cannot have an effect."""
    if options.hints is None:
        return None
    from kumihimo.run.hint_file import load_hints  # as above

    hints = load_hints(options.hints)
    hints.check_ranks(options.ranks)
    listens = described["mpi.service.kind"] != "none" or described[MODE_PATH] == BY_HINT
    if not listens and not any(point.key == "EAGER" for point in hints.points):
        reason = "no service is modelled; --service hint and --collectives hint listen to hints"
        print(f"kumihimo: warning: --hints has no effect: {reason}", file=sys.stderr)
    return hints


def _host_config(options: RunOptions, described: Platform) -> dict[str, int]:
    """Return the factor from measured time to virtual time, as a fraction of integers."""
    if options.compute != "measured":
        return {"host_speed_num": 1, "host_speed_den": 1}
    flops = options.host_flops or host_speed(host_file()).flops
    return {"host_speed_num": flops, "host_speed_den": int(described["node.speed"])}
