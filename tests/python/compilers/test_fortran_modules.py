"""The module `mpi` for flang."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo.compilers.command import plan_call
from kumihimo.compilers.fortran_modules import refuse_other_modules
from kumihimo.errors import UserError

pytestmark = pytest.mark.processes

ROOT = Path(__file__).parents[3]
PROGRAM = """program main
  use mpi, only: MPI_Init, MPI_Finalize, MPI_Bcast, MPI_COMM_WORLD, MPI_INTEGER, MPI_Wtime
  implicit none
  integer :: ierror, value = 7
  call MPI_Init(ierror)
  call MPI_Bcast(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
  print '(a, i2)', 'value', value + int(MPI_Wtime() * 0)
  call MPI_Finalize(ierror)
end program
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "kumihimo"


def compile_fortran(source: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).parent / "kumihimo"), "fc", str(source), *options]
    return subprocess.run(
        command, cwd=source.parent, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("options", [(), ("--no-count",)], ids=["counting", "plain"])
def test_a_program_that_uses_the_module_is_compiled_without_a_word(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    source = tmp_path / "main.f90"
    source.write_text(PROGRAM)
    done = compile_fortran(source, *options, "-o", "main")
    assert (done.returncode, done.stderr) == (0, "")
    ran = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["value", "7"]


def test_the_module_is_made_once(cache: Path) -> None:
    first = plan_call("fc", ["main.f90"]).arguments[-1]
    (folder,) = cache.iterdir()
    assert first == f"-I{folder}"
    made = (folder / "mpi.mod").stat()
    assert plan_call("fc", ["main.f90"]).arguments[-1] == first
    assert (folder / "mpi.mod").stat() == made


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(UserError, match=r"cache/kumihimo/flang-.*: the module mpi cannot be kept"):
        plan_call("fc", ["main.f90"])


def test_the_module_names_every_function_of_fortran() -> None:
    module = (ROOT / "python" / "kumihimo" / "compilers" / "mpi.f90").read_text().lower()
    listed = (ROOT / "src" / "mpi" / "mpi_functions.def").read_text()
    rows = r"(?m)^KUMI_MPI_(?:FORTRAN\(|(?:ALL|C_FORTRAN)\(MPI_\w+, )(\w+),"
    functions = {f"mpi_{name}" for name in re.findall(rows, listed)}
    # Those that mpif.h declares by itself.
    declared = {"mpi_aint_add", "mpi_aint_diff", "mpi_wtick", "mpi_wtime"}
    assert declared <= functions
    assert set(re.findall(r"\bmpi_\w+", module)) == functions - declared


@pytest.mark.parametrize(
    "line", ["use mpi_f08", " USE, NON_INTRINSIC :: MPI_F08, only: x", "use::mpi_f08"]
)
def test_the_new_module_is_refused_in_one_line(line: str, tmp_path: Path) -> None:
    source = tmp_path / "main.f90"
    source.write_text(f"program main\n{line}\nend program\n")
    done = compile_fortran(source)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "main.f90:2: the module mpi_f08 cannot be had with flang" in said
    assert len(done.stderr) < 500


def test_what_the_scan_does_not_see_is_said_in_a_few_lines(tmp_path: Path) -> None:
    source = tmp_path / "main.F90"
    source.write_text("program main\n#if 1\nuse mpi_f08\n#endif\nend program\n")
    done = compile_fortran(source)
    assert done.returncode == 1
    assert "Cannot read module file for module 'mpi_f08'" in done.stderr
    assert len(done.stderr.splitlines()) < 10


@pytest.mark.parametrize("line", ["use mpi_f08_", "! use mpi_f08", "use mpi", "user = mpi_f08"])
def test_other_lines_are_none_of_it(line: str, tmp_path: Path) -> None:
    source = tmp_path / "main.f90"
    source.write_text(f"program main\n{line}\nend program\n")
    refuse_other_modules([str(source), "missing.f90", "-O2"])
