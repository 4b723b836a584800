"""Platform files of SimGrid for tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumihimo.platform import Platform, PlatformError, load_platform

FILES = Path(__file__).parent / "simgrid"
FULL = (FILES / "full.xml").read_text()


def in_platform(inside: str) -> str:
    """A file with these elements, which begin in its second line."""
    return f'<platform version="4.1">\n{inside}\n</platform>\n'


def cluster(attributes: str, radical: str = "0-3") -> str:
    return in_platform(
        f'<cluster id="c" prefix="n" suffix="" radical="{radical}" speed="1Gf" bw="1GBps" lat="1us"'
        f" {attributes}/>"
    )


def zone(routing: str, inside: str) -> str:
    return in_platform(f'<zone id="z" routing="{routing}">\n{inside}\n</zone>')


TWO_HOSTS = """\
<host id="a" speed="1Gf"/>
<host id="b" speed="1Gf"/>
<link id="l" bandwidth="1Gbps" latency="1us"/>
"""
ROUTE = '<route src="a" dst="b"><link_ctn id="l"/></route>'


def load(folder: Path, text: str) -> Platform:
    file = folder / "platform.xml"
    file.write_text(text)
    return load_platform(file)


def problem_of(folder: Path, text: str) -> str:
    """The one problem that a file has, without its place's folder."""
    with pytest.raises(PlatformError) as error:
        load(folder, text)
    assert len(error.value.problems) == 1, error.value.message
    return error.value.message.split("\n")[1].removeprefix(f"{folder}/")
