"""What names the version or the packages a second time agrees with where they are first named."""

import re
import tomllib

from kumihimo import __version__
from sources import ROOT

# Those that every use of the Containerfile needs, and tools/install_packages.sh adds: certificates
# for pip, make itself, and a Python with headers.
BESIDES = {"ca-certificates", "make", "python3", "python3-dev", "python3-venv"}


def test_the_container_has_the_packages_of_the_group_setup() -> None:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    listed = re.search(r"--no-install-recommends \\\n(.*?)&& rm", text, re.DOTALL)
    assert listed is not None
    packages = listed.group(1).replace("\\", " ").split()
    assert packages == sorted(packages)
    groups = [line.split() for line in (ROOT / "packages.txt").read_text().splitlines()]
    setup = {group[1] for group in groups if group[0] == "setup"}
    assert set(packages) - BESIDES == setup


def test_the_citation_has_the_version() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.*)$", text, re.MULTILINE) == [__version__]


def test_the_package_and_cmake_read_the_version() -> None:
    """From the Python package, where it is named once."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["dynamic"] == ["version"]
    read = project["tool"]["scikit-build"]["metadata"]["version"]["input"]
    assert read == "python/kumihimo/__init__.py"
    assert f"STRINGS {read}" in " ".join((ROOT / "CMakeLists.txt").read_text().split())


def test_the_citation_has_the_licence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"license: {project['project']['license']}\n" in text


def test_the_front_page_has_the_version() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"\b[Kk]umihimo[ -](\d+\.\d+\.\d+)", text)
    assert set(named) == {__version__}
