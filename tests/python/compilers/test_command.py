"""What `kumihimo cc`, `c++` and `fc` call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo.compilers import command
from kumihimo.compilers.command import plan_call
from kumihimo.errors import UserError


def test_a_link_shows_the_counter_to_the_shim() -> None:
    arguments = plan_call("cc", ["-O2", "app.c", "-o", "app"]).arguments
    assert Path(arguments[0]).name == "mpicc"
    assert any(argument.endswith("libkumi-passes.so") for argument in arguments)
    assert "-Wl,--export-dynamic-symbol=kumi_work" in arguments
    assert arguments.index("-O2") < arguments.index("app.c")


@pytest.mark.parametrize("option", ["-c", "-S", "-E", "-fsyntax-only"])
def test_without_a_link_nothing_is_said_to_the_linker(option: str) -> None:
    arguments = plan_call("cc", [option, "app.c"]).arguments
    assert not [argument for argument in arguments if argument.startswith("-Wl,")]


def test_response_files_are_looked_into(tmp_path: Path) -> None:
    (tmp_path / "inner").write_text("'-c' app.c")
    (tmp_path / "outer").write_text(f"-O2\n@{tmp_path / 'inner'}\n")
    arguments = plan_call("cc", [f"@{tmp_path / 'outer'}"]).arguments
    # The compiler reads the file by itself.
    assert f"@{tmp_path / 'outer'}" in arguments
    assert not [argument for argument in arguments if argument.startswith("-Wl,")]
    (tmp_path / "lto").write_text("-flto app.c")
    with pytest.raises(UserError, match="-flto: code that is optimised while linking"):
        plan_call("cc", [f"@{tmp_path / 'lto'}"])


@pytest.mark.parametrize("text", [None, "@response", "-DTEXT='unfinished"])
def test_response_files_that_cannot_be_read_are_the_compilers(
    text: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if text is not None:
        (tmp_path / "response").write_text(text)
    assert "@response" in plan_call("cc", ["@response"]).arguments


@pytest.mark.processes
def test_compiling_from_a_response_file_warns_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "app.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "response").write_text("-c app.c -o app.o")
    command = [str(Path(sys.executable).parent / "kumihimo"), "cc", "@response"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_counting_the_call_is_the_users_own() -> None:
    call = plan_call("c++", ["app.cpp"], counts=False)
    assert call.arguments[-1] == "app.cpp"
    assert "clang++" in call.environment["MPICH_CXX"]


@pytest.mark.processes
def test_fortran_is_built_for_open_mpi() -> None:
    call = plan_call("fc", ["app.f90"])
    assert Path(call.arguments[0]).name == "mpifort.openmpi"
    assert "flang" in call.environment["OMPI_FC"]
    with pytest.raises(UserError, match="mpich has no interface for kumihimo fc"):
        plan_call("fc", ["app.f90"], mpi="mpich")


def test_a_processor_model_is_handed_on(tmp_path: Path) -> None:
    model = tmp_path / "model"
    model.write_text("load = 5000 500\n")
    assert plan_call("cc", ["app.c"], model=model).environment["KUMI_PROCESSOR_MODEL"] == str(model)
    with pytest.raises(UserError, match="there is no processor model"):
        plan_call("cc", ["app.c"], model=tmp_path / "none")


@pytest.mark.parametrize("option", ["-flto", "-flto=thin"])
def test_optimising_while_linking_cannot_be_counted(option: str) -> None:
    with pytest.raises(UserError, match=f"{option}: code that is optimised while linking"):
        plan_call("cc", [option, "app.c"])
    assert option in plan_call("cc", [option, "app.c"], counts=False).arguments


def test_a_missing_plug_in_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_PLUGIN", "lib/none.so")
    with pytest.raises(UserError, match="make compilers"):
        plan_call("cc", ["app.c"])


def test_a_missing_compiler_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command.shutil, "which", lambda name, path=None: name if path else None)
    with pytest.raises(UserError, match="Debian's package is clang-19"):
        plan_call("c++", ["app.cpp"])
