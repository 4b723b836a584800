"""Prints mpi_functions.def: every MPI function that the named libraries export, with its class.

Usage: list_mpi_functions.py LIBRARY... HEADER... > mpi_functions.def

LIBRARY: libmpi.so.12 and libmpi_abi.so.1 of MPICH; libmpi.so.40, libmpi_mpifh.so.40 and
libmpi_usempif08.so.40 of Open MPI 4.
HEADER: mpi_proto.h and mpi_abi.h of MPICH, mpi.h of Open MPI 4; they say which of a function's
arguments are a communicator and a datatype, in Fortran as in C.

The list is committed; run this again when a new version of a library exports more, and read the
difference: a new function starts out as Blocking.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HEADER = """\
// Every MPI function, and what the shim does with a call to it. Printed by list_mpi_functions.py.
//
//   Local       never waits and moves nothing: not wrapped.
//   Freeing     as Local, and the handle of a datatype may stand for another one afterwards.
//   Blocking    may wait until something arrives, or starts to send or receive a message.
//   Background  starts something of several steps, with which the library goes on whenever it is
//               called: a nonblocking collective.
//   Synchronous as Blocking, and what it sends is answered by the MPI library that receives it.
//   Persistent  one of these two: starts persistent requests.
//   Probing     MPI_Probe and MPI_Mprobe: waits for an envelope without receiving.
//   Polling     asks once whether something has arrived; a program calls it in a loop.
//   Window      one-sided communication.
//   Generalized starts a request that something other than a message completes.
//   Completing  completes one; any thread may call it.
//   Special     written by hand: start, end, clocks, the name of the host.
//   Refused     would add processes to the run, or join two runs: returns an MPI error.
//
// Behind the class: which argument is the communicator, from 0; -1 where there is none. Then which
// one is the datatype of what the call sends; of collective operations one that says so on every
// rank that sends. -1 where there is none, of one-sided operations and of files.
//
// KUMI_MPI_C        MPI_<name>: C; also C++, mpi4py, and the Fortran bindings of MPICH.
// KUMI_MPI_C4       the same, but Open MPI 4 lacks it. A program (mpi4py is one) may ask by a weak
//                   reference whether it exists, so the shim for Open MPI must not define it.
// KUMI_MPI_FORTRAN  mpi_<name>_: Fortran's `mpif.h` and `use mpi`.
// KUMI_MPI_F08      mpi_<name>_f08_: `use mpi_f08` of Open MPI.
//
// These four are defined before this file is included. Most functions have several:

#define KUMI_MPI_C_FORTRAN(name, fortran_name, ...) \\
    KUMI_MPI_C(name, __VA_ARGS__) KUMI_MPI_FORTRAN(fortran_name, __VA_ARGS__)
#define KUMI_MPI_ALL(name, fortran_name, ...)            \\
    KUMI_MPI_C_FORTRAN(name, fortran_name, __VA_ARGS__) \\
    KUMI_MPI_F08(fortran_name, __VA_ARGS__)
"""
FOOTER = """
#undef KUMI_MPI_ALL
#undef KUMI_MPI_C_FORTRAN"""

SPECIAL = {
    "init",
    "init_thread",
    "session_init",
    "session_finalize",
    "finalize",
    "abort",
    "wtime",
    "wtick",
    "get_processor_name",
}
REFUSED = {
    "comm_spawn",
    "comm_spawn_multiple",
    "comm_connect",
    "comm_accept",
    "comm_join",
}
FREEING = {"type_free"}
GENERALIZED = {"grequest_start", "x_grequest_start", "x_grequest_class_allocate"}
COMPLETING = {"grequest_complete"}
SYNCHRONOUS = {"ssend", "issend"}
PERSISTENT = {"start", "startall"}
PROBING = {"probe", "mprobe"}
POLLING = {
    "test",
    "testall",
    "testany",
    "testsome",
    "iprobe",
    "improbe",
    "parrived",
    "win_test",
    "request_get_status",
    "request_get_status_all",
    "request_get_status_any",
    "request_get_status_some",
    "x_request_is_complete",
    "x_stream_progress",
}
WINDOW = {
    "put",
    "get",
    "accumulate",
    "get_accumulate",
    "fetch_and_op",
    "compare_and_swap",
    "rput",
    "rget",
    "raccumulate",
    "rget_accumulate",
}

