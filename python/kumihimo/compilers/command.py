"""Which compiler is called for `kumihimo cc`, `c++` and `fc`, and with what."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kumihimo.compilers.fortran_modules import modules_folder, refuse_other_modules
from kumihimo.compilers.response_files import expand_response_files
from kumihimo.errors import UserError
from kumihimo.installed import include_path, installed_path
from kumihimo.run.options import MpiName

Language = Literal["cc", "c++", "fc"]

_LLVM_FOLDER = "/usr/lib/llvm-19/bin"
_PLUGIN = "lib/libkumi-passes.so"
# What must be visible for the shim to find it, in the program itself.
_COUNT_SYMBOLS = ("kumi_work", "kumi_work_flops_per_kilocycle")
# Makes clang keep track of lines, without debugging information in the program: a pattern for
# remarks that fits none.
_TRACK_LINES = "-Rpass=^$"
# With these nothing is linked, and options for the linker would only be complained about.
_NO_LINKING = frozenset(
    ("-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--version", "-dumpversion", "-dumpmachine")
)


@dataclass(frozen=True)
class _Compiler:
    """One language: LLVM's compiler, and the wrapper of each MPI library.

    Attributes:
        names: What LLVM's compiler is called, in the order in which it is looked for.
        wrappers: The MPI library's own compiler command; none where it has no such interface.
        variables: The environment variable that tells the wrapper which compiler to call.
    """

    names: tuple[str, ...]
    wrappers: Mapping[MpiName, str]
    variables: Mapping[MpiName, str]


_COMPILERS: Mapping[Language, _Compiler] = {
    "cc": _Compiler(
        ("clang-19", f"{_LLVM_FOLDER}/clang"),
        {"mpich": "mpicc", "openmpi": "mpicc.openmpi"},
        {"mpich": "MPICH_CC", "openmpi": "OMPI_CC"},
    ),
    "c++": _Compiler(
        ("clang++-19", f"{_LLVM_FOLDER}/clang++"),
        {"mpich": "mpicxx", "openmpi": "mpicxx.openmpi"},
        {"mpich": "MPICH_CXX", "openmpi": "OMPI_CXX"},
    ),
    "fc": _Compiler(
        ("flang-new-19", f"{_LLVM_FOLDER}/flang-new"),
        {"openmpi": "mpifort.openmpi"},
        {"openmpi": "OMPI_FC"},
    ),
}


@dataclass(frozen=True)
class CompilerCall:
    """A compiler to call.

    Attributes:
        arguments: Its path and arguments.
        environment: What is added to the environment.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str]


def plan_call(
    language: Language,
    arguments: Sequence[str],
    *,
    mpi: MpiName | None = None,
    counts: bool = True,
    prewakes: bool = False,
    hints: bool = False,
    model: Path | None = None,
) -> CompilerCall:
    """Return the call of LLVM's compiler for a program of an MPI library.

    Args:
        language: Of the sources.
        arguments: The user's own, as for clang or flang.
        mpi: The program's MPI library; None for the one that has an interface for the language.
        counts: Whether the program is to count its work.
        prewakes: Whether places ahead of communication are marked, where links can be woken.
        hints: Whether the loop that communicates most is put between hints.
        model: The processor for which it counts; None for the standard one.

    Raises:
        UserError: If a part is not installed, or an argument makes counting impossible.
    """
    compiler = _COMPILERS[language]
    chosen = mpi if mpi is not None else next(iter(compiler.wrappers))
    wrapper = _find_wrapper(language, compiler, chosen)
    llvm = _find_llvm(compiler)
    environment = {compiler.variables[chosen]: llvm}
    # MPI libraries' wrappers do not look into response files.
    written = expand_response_files(arguments)
    hidden = sorted(_NO_LINKING.intersection(written).difference(arguments))
    arguments = (*hidden, *arguments)
    if counts or prewakes or hints:
        environment["KUMI_COUNT"] = "on" if counts else "off"
        environment["KUMI_PREWAKE"] = "on" if prewakes else "off"
        environment["KUMI_HINT_LOOPS"] = "on" if hints else "off"
        first = (_TRACK_LINES,) if prewakes or hints else ()
        arguments = (
            *first,
            *arguments,
            *_plug_in_options(written, _COUNT_SYMBOLS if counts else ()),
        )
        if model is not None:
            environment["KUMI_PROCESSOR_MODEL"] = str(_checked(model))
    first_include = f"-I{include_path()}"
    if language != "fc":
        return CompilerCall((wrapper, first_include, *arguments), environment)
    refuse_other_modules(written)
    modules = modules_folder(wrapper, compiler.variables[chosen], llvm)
    return CompilerCall((wrapper, first_include, *arguments, f"-I{modules}"), environment)


def _plug_in_options(arguments: Sequence[str], symbols: Sequence[str]) -> tuple[str, ...]:
    for argument in arguments:
        if argument.startswith("-flto") and argument != "-flto=none":
            raise UserError(
                f"{argument}: code that is optimised while linking can neither count its work "
                "nor have marked places; compile without it, or with --no-count alone"
            )
    try:
        plugin = installed_path(_PLUGIN)
    except FileNotFoundError as error:
        raise UserError(
            "the compiler plug-in was not built: install Debian's llvm-19-dev, clang-19 and "
            "flang-19 and build again (in a checkout: make compilers)"
        ) from error
    options = [f"-fpass-plugin={plugin}"]
    if _NO_LINKING.isdisjoint(arguments):
        options += [f"-Wl,--export-dynamic-symbol={symbol}" for symbol in symbols]
    return tuple(options)


def _find_wrapper(language: Language, compiler: _Compiler, mpi: MpiName) -> str:
    if mpi not in compiler.wrappers:
        raise UserError(
            f"{mpi} has no interface for kumihimo {language} here; expected --mpi "
            + " or ".join(compiler.wrappers)
        )
    name = compiler.wrappers[mpi]
    path = str(Path(sys.prefix) / "bin") if mpi == "mpich" else os.environ.get("PATH")
    found = shutil.which(name, path=path)
    if found is None:
        package = "the Python package mpich" if mpi == "mpich" else "Debian's libopenmpi-dev"
        raise UserError(f"{name} is not installed; it comes with {package}")
    return found


def _find_llvm(compiler: _Compiler) -> str:
    for name in compiler.names:
        found = shutil.which(name)
        if found is not None:
            return found
    package = compiler.names[0].replace("clang++", "clang").replace("-new", "")
    raise UserError(f"{compiler.names[0]} is not installed; Debian's package is {package}")


def _checked(model: Path) -> Path:
    if not model.is_file():
        raise UserError(f"there is no processor model {model}")
    return model.resolve()
