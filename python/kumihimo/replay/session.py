"""A replay from the command line to its result."""

from __future__ import annotations

import datetime
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import kumihimo
from kumihimo import _core, results
from kumihimo.errors import UserError
from kumihimo.platform import Platform, load_platform
from kumihimo.platform.schema.collectives import BY_LIBRARY, MODE_PATH
from kumihimo.platform.schema.matching import MODEL_PATH
from kumihimo.platform.schema.service import KIND_PATH, NO_SERVICE
from kumihimo.progress.ending import Ending, ExitCode, describe_ranks, format_time, interrupted
from kumihimo.progress.interrupts import Interrupts
from kumihimo.replay.display import ReplayLine
from kumihimo.replay.mismatches import truncated, unreceived
from kumihimo.replay.options import ReplayOptions
from kumihimo.results.memory_limit import check_memory_limit
from kumihimo.results.phases import PREPARE, VIRTUAL, Mark, mark, phase_between
from kumihimo.run.mapping import rank_hosts
from kumihimo.run.options import WITH_TABLES
from kumihimo.run.verdicts import network_deadlock, no_route
from kumihimo.schedule.files import order_text
from kumihimo.schedule.pattern import StepTimes, start_sides, step_times_on

if TYPE_CHECKING:
    from kumihimo.results import RunInfo

# Events between two looks at the terminal and at signals: some hundredths of a second.
_STEP_EVENTS = 1 << 16


@dataclass(frozen=True)
class _Plan:
    """Everything that is known before the replay begins."""

    options: ReplayOptions
    platform: Platform
    network: _core.Network
    schedule: _core.Schedule
    hosts: list[int] | None
    result_directory: Path | None
    date: datetime.datetime
    began: Mark


def replay(options: ReplayOptions) -> int:
    """Replay a schedule, write and print the result; return the status to exit with.

    Raises:
        UserError: If platform, schedule or result folder cannot be used.
    """
    plan = _prepare(options)
    with _records_folder(plan) as records:
        core_replay = _make_replay(plan, records)
        prepared = mark()
        ending = _execute(plan, core_replay)
        replayed = mark()
        lost = core_replay.unreceived_messages() if ending.is_complete else []
        if lost and not options.allow_unreceived:
            ending = unreceived(lost, options.file)
        ending = _close_records(core_replay, ending)
        failure = _report(plan, records, core_replay, ending, len(lost), (prepared, replayed))
    for problem in (ending, failure):
        if problem is not None and problem.message:
            print(f"kumihimo: error: {problem.message}", file=sys.stderr)
    return ending.exit_code or (failure.exit_code if failure is not None else 0)


def _prepare(options: ReplayOptions) -> _Plan:
    """Read and check all that the user gave."""
    date = datetime.datetime.now(datetime.UTC)
    began = Mark(time.monotonic(), 0.0)  # The start of Python is part of the CPU time.
    check_memory_limit()
    described = load_platform(
        options.platform, options.link_power, matching=options.matching, service=options.service
    )
    if described[MODE_PATH] != BY_LIBRARY:
        reason = "[mpi.collectives] has no effect: --scheme keeps the steps of patterns apart"
        print(f"kumihimo: warning: {options.platform}: {reason}", file=sys.stderr)
    try:
        network = _core.Network({**described.network_spec(), "seed": options.seed})
    except ValueError as error:
        raise UserError(f"{options.platform}: {error}") from error
    if options.pattern is not None:
        options = replace(options, pattern=options.pattern.on(described))
    schedule = options.schedule(_step_times(options, described, network))
    if schedule.allows_errors:
        # Imported only here, since its import takes milliseconds and most replays need none of it.
        from kumihimo.run.error_policy import check_routing

        check_routing(described, "a schedule with approximate messages")
    hosts = rank_hosts(described, network.hosts, schedule.ranks, options.seed)
    directory = options.result_directory(schedule.ranks)
    if directory is not None:
        results.prepare(directory, overwrite=True)
    return _Plan(options, described, network, schedule, hosts, directory, date, began)


