"""What the ranks of each MPI library need in their environment, and how they are started."""

from __future__ import annotations

import datetime
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.renamed import VARIABLES
from kumihimo.run.program import Program

# Left by a process manager that started this process: a rank must not believe that it is its child.
_FOREIGN_PREFIXES = ("PMI_", "PMIX_", "PMI2_", "HYDRA_", "HYDI_", "OMPI_COMM_", "OMPI_UNIVERSE_")

_MPICH = {
    "MPIR_CVAR_CH4_NETMOD": "ofi",
    # Ranks on one computer would go round the network through shared memory.
    "MPIR_CVAR_NOLOCAL": "1",
    # 59 kB of shared memory a rank instead of 1 MB.
    "MPIR_CVAR_CH4_SHM_POSIX_IQUEUE_NUM_CELLS": "2",
    # A thread of its own that polls the network would take part in the run unseen.
    "MPIR_CVAR_ASYNC_PROGRESS": "0",
    # MPICH brings UCX along, which is not used here, but patches the code of mmap, munmap and
    # others when it is loaded: 40 of the 45 ms that a rank needs to start.
    "UCX_MEM_MMAP_HOOK_MODE": "none",
    "UCX_MEM_EVENTS": "no",
}

_OPENMPI = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    # Its windows refuse MPI_THREAD_MULTIPLE, which mpi4py asks for.
    "MPI4PY_RC_THREAD_LEVEL": "serialized",
}

# Point-to-point messages through libfabric, windows over them, and nothing else.
_OPENMPI_PARAMETERS = {
    "pml": "cm",
    "mtl": "ofi",
    "mtl_ofi_provider_include": "kumi",
    "osc": "pt2pt",
    "btl": "self",
    "hwloc_base_binding_policy": "none",
    # All ranks are on this computer, whatever a batch system says that the job has.
    "plm": "isolated",
    "ras": "^slurm,gridengine,tm,lsf",
}


_WAITS_OF_THREADS = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"}


@dataclass(frozen=True)
class Launch:
    """What is started, and how.

    Attributes:
        arguments: Path of the program or of mpirun, and its arguments.
        environment: The whole environment of what is started.
        starts_ranks_itself: Whether it is one process that starts the ranks (mpirun).
        pmi_values: Values that MPICH finds at its process manager.
    """

    arguments: tuple[str, ...]
    environment: dict[str, str]
    starts_ranks_itself: bool
    pmi_values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RunFiles:
    """Where the parts of a run are that its ranks must know.

    Attributes:
        segment: The shared segment.
        shim: The library that is loaded before the program.
        mpirun_identity: The library that is loaded before Open MPI's mpirun.
        provider_folder: The folder of the libfabric provider.
        temporary: A private folder for MPI's own files.
        topology: An hwloc topology of one core, in `temporary`.
        hints: The folder with the hints at calls; None if there are none.
        sites: The file with the places that rules of errors name; None if they name none.
    """

    segment: str
    shim: Path
    mpirun_identity: Path
    provider_folder: Path
    temporary: Path
    topology: Path
    hints: Path | None = None
    sites: Path | None = None


def plan_launch(
    program: Program,
    ranks: int,
    files: RunFiles,
    environment: Mapping[str, str],
    *,
    threads: int = 1,
    predict: bool = False,
    start_date: datetime.datetime | None = None,
) -> Launch:
    """Return how to start `ranks` ranks of `program` in a run.

    Args:
        program: What to start.
        ranks: How many.
        files: The parts of the run.
        environment: What the user's own environment is.
        threads: How many cores the threads of a rank have.
        predict: Whether ranks wake links ahead of what they are going to send.
        start_date: The date at virtual time zero; None for 2000-01-01 01:00.

    Raises:
        UserError: If Open MPI is needed and not installed.
    """
    kept = {
        name: value for name, value in environment.items() if not name.startswith(_FOREIGN_PREFIXES)
    }
    kept["KUMI_SEGMENT"] = files.segment
    kept["FI_PROVIDER_PATH"] = str(files.provider_folder)
    kept["FI_PROVIDER"] = "kumi"
    kept["KUMI_HINTS"] = "" if files.hints is None else str(files.hints)
    kept["KUMI_SITES"] = "" if files.sites is None else str(files.sites)
    kept["KUMI_PREDICT"] = "on" if predict else "off"
    kept.pop("KUMI_START_DATE", None)
    if start_date is not None:
        kept["KUMI_START_DATE"] = str(int(start_date.timestamp()))
    _set_threads(kept, threads)
    preload = _preload(files.shim, environment)
    if program.mpi == "openmpi":
        return _plan_openmpi(program, ranks, files, kept, preload)
    return _plan_mpich(program, files, kept, preload)