# Nonblocking and persistent collectives, and what an MPI library may build from such; all
# extensions, of which nothing is known.
BACKGROUND = re.compile(
    r"i(neighbor_)?(allgather|allreduce|alltoall|barrier|bcast|exscan|gather|reduce|reduce_scatter"
    r"|reduce_scatter_block|scan|scatter|sendrecv)(v|w|_replace)?"
    r"|(?!(b|r|s)?send_|recv_).*_init|comm_idup(_with_info)?|.*_?iflush(_buffer)?|file_i.*"
    r"|file_.*_begin|x_.*"
)

# Exceptions from the Local patterns below: these communicate or wait.
NOT_LOCAL = {
    "comm_dup_with_info",
    "comm_idup_with_info",
    "comm_set_info",
    "win_set_info",
    "file_set_info",
    "file_get_position_shared",
}

LOCAL = re.compile(
    # Conversions, attributes, names, error handlers, infos: of any kind of object.
    r".*(_c2f|_f2c|_f082c|_c2f08|_f082f|_f2f08|_fromint|_toint|_keyval|_attr|_name|_errhandler"
    r"|_errhandler_x|_info|_attach_buffer)$"
    r"|(abi|add_error|remove_error|aint|error|errhandler|group|info|op|status|t|type|keyval|attr"
    r"|address|get_address|get_count|get_elements|get_hw_resource|get_library|get_processor"
    r"|get_version|pack|unpack|grequest|dims|topo|message|x_grequest|x_type|x_info|x_op|x_query"
    r"|x_gpu)(_.*)?$"
    r"|comm_(compare|get_parent|group|rank|remote_group|remote_size|size|test_inter)$"
    r"|(cart|graph|dist_graph)_(coords|get|rank|shift|neighbors|neighbors_count)$"
    r"|cartdim_get|graphdims_get|test_cancelled|buffer_attach|reduce_local|register_datarep"
    r"|(alloc|free)_mem(_cptr)?|finalized|initialized|is_thread_main|query_thread|pcontrol"
    r"|(open|close)_port|win_(get_group|shared_query|shared_query_cptr)"
    r"|file_(get_amode|get_atomicity|get_byte_offset|get_group|get_position|get_size"
    r"|get_type_extent|get_view|seek|delete)"
    r"|session_(get_nth_pset|get_num_psets)"
    r"|x_comm_(get_stream|test_threadcomm|get_failed|failure_ack|failure_get_acked)"
    r"|x_(start|stop)_progress_thread|x_async_.*"
)


def call_class(name: str) -> str:
    """Returns the class of the function `name`: lower case, without MPI_; MPIX_ is x_."""
    # The large-count variant and the variants that return C pointers are of the plain one's class.
    plain = re.sub(r"(_c|_cptr)$", "", name)
    for label, names in (
        ("Special", SPECIAL),
        ("Freeing", FREEING),
        ("Refused", REFUSED),
        ("Generalized", GENERALIZED),
        ("Completing", COMPLETING),
        ("Synchronous", SYNCHRONOUS),
        ("Persistent", PERSISTENT),
        ("Probing", PROBING),
        ("Polling", POLLING),
        ("Window", WINDOW),
    ):
        if plain in names:
            return label
    if plain not in NOT_LOCAL and LOCAL.fullmatch(plain):
        return "Local"
    if plain.startswith("win_"):
        return "Window"
    return "Background" if BACKGROUND.fullmatch(plain) else "Blocking"


def exported(library: Path) -> set[str]:
    """Returns the names of the functions that the shared object `library` exports."""
    listing = subprocess.run(
        ["nm", "-D", "--defined-only", library], check=True, text=True, capture_output=True
    ).stdout
    fields = [line.split() for line in listing.splitlines()]
    return {name.split("@")[0] for _, kind, name in fields if kind in "TW"}


def communicator_arguments(headers: list[Path]) -> dict[str, int]:
    """Returns which argument of each function that takes a communicator is one, the first is 0.

    The names of functions are in lower case: the order of arguments is that of C in Fortran, too.
    """
    arguments: dict[str, int] = {}
    for header in headers:
        text = header.read_text()
        for name, parameters in re.findall(r"\b(MPIX?_\w+)\s*\(([^()]*)\)", text):
            kinds = [re.fullmatch(r"\s*MPI_Comm\s+\w+\s*", each) for each in parameters.split(",")]
            first = next((index for index, kind in enumerate(kinds) if kind), None)
            if first is not None:
                arguments.setdefault(name.lower(), first)
    return arguments


