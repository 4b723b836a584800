"""The files of the repository, for the checks in this folder."""

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def all_files() -> tuple[Path, ...]:
    """Every file that is, or would be, part of the repository, sorted."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (ROOT / name for name in sorted(set(listed.stdout.split("\0"))) if name)
    return tuple(path for path in paths if path.is_file())


def files(*suffixes: str) -> list[Path]:
    """Files whose name ends with one of `suffixes`."""
    return [path for path in all_files() if path.name.endswith(suffixes)]


def relative(path: Path) -> str:
    """The path as it is written in messages."""
    return path.relative_to(ROOT).as_posix()
