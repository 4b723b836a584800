"""What the ranks of each MPI library are started with."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from kumihimo.errors import UserError
from kumihimo.run.environment import Launch, RunFiles, plan_launch, to_bytes
from kumihimo.run.options import MpiName
from kumihimo.run.program import Program

FILES = RunFiles(
    segment="/proc/1/fd/5",
    shim=Path("/lib/kumi/libkumi-mpi.so"),
    mpirun_identity=Path("/lib/kumi/libkumi-mpirun.so"),
    provider_folder=Path("/lib/kumi"),
    temporary=Path("/scratch"),
    topology=Path("/scratch/topology.xml"),
)


def plan(
    mpi: MpiName,
    environment: Mapping[str, str] = MappingProxyType({}),
    *,
    is_python: bool = False,
    lacks_library: bool = False,
) -> Launch:
    program = Program(("./app", "x"), mpi, is_python=is_python, lacks_library=lacks_library)
    return plan_launch(program, 8, FILES, {"PATH": "/usr/bin:/bin", **environment})


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_every_rank_finds_run_and_provider(mpi: MpiName) -> None:
    environment = plan(mpi).environment
    assert environment["KUMI_SEGMENT"] == "/proc/1/fd/5"
    assert environment["FI_PROVIDER"] == "kumi"
    assert environment["FI_PROVIDER_PATH"] == "/lib/kumi"


def test_mpich_ranks_are_started_one_by_one() -> None:
    launch = plan("mpich", {"UCX_MEM_EVENTS": "yes"})
    assert not launch.starts_ranks_itself
    assert launch.arguments == ("./app", "x")
    assert launch.pmi_values == (("PMI_hwloc_xmlfile", "/scratch/topology.xml"),)
    environment = launch.environment
    assert environment["MPIR_CVAR_NOLOCAL"] == "1"
    assert environment["MPIR_CVAR_CH4_NETMOD"] == "ofi"
    assert environment["UCX_MEM_EVENTS"] == "no"
    assert environment["LD_PRELOAD"] == "/lib/kumi/libkumi-mpi.so"
    assert "LD_LIBRARY_PATH" not in environment


def test_open_mpi_ranks_are_started_by_mpirun() -> None:
    launch = plan("openmpi")
    assert launch.starts_ranks_itself
    assert Path(launch.arguments[0]).name == "mpirun.openmpi"
    text = " ".join(launch.arguments)
    assert " -n 8 " in text
    parameters = ("pml cm", "mtl ofi", "osc pt2pt", "btl self", "orte_tmpdir_base /scratch")
    for parameter in (*parameters, "hwloc_base_topo_file /scratch/topology.xml"):
        assert f" --mca {parameter} " in text
    assert text.endswith(" -x LD_PRELOAD=/lib/kumi/libkumi-mpi.so ./app x")
    assert launch.environment["LD_PRELOAD"] == "/lib/kumi/libkumi-mpirun.so", "it is no rank"
    assert launch.environment["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] == "1"
    assert launch.environment["MPI4PY_RC_THREAD_LEVEL"] == "serialized"


def test_the_users_own_preloads_stay() -> None:
    assert plan("mpich", {"LD_PRELOAD": "/mine.so"}).environment["LD_PRELOAD"] == (
        "/lib/kumi/libkumi-mpi.so:/mine.so"
    )
    launch = plan("openmpi", {"LD_PRELOAD": "/mine.so"})
    assert "LD_PRELOAD=/lib/kumi/libkumi-mpi.so:/mine.so" in launch.arguments
    assert launch.environment["LD_PRELOAD"] == "/lib/kumi/libkumi-mpirun.so:/mine.so"


def test_another_process_managers_variables_do_not_reach_the_ranks() -> None:
    foreign = {"PMI_RANK": "3", "PMIX_RANK": "3", "OMPI_COMM_WORLD_RANK": "3", "HYDI_X": "1"}
    mpis: tuple[MpiName, ...] = ("mpich", "openmpi")
    for mpi in mpis:
        environment = plan(mpi, {**foreign, "MINE": "kept"}).environment
        assert not foreign.keys() & environment.keys()
        assert environment["MINE"] == "kept"


def test_mpi4py_gets_the_library_of_the_run() -> None:
    mpich = plan("mpich", is_python=True).environment
    assert mpich["MPI4PY_MPIABI"] == "mpich"
    assert mpich["MPI4PY_LIBMPI"] == str(Path(sys.prefix) / "lib" / "libmpi.so.12")
    assert plan("openmpi", is_python=True).environment["MPI4PY_MPIABI"] == "openmpi"


def test_a_program_that_does_not_find_mpich_is_helped() -> None:
    environment = plan("mpich", {"LD_LIBRARY_PATH": "/mine"}, lacks_library=True).environment
    assert environment["LD_LIBRARY_PATH"] == f"/mine:{Path(sys.prefix) / 'lib'}"


def test_says_that_open_mpi_is_missing(tmp_path: Path) -> None:
    program = Program(("./app",), "openmpi", is_python=False)
    with pytest.raises(UserError, match="install Debian's package openmpi-bin"):
        plan_launch(program, 2, FILES, {"PATH": str(tmp_path)})


def test_what_is_no_utf_8_reaches_the_program_as_it_is() -> None:
    arguments, environment = to_bytes(Launch(("a\udcff",), {"B": "\udcfe"}, False))
    assert arguments == [b"a\xff"]
    assert environment == [b"B=\xfe"]


@pytest.mark.parametrize("mpi", ["mpich", "openmpi"])
def test_threads_have_the_cores_of_the_rank_and_sleep_while_they_wait(mpi: MpiName) -> None:
    program = Program(("./app",), mpi, is_python=False, lacks_library=False)
    given = {"PATH": "/usr/bin:/bin"}
    environment = plan_launch(program, 8, FILES, given, threads=4).environment
    assert environment["OMP_NUM_THREADS"] == "4"
    assert environment["OMP_WAIT_POLICY"] == "passive"


@pytest.mark.parametrize(
    "own", [("OMP_WAIT_POLICY", "active"), ("KMP_BLOCKTIME", "10"), ("GOMP_SPINCOUNT", "3")]
)
def test_what_the_user_says_of_threads_stays(own: tuple[str, str]) -> None:
    name, value = own
    environment = plan("mpich", {"OMP_NUM_THREADS": "3", name: value}).environment
    assert environment["OMP_NUM_THREADS"] == "3"
    assert environment[name] == value
    assert environment.get("OMP_WAIT_POLICY", "active") == "active"
