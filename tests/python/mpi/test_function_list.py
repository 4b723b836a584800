"""The committed list of MPI functions against the MPI libraries that are installed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parents[3] / "src" / "mpi"


def load_generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generator", FOLDER / "list_mpi_functions.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def installed_libraries() -> list[Path]:
    mpich = [Path(sys.prefix) / "lib" / name for name in ("libmpi.so.12", "libmpi_abi.so.1")]
    names = ("libmpi.so.40", "libmpi_mpifh.so.40", "libmpi_usempif08.so.40")
    open_mpi = [path for name in names for path in Path("/usr/lib").glob(f"*-linux-gnu/{name}")]
    assert len(open_mpi) == len(names)
    return mpich + open_mpi


def installed_headers() -> list[Path]:
    mpich = [Path(sys.prefix) / "include" / name for name in ("mpi_proto.h", "mpi_abi.h")]
    open_mpi = list(Path("/usr/lib").glob("*-linux-gnu/openmpi/include/mpi.h"))
    assert len(open_mpi) == 1
    return mpich + open_mpi


def committed() -> list[str]:
    lines = (FOLDER / "mpi_functions.def").read_text().splitlines()
    return [line for line in lines if line.startswith("KUMI_MPI_")]


@pytest.mark.processes
def test_list_is_what_the_installed_libraries_export() -> None:
    found = load_generator().entries(installed_libraries(), installed_headers())
    assert found == committed()


@pytest.mark.processes
def test_mpich_has_every_c_function_that_is_wrapped() -> None:
    # A program may ask by a weak reference whether a function exists; the shim defines these, so
    # that the library behind it must have them.
    exported = load_generator().exported(installed_libraries()[0])
    wrapped = {
        line.split("(")[1].split(",")[0]
        for line in committed()
        if line.startswith(("KUMI_MPI_C", "KUMI_MPI_ALL")) and ", Local, " not in line
    }
    assert len(wrapped) > 300
    assert wrapped <= exported


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("send", "Blocking"),
        ("comm_rank", "Local"),
        ("type_free", "Freeing"),
        ("iprobe", "Polling"),
        ("win_fence", "Window"),
        ("put_c", "Window"),
        ("a_function_of_the_future", "Blocking"),
        ("comm_dup_with_info", "Blocking"),
        ("win_allocate_cptr", "Window"),
        ("alloc_mem_cptr", "Local"),
        ("x_stream_send", "Background"),
        ("iallgatherv_c", "Background"),
        ("irecv", "Blocking"),
        ("ineighbor_alltoallw", "Background"),
        ("ssend_init", "Blocking"),
        ("issend_c", "Synchronous"),
        ("startall", "Persistent"),
        ("barrier_init", "Background"),
    ],
)
def test_class_of(name: str, expected: str) -> None:
    assert load_generator().call_class(name) == expected


def test_the_communicator_is_the_first_argument_that_is_one(tmp_path: Path) -> None:
    header = tmp_path / "mpi.h"
    header.write_text(
        "int MPI_Send(const void *buf, int count,\n"
        "    MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) WITH_TYPE(1,3);\n"
        "int MPI_Intercomm_create(MPI_Comm local_comm, int leader, MPI_Comm peer_comm, int r);\n"
        "int MPI_Comm_free(MPI_Comm *comm);\n"
        "typedef int (MPI_Comm_delete_attr_function)(MPI_Comm comm, int keyval);\n"
    )
    found = load_generator().communicator_arguments([header])
    assert found == {"mpi_send": 5, "mpi_intercomm_create": 0}


def test_the_datatype_is_that_of_what_every_sender_knows(tmp_path: Path) -> None:
    header = tmp_path / "mpi.h"
    send = "const void *buf, int count, MPI_Datatype datatype"
    two = f"{send}, void *in, int room, MPI_Datatype intype"
    header.write_text(
        f"int MPI_Isend({send}, int dest, int tag, MPI_Comm comm, MPI_Request *r);\n"
        f"int MPI_Irecv({send}, int source, int tag, MPI_Comm comm, MPI_Request *r);\n"
        f"int MPI_Allgather({two}, MPI_Comm comm);\n"
        f"int MPI_Igatherv({two}, int root, MPI_Comm comm, MPI_Request *r);\n"
        f"int MPI_Scatter_c({two}, int root, MPI_Comm comm);\n"
        f"int MPI_Sendrecv({send}, int dest, int t, {send}, int source, int tag, MPI_Comm comm);\n"
        "int MPI_Alltoallw(const void *b, const int n[], const MPI_Datatype types[], MPI_Comm c);\n"
        f"int MPI_File_write(MPI_File file, {send}, MPI_Status *status);\n"
        f"int MPI_Put({send}, int target, MPI_Aint at, int n, MPI_Datatype there, MPI_Win win);\n"
        "int MPI_Type_size(MPI_Datatype datatype, int *size);\n"
    )
    assert load_generator().datatype_arguments([header]) == {
        "mpi_isend": 2,
        "mpi_allgather": 5,
        "mpi_igatherv": 2,
        "mpi_scatter_c": 5,
        "mpi_sendrecv": 2,
    }
