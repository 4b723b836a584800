"""What a stranger's process loads must not disturb it: few symbols, and no library but libc's."""

import re
import subprocess

import pytest

from kumihimo.installed import library_path

LOADABLES = ("kumi-fi", "kumi-mpi", "kumi-mpi-openmpi")
PARTS_OF_LIBC = re.compile(r"libc\.so\.6|libm\.so\.6|ld-linux-x86-64\.so\.2")


def needed_by(name: str) -> list[str]:
    """The libraries that a library asks the dynamic loader for."""
    command = ["readelf", "-d", str(library_path(name))]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", printed)


def exported_by(name: str) -> list[str]:
    """The symbols that a library defines for others."""
    command = ["nm", "-D", "--defined-only", "--format=posix", str(library_path(name))]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in printed.splitlines()]


@pytest.mark.parametrize("name", LOADABLES)
def test_needs_libc_alone(name: str) -> None:
    needed = needed_by(name)
    assert needed
    assert [library for library in needed if not PARTS_OF_LIBC.fullmatch(library)] == []


@pytest.mark.parametrize("name", LOADABLES)
def test_exports_nothing_of_cxx(name: str) -> None:
    exported = exported_by(name)
    assert exported
    assert [symbol for symbol in exported if symbol.startswith("_Z")] == []


def test_the_provider_has_one_entry_point() -> None:
    assert exported_by("kumi-fi") == ["fi_prov_ini"]