def datatype_arguments(headers: list[Path]) -> dict[str, int]:
    """Returns which argument of each function is the datatype of what it sends, the first is 0.

    The names of functions are in lower case. Where there are several, the receiver's is known on
    every rank that sends, also with MPI_IN_PLACE, but where only the root receives, or where the
    call also receives something else.
    """
    arguments: dict[str, int] = {}
    for header in headers:
        text = header.read_text()
        for name, parameters in re.findall(r"\b(MPI_\w+)\s*\(([^()]*)\)", text):
            plain = re.sub(r"^mpi_|_c$", "", name.lower())
            sends = call_class(plain) in {"Blocking", "Synchronous", "Background"}
            only_receives = "recv" in plain and "sendrecv" not in plain
            if not sends or only_receives or plain.startswith("file_"):
                continue
            kinds = [
                re.fullmatch(r"\s*MPI_Datatype\s+\w+\s*", each) for each in parameters.split(",")
            ]
            found = [index for index, kind in enumerate(kinds) if kind]
            takes_first = re.fullmatch(r"i?gatherv?(_init)?", plain) or "sendrecv" in plain
            if found:
                arguments.setdefault(name.lower(), found[0] if takes_first else found[-1])
    return arguments


def short_name(name: str) -> str:
    """Returns the name of a function, which is in lower case, without mpi_; mpix_ is x_."""
    return re.sub(r"^mpi(x?)_", lambda m: m[1] and "x_", name)


def is_wanted(name: str) -> bool:
    """Separates callbacks that MPI predefines and helpers of a binding from functions of MPI."""
    return not re.search(r"_(fn|fn_null|f90|fn_null_f)$|^mpi_(conversion_fn|sizeof_)", name)


def entries(libraries: list[Path], headers: list[Path]) -> list[str]:
    """Returns the lines of the list, in a fixed order."""
    communicators = communicator_arguments(headers)
    datatypes = datatype_arguments(headers)
    with_c: dict[str, bool] = {}
    fortran: set[str] = set()
    f08: set[str] = set()
    for library in libraries:
        # Open MPI's Fortran libraries also export MPI_Send_f08 and the like, which are not called.
        is_fortran = "mpifh" in library.name or "usempi" in library.name
        for symbol in exported(library):
            if match := re.fullmatch(r"(MPIX?_[A-Z]\w*[a-z]\w*)", symbol):
                if not is_fortran and not re.search(r"_f(08)?$", symbol):
                    old = ".so.40" in library.name
                    with_c[symbol] = with_c.get(symbol, False) or old
            elif match := re.fullmatch(r"(mpi_\w+)_f08_", symbol):
                f08.add(match[1])
            elif match := re.fullmatch(r"(mpi_\w*[a-z0-9])_", symbol):
                fortran.add(match[1])

    def row(kind: str, name: str, *names: str) -> str:
        arguments = (communicators.get(name, -1), datatypes.get(name, -1))
        fields = (*names, call_class(short_name(name)), *arguments)
        return f"KUMI_MPI_{kind}({', '.join(map(str, fields))})"

    lines = []
    for symbol in sorted(with_c):
        name = symbol.lower()
        if symbol.startswith("MPIX_") and with_c[symbol]:
            continue  # Open MPI's own extensions: nothing else has them, MPICH's are listed.
        if not is_wanted(name):
            continue
        if with_c[symbol] and name in fortran:
            kind = "ALL" if name in f08 else "C_FORTRAN"
            fortran.discard(name)
            f08.discard(name)
            lines.append(row(kind, name, symbol, short_name(name)))
        else:
            lines.append(row("C" if with_c[symbol] else "C4", name, symbol))
    for kind, functions in (("FORTRAN", fortran), ("F08", f08)):
        lines += [
            row(kind, name, short_name(name)) for name in sorted(filter(is_wanted, functions))
        ]
    return lines


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print(HEADER)
    files = [Path(argument) for argument in sys.argv[1:]]
    headers = [file for file in files if file.suffix == ".h"]
    print("\n".join(entries([file for file in files if file not in headers], headers)))
    print(FOOTER)