def _preload(library: Path, environment: Mapping[str, str]) -> str:
    return ":".join(filter(None, (str(library), environment.get("LD_PRELOAD", ""))))


def _set_threads(environment: dict[str, str], threads: int) -> None:
    """Let OpenMP have the rank's cores, and its threads sleep in waits, unless the user sets it."""
    # Else it would be as many as this computer has, and what they spend by polling would count.
    environment.setdefault("OMP_NUM_THREADS", str(threads))
    if not _WAITS_OF_THREADS & environment.keys():
        environment["OMP_WAIT_POLICY"] = "passive"


def _plan_mpich(
    program: Program, files: RunFiles, environment: dict[str, str], preload: str
) -> Launch:
    libraries = Path(sys.prefix) / "lib"
    environment |= _MPICH
    environment["LD_PRELOAD"] = preload
    # mpi4py looks for MPI's functions in what is loaded before it loads a library: it finds the
    # shim's and leaves the rest to the dynamic loader.
    if program.lacks_library or program.is_python:
        environment["LD_LIBRARY_PATH"] = ":".join(
            filter(None, (environment.get("LD_LIBRARY_PATH", ""), str(libraries)))
        )
    if program.is_python:
        environment["MPI4PY_MPIABI"] = "mpich"
        environment["MPI4PY_LIBMPI"] = str(libraries / "libmpi.so.12")
    return Launch(
        program.arguments,
        environment,
        starts_ranks_itself=False,
        # Else every rank asks the kernel for the computer's topology, in 120 files.
        pmi_values=(("PMI_hwloc_xmlfile", str(files.topology)),),
    )


def _plan_openmpi(
    program: Program, ranks: int, files: RunFiles, environment: dict[str, str], preload: str
) -> Launch:
    mpirun = shutil.which("mpirun.openmpi", path=environment.get("PATH"))
    if mpirun is None:
        raise UserError(
            "Open MPI's mpirun.openmpi is not in PATH: install Debian's package openmpi-bin"
        )
    environment |= _OPENMPI
    environment["LD_PRELOAD"] = _preload(files.mpirun_identity, environment)
    if program.is_python:
        environment["MPI4PY_MPIABI"] = "openmpi"
        environment["MPI4PY_LIBMPI"] = "libmpi.so.40"
    parameters = {
        **_OPENMPI_PARAMETERS,
        "orte_tmpdir_base": str(files.temporary),
        # As for MPICH: else mpirun and every rank look for all of the host's devices.
        "hwloc_base_topo_file": str(files.topology),
    }
    options = [text for name, value in parameters.items() for text in ("--mca", name, value)]
    # mpirun itself is no rank: what it starts loads the shim instead. It is not made quiet: that
    # would silence Open MPI's own error messages, too.
    arguments = (mpirun, "--oversubscribe", "-n", str(ranks), *options)
    return Launch(
        (*arguments, "-x", f"LD_PRELOAD={preload}", *program.arguments),
        environment,
        starts_ranks_itself=True,
    )


def fixes_addresses(environment: Mapping[str, str]) -> bool:
    """Return whether every rank has its code and memory at the same addresses; see ADR 17."""
    return environment.get("KUMI_RANDOM_ADDRESSES") != "on"


def loads_once(program: Program, environment: Mapping[str, str]) -> bool:
    """Return whether the program is loaded once and copied for each rank; see ADR 17."""
    return (
        program.loads_shim
        and program.mpi == "mpich"
        and fixes_addresses(environment)
        and environment.get("KUMI_LOAD_ONCE") != "off"
    )


def check_variables(environment: Mapping[str, str]) -> None:
    """Refuse variables whose name has changed, which would be without effect.

    Raises:
        UserError: If one is set.
    """
    for old, new in VARIABLES.items():
        if old in environment:
            raise UserError(f"environment variable {old}: it is now {new}")


def runs_ahead(environment: Mapping[str, str]) -> bool:
    """Return whether ranks may run ahead of their clocks; see ADR 50."""
    return environment.get("KUMI_RUN_AHEAD") != "off"


def tries_cores(environment: Mapping[str, str]) -> bool:
    """Return whether several cores are used only where they pay; see ADR 60."""
    return environment.get("KUMI_CORE_TRIAL") != "off"


def to_bytes(launch: Launch) -> tuple[list[bytes], list[bytes]]:
    """Return arguments and environment as the kernel takes them."""
    arguments = [os.fsencode(argument) for argument in launch.arguments]
    environment = [
        os.fsencode(name) + b"=" + os.fsencode(value) for name, value in launch.environment.items()
    ]
    return arguments, environment
