"""Platform files for tests: whole ones to change, and what is said about wrong ones."""

from pathlib import Path

from kumihimo.platform import Platform, PlatformError, parse_platform

PLATFORMS = Path(__file__).resolve().parents[3] / "platforms"

STAR = """\
name = "small"

[topology]
kind = "star"
hosts = 4

[link]
bandwidth = "5 Gb/s"
latency = "100 ns"

[node]
speed = "4.8 Gflop/s"
"""

TREE = """\
[topology]
kind = "tree"
leaves = 4
hosts_per_leaf = 16
spines = 2

[link]
bandwidth = "100 Gb/s"
latency = "300 ns"

[node]
speed = "1 Gflop/s"
"""


def parse(text: str) -> Platform:
    """Read a text under the name platform.toml."""
    return parse_platform(text, "platform.toml")


def problems(text: str) -> list[tuple[int, str, str]]:
    """Line, key and message of everything that is wrong with a text; fails if nothing is."""
    try:
        parse(text)
    except PlatformError as error:
        return [(problem.line, problem.key, problem.message) for problem in error.problems]
    raise AssertionError("the text was accepted")


def small(kind: str, **counts: int) -> Platform:
    """A platform of that kind with links of 5 Gb/s and 1 µs."""
    lines = [f'[topology]\nkind = "{kind}"', *(f"{name} = {n}" for name, n in counts.items())]
    lines.append('[link]\nbandwidth = "5 Gb/s"\nlatency = "1 us"\n[node]\nspeed = "1 Gflop/s"')
    return parse("\n".join(lines))


NODE = '\n[node]\nspeed = "1 Gflop/s"\n'
LINK = '\n[link]\nbandwidth = "8 Gb/s"\nlatency = "100 ns"\n[switch]\nlatency = "10 ns"\n'


def text_of(kind: str, rest: str = "", **keys: object) -> str:
    """A platform file of that kind; lists are written as TOML writes them."""
    lines = [f'[topology]\nkind = "{kind}"', *(f"{name} = {value}" for name, value in keys.items())]
    return "\n".join(lines) + LINK + rest + NODE


def platform_of(kind: str, rest: str = "", **keys: object) -> Platform:
    """The platform of that text."""
    return parse(text_of(kind, rest, **keys))
