"""The wheel in a fresh virtual environment: it needs neither a compiler nor this source tree."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jobs import ROOT

LIMIT_S = 900
RING = """\
from mpi4py import MPI

world = MPI.COMM_WORLD
right, left = (world.rank + 1) % world.size, (world.rank - 1) % world.size
print(world.rank, world.sendrecv(world.rank, right, source=left))
"""


def run(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    finished = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, f"{command}\n{finished.stdout}{finished.stderr}"
    return finished.stdout


def build(dist: Path) -> Path:
    """Build the wheel into a folder."""
    run(["make", "wheel", f"DIST={dist}"], ROOT)
    (built,) = dist.iterdir()
    return built


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel into a new virtual environment; return its folder of commands."""
    python = getattr(sys, "_base_executable", sys.executable)
    run([python, "-m", "venv", str(folder)], folder.parent)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    # Compiling all that it brings would take most of the time.
    run([*pip, "install", "--quiet", "--no-compile", str(wheel)], folder)
    return folder / "bin"


def check_tag(wheel: Path) -> None:
    """Check that the wheel is for every system with the glibc of Debian 12."""
    tag = wheel.stem.rpartition("-")[2]
    versions = [name.split("_")[1:3] for name in tag.split(".") if name.startswith("manylinux_")]
    assert versions, tag
    assert max((int(major), int(minor)) for major, minor in versions) <= (2, 36)


# One test, because workers share no fixture: with two, each of them would build a wheel.
@pytest.mark.long
@pytest.mark.timeout(LIMIT_S)
def test_the_wheel_runs_programs_without_compiler_and_source_tree(tmp_path: Path) -> None:
    wheel = build(tmp_path / "dist")
    check_tag(wheel)
    installed = install(wheel, tmp_path / "environment")
    script = tmp_path / "ring.py"
    script.write_text(RING)
    # Nothing but the environment: also no compiler.
    bare = {"PATH": str(installed), "HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}
    assert shutil.which("cc", path=bare["PATH"]) is None
    kumihimo = str(installed / "kumihimo")
    python = str(installed / "python")
    command = [kumihimo, "run", "-n", "4", "-p", "star4", "--compute", "none", "--", python]
    output = run([*command, str(script)], tmp_path, bare)
    assert sorted(output.splitlines()) == ["0 3", "1 0", "2 1", "3 2"]
    assert (tmp_path / "kumi-ring-n4" / "result.json").is_file()
    pattern = ["--pattern", "alltoall/pairwise", "--bytes", "1KiB", "-n", "64"]
    run([kumihimo, "replay", *pattern, "-p", "star64", "--quiet"], tmp_path, bare)
    assert "star4 " in run([kumihimo, "platform", "list"], tmp_path, bare)
    run([kumihimo, "examples", "mine"], tmp_path, bare)
    assert (tmp_path / "mine" / "demo" / "heat.c").is_file()
