"""A run from the command line to its result."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kumihimo
from kumihimo import _core, results
from kumihimo.errors import UserError
from kumihimo.installed import library_path
from kumihimo.platform import Platform
from kumihimo.platform.schema.collectives import BY_CLOCK, BY_HINT, BY_LIBRARY, MODE_PATH
from kumihimo.progress.ending import Ending, ExitCode
from kumihimo.progress.interrupts import Interrupts
from kumihimo.progress.status_line import StatusLine
from kumihimo.results.phases import Mark, Phase, mark
from kumihimo.run.environment import (
    Launch,
    RunFiles,
    fixes_addresses,
    loads_once,
    plan_launch,
    runs_ahead,
    to_bytes,
    tries_cores,
)
from kumihimo.run.mapping import rank_hosts
from kumihimo.run.options import WITH_TABLES, RunOptions
from kumihimo.run.phase_times import PhaseTimes
from kumihimo.run.plan import Plan, prepare
from kumihimo.run.program import Program
from kumihimo.run.recording import recorded_schedule
from kumihimo.run.remarks import Outcome, remarks_on
from kumihimo.run.scratch import Scratch, make_scratch
from kumihimo.run.supervise import Supervisor
from kumihimo.run.topology import write_topology
from kumihimo.run.totals import read_summary, without_result
from kumihimo.schedule.files import write_schedule
from kumihimo.schedule.pattern import start_sides
from kumihimo.units import SPEED

if TYPE_CHECKING:
    from kumihimo.results import RunInfo
    from kumihimo.results.summary import Summary


@dataclass(frozen=True)
class _Execution:
    """What is known when the last process has ended."""

    ending: Ending
    summary: Summary
    ended: Mark
    phases: Sequence[Phase]
    program_cpu_seconds: float | None


def run(options: RunOptions) -> int:
    """Run a program over a platform, write and print the result; return the status to exit with.

    Raises:
        UserError: If platform, program or result folder cannot be used; nothing was started then.
    """
    plan = prepare(options)
    scratch = make_scratch(_records_for(plan))
    try:
        execution = _execute(plan, scratch)
        failure = _report(plan, scratch, execution) or _write_schedule(plan, scratch, execution)
    except _core.StateDamagedError as error:
        raise without_result(str(error)) from error
    finally:
        scratch.remove()
    ending = execution.ending if execution.ending.message else failure or execution.ending
    if ending.message:
        print(f"kumihimo: error: {ending.message}", file=sys.stderr)
    if failure and failure is not ending:
        print(f"kumihimo: error: {failure.message}", file=sys.stderr)
    return ending.exit_code


def _records_for(plan: Plan) -> Path | None:
    """Return what the ranks' records are made into; None if there is nothing to record."""
    directory = plan.result_directory if plan.options.detail in WITH_TABLES else None
    return directory or plan.options.schedule


def _make_run(plan: Plan, scratch: Scratch) -> _core.Run:
    records = str(scratch.records) if scratch.records is not None else ""
    try:
        hosts = rank_hosts(plan.platform, plan.network.hosts, plan.options.ranks, plan.options.seed)
        core_run = _core.Run(
            plan.options.ranks,
            plan.network,
            plan.config,
            records,
            rank_hosts=hosts or (),
            records_operations=plan.options.records("messages"),
            records_calls=plan.options.records("calls"),
            runs_ahead=runs_ahead(os.environ),
        )
        if plan.errors is not None:
            core_run.allow_errors(plan.errors.core(plan.options.seed))
        if plan.traffic is not None:
            core_run.connect_ahead(plan.traffic.by_source)
        if plan.platform[MODE_PATH] != BY_LIBRARY:
            settings = _collective_settings(plan.platform)
            core_run.schedule_collectives({**settings, "seed": plan.options.seed})
        return core_run
    except ValueError as error:
        raise UserError(f"{plan.options.platform}: {error}") from error
    except RuntimeError as error:  # What the system refuses: memory, or files of that size.
        raise UserError(f"cannot prepare the run: {error}", exit_code=1) from error


def _collective_settings(platform: Platform) -> dict[str, Any]:
    """Return how collective calls are scheduled over the platform."""
    config = platform.config()
    return {
        "sides": list(start_sides(platform)),
        "is_torus": int(platform["topology.kind"] == "torus"),
        "packet_bytes": config["start_bytes"],
        "rule": config["start_rule"],
        "guard_ps": config["collectives"]["guard_ps"],
        "jitter_ps": config.get("start_jitter_ps", 0),
        "in_kernel_only": int(platform[MODE_PATH] == BY_HINT),
        "wakes_for_steps": int(config["collectives"]["wakes"] == BY_CLOCK),
    }


