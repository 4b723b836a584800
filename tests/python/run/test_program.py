"""Finding the user's program and its MPI library."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo.errors import UserError
from kumihimo.run.options import MpiName
from kumihimo.run.program import find_program

BIN = Path(sys.executable).parent


def script(tmp_path: Path, first_line: str, mode: int = 0o755) -> str:
    path = tmp_path / "program"
    path.write_text(first_line + "\n")
    path.chmod(mode)
    return str(path)


def compiled(tmp_path: Path, compiler: str, *flags: str) -> str:
    source = tmp_path / "program.c"
    source.write_text("int MPI_Init(void*, void*); int main(void) { return MPI_Init(0, 0); }\n")
    binary = tmp_path / "program"
    subprocess.run([compiler, str(source), "-o", str(binary), *flags], check=True)
    return str(binary)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program-anywhere", "there is no program 'no-such-program-anywhere' in PATH"),
        ("./no/such/program", "there is no program ./no/such/program"),
        ("/tmp", "/tmp is a folder, not a program"),
    ],
)
def test_says_what_is_wrong_with_a_name(command: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        find_program((command,), None)
    assert caught.value.message.startswith(message)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["mpirun", "mpiexec.hydra", "mpirun.openmpi", "srun"])
def test_refuses_what_starts_ranks_itself(name: str, tmp_path: Path) -> None:
    launcher = Path(script(tmp_path, "#!/bin/sh")).rename(tmp_path / name)
    with pytest.raises(UserError, match=r"starts ranks, which Kumihimo does itself: name the"):
        find_program((str(launcher), "-n", "4", "./solver"), None)


def test_programs_may_be_called_like_parts_of_a_launcher(tmp_path: Path) -> None:
    program = Path(script(tmp_path, "#!/bin/sh")).rename(tmp_path / "mpirun_tests")
    assert find_program((str(program),), None).arguments == (str(program),)


@pytest.mark.parametrize(
    ("line", "launcher"),
    [
        ("exec mpirun $MPI_OPTIONS ./solver", "mpirun"),
        ("  /usr/bin/mpiexec.hydra -n 4 ./solver", "mpiexec.hydra"),
        ("# mpirun -n 4 ./solver", ""),
        ("echo mpirun -n 4", ""),
        ("mpirun_tests -n 4", ""),
    ],
)
def test_scripts_that_call_a_launcher_are_known(line: str, launcher: str, tmp_path: Path) -> None:
    program = find_program((script(tmp_path, f"#!/bin/sh\n{line}"),), None)
    assert program.launcher == launcher


def test_suggests_what_was_probably_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solver").write_text("")
    with pytest.raises(UserError, match=r"did you mean \./solver\?"):
        find_program(("solver",), None)
    (tmp_path / "solver.py").write_text("")
    with pytest.raises(UserError, match=r"did you mean python \./solver\.py\?"):
        find_program(("./solver.py",), None)


@pytest.mark.processes
@pytest.mark.parametrize(
    ("compiler", "mpi"), [(str(BIN / "mpicc"), "mpich"), ("mpicc.openmpi", "openmpi")]
)
def test_knows_the_library_a_program_was_built_for(
    compiler: str, mpi: MpiName, tmp_path: Path
) -> None:
    binary = compiled(tmp_path, compiler)
    program = find_program((binary, "a", "b"), None)
    assert program.mpi == mpi
    assert program.arguments == (binary, "a", "b")
    assert not program.lacks_library
    other: MpiName = "openmpi" if mpi == "mpich" else "mpich"
    with pytest.raises(UserError, match=f"was built for {mpi} .*, not for --mpi {other}"):
        find_program((binary,), other)


@pytest.mark.processes
def test_notices_that_the_library_would_not_be_found(tmp_path: Path) -> None:
    library = BIN.parent / "lib"
    binary = compiled(
        tmp_path, "gcc", f"-L{library}", "-l:libmpi.so.12", "-Wl,--allow-shlib-undefined"
    )
    program = find_program((binary,), None)
    assert program.mpi == "mpich"
    assert program.lacks_library


@pytest.mark.processes
def test_refuses_debians_mpich(tmp_path: Path) -> None:
    library = tmp_path / "libmpich.so.12"
    (tmp_path / "library.c").write_text("int MPI_Init(void* a, void* b) { return a == b; }\n")
    flags = ["-shared", "-fPIC", "-Wl,-soname,libmpich.so.12"]
    subprocess.run(["gcc", str(tmp_path / "library.c"), "-o", str(library), *flags], check=True)
    binary = compiled(tmp_path, "gcc", str(library), f"-Wl,-rpath,{tmp_path}")
    with pytest.raises(UserError, match="Debian's MPICH"):
        find_program((binary,), None)


@pytest.mark.processes
def test_refuses_a_static_program_without_starting_it(tmp_path: Path) -> None:
    source = tmp_path / "static.c"
    source.write_text('#include <stdio.h>\nint main(void) { return !fopen("started", "w"); }\n')
    binary = tmp_path / "static"
    subprocess.run(["gcc", "-static", str(source), "-o", str(binary)], check=True)
    with pytest.raises(UserError, match="is statically linked: no network can be loaded into it"):
        find_program((str(binary),), None)
    assert not Path("started").exists()


def test_takes_python_and_its_scripts_as_python(tmp_path: Path) -> None:
    assert find_program((sys.executable, "x.py"), None).is_python
    assert find_program((script(tmp_path, "#!/usr/bin/env python3"),), "openmpi").is_python
    shell = find_program((script(tmp_path, "#!/bin/sh"),), "openmpi")
    assert not shell.is_python
    assert shell.mpi == "openmpi"


@pytest.mark.processes
def test_takes_what_it_cannot_read_as_a_program_that_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = compiled(tmp_path, str(BIN / "mpicc"))
    assert not find_program((binary,), None).counts_work
    with Path(binary).open("ab") as file:
        file.write(b"\0kumi_work\0")
    assert find_program((binary,), None).counts_work

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(13, "Permission denied", binary)

    monkeypatch.setattr("kumihimo.run.program.mmap.mmap", refuse)
    assert not find_program((binary,), None).counts_work
