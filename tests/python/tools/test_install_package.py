"""An installation that is replaced works all the time."""

from __future__ import annotations

import subprocess
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPEC = spec_from_file_location("install_package", ROOT / "tools" / "install_package.py")
assert SPEC is not None
assert SPEC.loader is not None
install_package = module_from_spec(SPEC)
SPEC.loader.exec_module(install_package)

PACKAGES = Path("lib", "python3.11", "site-packages")
SCRIPT = """\
#!/bin/sh
read -r line < "${0%/*}/../lib/python3.11/site-packages/kumihimo/core"
echo $line
"""


def stage(folder: Path, version: str, extra: str) -> Path:
    """What pip would install: a script, what it needs, and one file that each version has alone."""
    info = PACKAGES / f"kumihimo-{version}.dist-info"
    files = {
        Path("bin", "kumihimo"): SCRIPT,
        PACKAGES / "kumihimo" / "core": f"{version}\n",
        PACKAGES / "kumihimo" / extra / "part": version,
        info / "licenses" / "LICENSE": "free",
        info / "RECORD": f"../../../bin/kumihimo,,\nkumihimo/core,,\nkumihimo/{extra}/part,,\n"
        f"{info.name}/RECORD,,\n{info.name}/licenses/LICENSE,,\n",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "bin" / "kumihimo").chmod(0o755)
    return folder


@pytest.mark.processes
def test_the_command_works_while_it_is_replaced(tmp_path: Path) -> None:
    prefix = tmp_path / "environment"
    prefix.mkdir()
    install_package.replace_installation(stage(tmp_path / "first", "0", "lib0"), prefix)
    ended = threading.Event()

    def replace() -> None:
        for number in range(1, 60):
            folder = stage(tmp_path / str(number), str(number), f"lib{number}")
            install_package.replace_installation(folder, prefix)
        ended.set()

    replacing = threading.Thread(target=replace)
    replacing.start()
    seen = []
    while not ended.is_set():
        called = subprocess.run(
            [prefix / "bin" / "kumihimo"], capture_output=True, text=True, check=True
        )
        seen.append(int(called.stdout))
    replacing.join()
    assert seen == sorted(seen)
    # Of earlier versions nothing is left.
    packages = prefix / PACKAGES
    assert {path.name for path in packages.iterdir()} == {"kumihimo", "kumihimo-59.dist-info"}
    assert {path.name for path in (packages / "kumihimo").iterdir()} == {"core", "lib59"}


def test_other_packages_are_left_alone(tmp_path: Path) -> None:
    prefix = tmp_path / "environment"
    other = prefix / PACKAGES / "other" / "file"
    other.parent.mkdir(parents=True)
    other.touch()
    for version in ("1", "2"):
        folder = stage(tmp_path / version, version, "lib")
        install_package.replace_installation(folder, prefix)
    assert other.exists()
    assert (prefix / PACKAGES / "kumihimo" / "lib" / "part").read_text() == "2"