def _make_job(plan: Plan, scratch: Scratch, launch: Launch) -> _core.Job:
    arguments, environment = to_bytes(launch)
    return _core.Job(
        plan.options.ranks,
        arguments,
        environment,
        starts_ranks_itself=launch.starts_ranks_itself,
        cores=plan.options.cores,
        fixes_addresses=fixes_addresses(os.environ),
        loads_once=loads_once(plan.program, os.environ),
        pmi_values=list(launch.pmi_values),
        temporary_paths=scratch.paths(),
    )


def _plan_launch(plan: Plan, scratch: Scratch, segment: str) -> Launch:
    try:
        provider = library_path("kumi-fi")
        shim = library_path("kumi-mpi-openmpi" if plan.program.mpi == "openmpi" else "kumi-mpi")
        mpirun_identity = library_path("kumi-mpirun")
    except FileNotFoundError as error:
        raise UserError(str(error), ExitCode.FAILED) from error
    files = RunFiles(
        segment=segment,
        shim=shim,
        mpirun_identity=mpirun_identity,
        provider_folder=provider.parent,
        temporary=scratch.private,
        topology=write_topology(scratch.private),
        hints=_hints(plan, scratch),
        sites=_write_sites(plan, scratch),
    )
    if plan.hints is not None and files.hints is not None:
        points = plan.hints.core(Path(plan.program.arguments[0]))
        files.hints.mkdir()
        (files.hints / "points").write_text(points, encoding="utf-8")
    return plan_launch(
        plan.program,
        plan.options.ranks,
        files,
        os.environ,
        threads=int(plan.platform["node.cores"]) // int(plan.platform["node.ranks"]),
        predict=plan.options.predict,
        start_date=plan.options.start_date,
    )


def _write_sites(plan: Plan, scratch: Scratch) -> Path | None:
    """Write which places in the program rules of errors name; None if they name none."""
    if plan.errors is None or not plan.errors.sites:
        return None
    path = scratch.private / "sites"
    path.write_text(plan.errors.sites_text(Path(plan.program.arguments[0])), encoding="utf-8")
    return path


def _hints(plan: Plan, scratch: Scratch) -> Path | None:
    """Return where ranks find hints at calls, and write which were not reached."""
    return scratch.private / "hints" if plan.hints is not None else None


def _execute(plan: Plan, scratch: Scratch) -> _Execution:
    """Run the program until nothing of it is left."""
    options = plan.options
    core_run = _make_run(plan, scratch)
    launch = _plan_launch(plan, scratch, core_run.segment_path)
    job = _make_job(plan, scratch, launch)
    display = StatusLine(options.ranks, quiet=options.quiet)
    with ExitStack() as stack:
        stack.callback(display.clear)
        interrupts = stack.enter_context(Interrupts())
        stack.callback(job.kill_all)
        core_run.use_cores(job.cores, always=not tries_cores(os.environ))
        times = PhaseTimes(plan.began)
        if launch.starts_ranks_itself:
            core_run.await_watch()
        _start(job, plan.program)
        supervisor = Supervisor(
            job,
            core_run,
            options.ranks,
            interrupts=interrupts,
            stall_timeout_s=options.stall_timeout_s,
            compute=options.compute or "measured",
            starts_ranks_itself=launch.starts_ranks_itself,
            show=times.before(display.show),
            gap_text=plan.platform.gap_text,
            warn=display.warn,
        )
        ending = supervisor.supervise()
        if not job.kill_all():
            ending = replace(ending, message=_survivors(ending.message))
    ended = mark()
    host_times = core_run.host_times()
    ending = _close_records(core_run, scratch.records, ending)
    summary = read_summary(core_run, options.ranks, ending)
    folder = _hints(plan, scratch)
    if plan.hints is not None and folder is not None and ending.is_complete:
        summary["missed_hints"] = plan.hints.missed(folder)
    program_s = host_times["measured_cpu_s"] if options.compute == "measured" else None
    phases = times.phases(ended, job.cpu_seconds, host_times)
    return _Execution(ending, summary, ended, phases, program_s)


def _start(job: _core.Job, program: Program) -> None:
    try:
        job.start()
    except OSError as error:
        raise UserError(f"cannot start {program.arguments[0]}: {error.strerror}") from error