@contextmanager
def _records_folder(plan: _Plan) -> Iterator[Path | None]:
    """Have a temporary folder of records, if the result has all details."""
    if plan.result_directory is None or plan.options.detail not in WITH_TABLES:
        yield None
        return
    # Here, because replays without records start without these modules.
    import shutil

    from kumihimo.run.scratch import make_records_folder

    folder = make_records_folder(plan.result_directory)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _step_times(options: ReplayOptions, described: Platform, network: _core.Network) -> StepTimes:
    def step_times(pattern: _core.Pattern, look: Callable[[int], None]) -> list[int]:
        ranks = options.pattern.ranks if options.pattern is not None else 0
        hosts = rank_hosts(described, network.hosts, ranks, options.seed)
        return step_times_on(described, network, hosts, ranks)(pattern, look)

    return step_times


def _make_replay(plan: _Plan, records: Path | None) -> _core.Replay:
    config = {
        **plan.platform.config(),
        "detail": "summary",
        "time_limit_ps": plan.options.time_limit_ps,
        "allows_truncation": plan.options.allow_truncation,
        "start_sides": start_sides(plan.platform),
        "seed": plan.options.seed,
    }
    if records is not None:
        config["detail"] = "full"
    try:
        return _core.Replay(
            plan.schedule,
            plan.network,
            config,
            str(records or ""),
            rank_hosts=plan.hosts or (),
        )
    except ValueError as error:
        raise UserError(f"{plan.options.platform}: {error}") from error
    except OSError as error:
        raise UserError(f"cannot prepare the replay: {error.strerror}", exit_code=1) from error


def _execute(plan: _Plan, core_replay: _core.Replay) -> Ending:
    """Replay until nothing more can happen, or it is stopped."""
    display = ReplayLine(plan.schedule.ranks, quiet=plan.options.quiet)
    with ExitStack() as stack:
        stack.callback(display.clear)
        interrupts = stack.enter_context(Interrupts())
        try:
            while core_replay.advance(_STEP_EVENTS):
                if interrupts.received:
                    return interrupted(interrupts.received)
                display.show(core_replay.progress())
        except OSError as error:
            return Ending(ExitCode.FAILED, f"the records cannot be written: {error.strerror}")
        except (OverflowError, ValueError) as error:
            return Ending(ExitCode.FAILED, str(error))
    if core_replay.unconnected is not None:
        (rank, host), (target, target_host) = core_replay.unconnected
        return no_route(rank, target, plan.platform.gap_text(host, target_host))
    if core_replay.truncated is not None:
        return truncated(core_replay.truncated, plan.options.file)
    if core_replay.is_over_time:
        when = format_time(plan.options.time_limit_ps)
        return Ending(ExitCode.TIME_LIMIT, f"the replay is past the limit of virtual time, {when}")
    if core_replay.is_complete:
        return Ending(0, is_complete=True)
    if core_replay.network_deadlock:
        return network_deadlock(core_replay.network_deadlock)
    return Ending(ExitCode.DEADLOCK, _deadlock(core_replay, plan.schedule.ranks))


def _deadlock(core_replay: _core.Replay, ranks: int) -> str:
    when = format_time(core_replay.virtual_time_ps)
    stuck = core_replay.stuck_ranks(ranks)
    heading = f"deadlock at {when}: no message is in flight, and operations are left"
    return "\n".join([heading, *describe_ranks([f"rank {rank} {text}" for rank, text in stuck])])


def _close_records(core_replay: _core.Replay, ending: Ending) -> Ending:
    try:
        core_replay.close_records()
    except OSError as error:
        if ending.message is None:
            text = f"the records cannot be written: {error.strerror}"
            return Ending(ExitCode.FAILED, text)
    return ending


