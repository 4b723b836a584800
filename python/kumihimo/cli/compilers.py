"""`kumihimo cc`, `kumihimo c++` and `kumihimo fc`."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from kumihimo.cli.live_options import MpiLibrary
from kumihimo.compilers.command import Language, plan_call
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
ModelOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="The machine for which work is counted. [default: the standard model]",
        show_default=False,
    ),
]
ShowOption = Annotated[bool, typer.Option("--show", help="Print the call, and do nothing.")]


def cc_command(
    arguments: Arguments,
    mpi: MpiOption = None,
    count: CountOption = True,
    machine_model: ModelOption = None,
    show: ShowOption = False,
) -> None:
    """Compile and link C for MPI with clang 19, so that the program counts its work.

    Takes clang's own arguments, for example `kumihimo cc -O2 app.c -o app -lm`. A program that was
    built and linked this way runs natively as before; under `kumihimo run` its computing takes the
    virtual time that was counted, the same in every run and on every computer.
    `-Rpass=kumi-count -Rpass-missed=kumi-count` tells what is counted and what is not.
    """
    _call("cc", arguments, mpi, count, machine_model, show)


def cxx_command(
    arguments: Arguments,
    mpi: MpiOption = None,
    count: CountOption = True,
    machine_model: ModelOption = None,
    show: ShowOption = False,
) -> None:
    """Compile and link C++ for MPI with clang 19, so that the program counts its work.

    As `kumihimo cc`.
    """
    _call("c++", arguments, mpi, count, machine_model, show)


def fc_command(
    arguments: Arguments,
    mpi: MpiOption = None,
    count: CountOption = True,
    machine_model: ModelOption = None,
    show: ShowOption = False,
) -> None:
    """Compile and link Fortran for MPI with flang 19, so that the program counts its work.

    As `kumihimo cc`, with Open MPI and `include 'mpif.h'`: the modules `mpi` and `mpi_f08` that
    Debian ships are gfortran's.
    """
    _call("fc", arguments, mpi, count, machine_model, show)


def _call(
    language: Language,
    arguments: list[str],
    mpi: MpiLibrary | None,
    counts: bool,
    model: Path | None,
    show: bool,
) -> NoReturn:
    """Become the compiler."""
    chosen: MpiName | None = mpi.value if mpi is not None else None
    call = plan_call(language, arguments, mpi=chosen, counts=counts, model=model)
    if show:
        variables = [f"{name}={shlex.quote(value)}" for name, value in call.environment.items()]
        print(" ".join([*variables, shlex.join(call.arguments)]))
        raise typer.Exit
    sys.stdout.flush()
    os.execve(call.arguments[0], call.arguments, {**os.environ, **call.environment})  # noqa: S606
