"""`kumihimo cc`, `kumihimo c++` and `kumihimo fc`."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kumihimo.cli.live_options import MpiLibrary
from kumihimo.compilers.command import Language, plan_call
from kumihimo.errors import UserError
from kumihimo.renamed import OPTIONS
from kumihimo.run.environment import check_variables
from kumihimo.run.options import MpiName

Arguments = Annotated[
    list[str],
    typer.Argument(metavar="ARGUMENTS...", help="The compiler's own arguments: files and options."),
]
MpiOption = Annotated[
    MpiLibrary | None,
    typer.Option(
        help="The MPI library to build for. [default: mpich; openmpi for Fortran]",
        show_default=False,
    ),
]
CountOption = Annotated[
    bool, typer.Option("--count/--no-count", help="Whether the program counts its work.")
]
PrewakeOption = Annotated[
    bool,
    typer.Option(
        "--prewake",
        help="Mark places ahead of communication at which sleeping links are woken, and list them.",
    ),
]
HintsOption = Annotated[
    bool,
    typer.Option(
        "--hints",
        help="Put the loop that communicates most between hints IN_KERNEL, and name it.",
    ),
]
_MODEL = "--processor-model"
ModelOption = Annotated[
    Path | None,
    typer.Option(
        _MODEL,
        metavar="FILE",
        help="Processor model for which work is counted. [default: the standard model]",
        show_default=False,
    ),
]
ShowOption = Annotated[bool, typer.Option("--show", help="Print the call, and do nothing.")]


def cc_command(
    arguments: Arguments,
    mpi: MpiOption = None,
    count: CountOption = True,
    prewake: PrewakeOption = False,
    hints: HintsOption = False,
    processor_model: ModelOption = None,
    show: ShowOption = False,
) -> None:
    """Compile and link C for MPI with clang 19, so that the program counts its work.

    Takes clang's own arguments, for example `kumihimo cc -O2 app.c -o app -lm`. A program that was
    built and linked this way runs natively as before; under `kumihimo run` its computing takes the
    virtual time that was counted, the same in every run and on every computer.
    `-Rpass=kumi-count -Rpass-missed=kumi-count` prints what is counted and what is not.

    With `--prewake`, places are marked ahead of calls that communicate: in loops that feed them, or
    before functions that compute. Under `kumihimo run`, where links take wake frames, the run time
    learns there what follows, and wakes the links in time. The outcome for each call is listed on
    standard error.

    With `--hints`, the loop of each file that seems to communicate most is put between the hints
    IN_KERNEL 1 and 0, as HINT would: docs/services.md.
    """
    _become(_Call("cc", arguments, mpi, count, prewake, hints, processor_model), show)


def cxx_command(
    arguments: Arguments,
    mpi: MpiOption = None,
    count: CountOption = True,
    prewake: PrewakeOption = False,
    hints: HintsOption = False,
    processor_model: ModelOption = None,
    show: ShowOption = False,
) -> None:
    """Compile and link C++ for MPI with clang 19, so that the program counts its work.

    As `kumihimo cc`.
    """
    _become(_Call("c++", arguments, mpi, count, prewake, hints, processor_model), show)


def fc_command(
    arguments: Arguments,
    mpi: MpiOption = None,
    count: CountOption = True,
    prewake: PrewakeOption = False,
    hints: HintsOption = False,
    processor_model: ModelOption = None,
    show: ShowOption = False,
) -> None:
    """Compile and link Fortran for MPI with flang 19, so that the program counts its work.

    As `kumihimo cc`, with Open MPI: `use mpi` (procedures have no explicit interfaces) or `include
    'mpif.h'`. The module `mpi_f08` that Debian ships is gfortran's.
    """
    _become(_Call("fc", arguments, mpi, count, prewake, hints, processor_model), show)


@dataclass(frozen=True)
class _Call:
    """What the user asked for; as the options of the commands."""

    language: Language
    arguments: list[str]
    mpi: MpiLibrary | None
    counts: bool
    prewakes: bool
    hints: bool
    model: Path | None


def _refuse_old_names(arguments: list[str]) -> None:
    """Refuse old names of variables, and of options, which would otherwise reach the compiler."""
    check_variables(os.environ)
    for argument in arguments:
        old = argument.partition("=")[0]
        if OPTIONS.get(old) == _MODEL:
            raise UserError(f"there is no option {old}; it is now {_MODEL}")


def _become(wanted: _Call, show: bool) -> NoReturn:
    """Become the compiler, or print the call of it."""
    _refuse_old_names(wanted.arguments)
    chosen: MpiName | None = wanted.mpi.value if wanted.mpi is not None else None
    call = plan_call(
        wanted.language,
        wanted.arguments,
        mpi=chosen,
        counts=wanted.counts,
        prewakes=wanted.prewakes,
        hints=wanted.hints,
        model=wanted.model,
    )
    if show:
        variables = [f"{name}={shlex.quote(value)}" for name, value in call.environment.items()]
        print(" ".join([*variables, shlex.join(call.arguments)]))
        raise typer.Exit
    sys.stdout.flush()
    os.execve(call.arguments[0], call.arguments, {**os.environ, **call.environment})  # noqa: S606