def _report(
    plan: _Plan,
    records: Path | None,
    core_replay: _core.Replay,
    ending: Ending,
    lost: int,
    times: tuple[Mark, Mark],
) -> Ending | None:
    """Write and print the result, with `lost` messages; return what went wrong with that.

    `times` are begin and end of the replay itself.
    """
    info = _describe(plan, core_replay, ending, lost, times)
    summary = core_replay.summary()
    failure = None
    if plan.result_directory is None:
        result = results.build(info, summary)
    else:
        try:
            result = results.write(
                plan.result_directory,
                info,
                summary,
                records,
                overwrite=True,
                report=plan.options.detail == "full",
                trace=plan.options.detail == "full",
            )
        except UserError as error:
            failure = Ending(ExitCode.FAILED, error.message)
            result = results.build(info, summary)
    if plan.options.quiet:
        # The table would have it among its remarks.
        if (order := _order_remark(plan.schedule)) is not None:
            print(f"kumihimo: warning: {order}", file=sys.stderr)
    else:
        from rich.console import Console

        results.print_table(result, Console(stderr=True))
    return failure


def _describe(
    plan: _Plan, core_replay: _core.Replay, ending: Ending, lost: int, times: tuple[Mark, Mark]
) -> RunInfo:
    prepared, replayed = times
    host = results.HostInfo(
        wall_seconds=replayed.wall_s - plan.began.wall_s,
        cpu_seconds=replayed.cpu_s,
        phases=(
            phase_between(PREPARE, plan.began, prepared),
            phase_between(VIRTUAL, prepared, replayed),
        ),
        ended=replayed,
        date=plan.date.isoformat(timespec="seconds"),
        host=os.uname().nodename,
        remarks=_remarks(plan, core_replay, lost),
    )
    return results.RunInfo(
        version=kumihimo.__version__,
        platform_name=plan.platform.name,
        platform=plan.platform.canonical(),
        options=plan.options.identity(),
        seed=plan.options.seed,
        program=plan.options.words(),
        ranks=plan.schedule.ranks,
        status="complete" if ending.is_complete else "partial",
        reason=None if ending.is_complete else ending.message,
        host=host,
        tag_layout=_tag_layout(plan),
    )


def _tag_layout(plan: _Plan) -> Literal["schedule"] | None:
    """Say what tags mean; those of a recorded run number the messages of each pair of ranks."""
    if plan.options.detail not in WITH_TABLES or plan.schedule.summary()["bare_messages"]:
        return None
    return "schedule"


def _order_remark(schedule: _core.Schedule) -> str | None:
    """Say that the program may do otherwise over another platform, if it may."""
    counts = order_text(*schedule.recorded_order)
    if counts is None:
        return None
    return (
        f"the recorded order may depend on time: {counts}; over another platform the program may "
        "do otherwise"
    )


def _recorded_remarks(plan: _Plan) -> list[str]:
    """Say what of the platform cannot act on a recorded run."""
    remarks: list[str] = []
    if plan.platform[KIND_PATH] != NO_SERVICE:
        remarks.append("recorded messages use no service: they do what they did")
    if plan.options.matching is not None or plan.platform[MODEL_PATH] != "list":
        remarks.append(
            "recorded messages keep overheads, eager limit and matching of their "
            "run; kumihimo record --of calls takes those of the replay's platform"
        )
    # The summary goes through all operations, which takes a part of a replay's own time.
    return remarks if remarks and plan.schedule.summary()["bare_messages"] else []


def _remarks(plan: _Plan, core_replay: _core.Replay, lost: int) -> tuple[str, ...]:
    """Return what the user should know of a replay that went well all the same.

    `lost` messages arrived that no rank received.
    """
    order = _order_remark(plan.schedule)
    remarks = [order] if order is not None else []
    if not core_replay.is_complete:
        return tuple(remarks)
    if plan.platform.link_policy == "prewake":
        remarks.append("a schedule has no wake frames: links kept the threshold")
    remarks += _recorded_remarks(plan)
    cut = core_replay.truncated_messages
    if cut > 0:
        what = (
            "1 message was larger than its"
            if cut == 1
            else f"{cut:,} messages were larger than their"
        )
        remarks.append(f"{what} {'receive' if cut == 1 else 'receives'}")
    if lost > 0:
        what = "1 message arrived and was" if lost == 1 else f"{lost:,} messages arrived and were"
        remarks.append(f"{what} never received")
    return tuple(remarks)