def _survivors(message: str | None) -> str:
    text = "some processes of the run could not be killed"
    return f"{message}\n{text}" if message else text


def _close_records(core_run: _core.Run, records: Path | None, ending: Ending) -> Ending:
    try:
        core_run.close_records()
        if records is not None:
            # Not at the top: it takes numpy, a third of the start of a run without tables.
            from kumihimo.results.records import sort_states

            sort_states(records / "states.bin")
    except (OSError, RuntimeError) as error:
        # A rank that could not write its records has ended the run, and knows better why.
        if ending.message is None:
            return Ending(ExitCode.FAILED, f"the records of the run cannot be written: {error}")
    return ending


def _describe(plan: Plan, execution: _Execution) -> RunInfo:
    options, ending = plan.options, execution.ending
    host = results.HostInfo(
        wall_seconds=execution.ended.wall_s - plan.began.wall_s,
        cpu_seconds=sum(phase.cpu_seconds for phase in execution.phases),
        phases=execution.phases,
        program_cpu_seconds=execution.program_cpu_seconds,
        ended=execution.ended,
        date=plan.date.isoformat(timespec="seconds"),
        host=os.uname().nodename,
        remarks=remarks_on(
            Outcome(
                options,
                plan.errors,
                plan.hints,
                int(plan.config["clock_cost_ps"]),
                ending.is_complete,
                execution.summary,
            )
        ),
    )
    # What decides the result; how much of it is written down, and when to give up, do not.
    settings: dict[str, Any] = {"compute": options.compute, "mpi": plan.program.mpi}
    if options.compute == "measured":
        settings["host_speed"] = SPEED.format(plan.config["host_speed_num"])
    if options.predict:
        settings["predict"] = True
    if options.start_date is not None:
        settings["start_date"] = options.start_date.isoformat()
    if plan.errors is not None:
        settings["approx"] = plan.errors.canonical()
    if plan.traffic is not None:
        settings["traffic"] = plan.traffic.digest()
    if plan.hints is not None:
        settings["hints"] = plan.hints.canonical()
    return results.RunInfo(
        version=kumihimo.__version__,
        platform_name=plan.platform.name,
        platform=plan.platform.canonical(),
        options=settings,
        seed=options.seed,
        program=options.command,
        ranks=options.ranks,
        status="complete" if ending.is_complete else "partial",
        reason=None if ending.is_complete else ending.message,
        host=host,
        tag_layout=plan.program.mpi,
    )


def _report(plan: Plan, scratch: Scratch, execution: _Execution) -> Ending | None:
    """Write and print the result; return what went wrong with that."""
    if execution.ending.is_empty:
        return None
    info = _describe(plan, execution)
    records = scratch.records if plan.options.detail in WITH_TABLES else None
    failure = None
    if plan.result_directory is None:
        result = results.build(info, execution.summary)
    else:
        try:
            result = results.write(
                plan.result_directory,
                info,
                execution.summary,
                records,
                overwrite=True,
                report=plan.options.detail == "full",
                trace=plan.options.detail == "full",
            )
        except UserError as error:
            failure = Ending(ExitCode.FAILED, error.message)
            result = results.build(info, execution.summary)
    if not plan.options.quiet:
        from rich.console import Console

        results.print_table(result, Console(stderr=True))
    return failure


def _recorded_errors(plan: Plan, execution: _Execution) -> dict[str, Any] | None:
    """Return what a schedule needs to know of errors in messages; None if none were allowed."""
    if plan.errors is None:
        return None
    return {
        "protects_exact": plan.errors.protects_exact,
        "functions": list(execution.summary["approximate"]["functions"]),
    }


def _write_schedule(plan: Plan, scratch: Scratch, execution: _Execution) -> Ending | None:
    """Write the run's schedule if that was asked for; return why it could not be."""
    options = plan.options
    if options.schedule is None:
        return None
    if not execution.ending.is_complete:
        return Ending(ExitCode.FAILED, f"{options.schedule} is not written: the run is not whole")
    assert scratch.records is not None
    try:
        schedule = recorded_schedule(options, scratch.records, _recorded_errors(plan, execution))
        write_schedule(schedule, options.schedule, options.schedule_form)
    except (OSError, ValueError) as error:
        return Ending(ExitCode.FAILED, f"{options.schedule} cannot be written: {error}")
    except UserError as error:
        return Ending(ExitCode.FAILED, error.message)
    return None
