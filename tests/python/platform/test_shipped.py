"""Platforms that come with Kumihimo are found by name, from any folder."""

from pathlib import Path

import pytest

from kumihimo.platform import PlatformError, load_platform
from kumihimo.platform.shipped import platform_file, shipped_names, shipped_platforms

ROOT = Path(__file__).resolve().parents[3]


def test_all_platforms_of_the_source_tree_are_in_the_package() -> None:
    sources = sorted((ROOT / "platforms").glob("*.toml"))
    assert shipped_names() == sorted(file.stem for file in sources)
    for file in sources:
        assert platform_file(Path(file.stem)).read_text() == file.read_text()


def test_every_platform_has_a_description() -> None:
    assert [name for name, text in shipped_platforms().items() if not text] == []


def test_a_name_stands_for_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_platform(platform_file(Path("star4"))).name == "star4"


def test_a_file_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("star4").write_text("")
    assert platform_file(Path("star4")) == Path("star4")


@pytest.mark.parametrize("path", ["none.toml", "platforms/star4", "./none/star4"])
def test_a_path_is_never_taken_for_a_name(path: str) -> None:
    assert platform_file(Path(path)) == Path(path)


def test_an_unknown_name_is_refused_with_one_that_is_alike() -> None:
    with pytest.raises(PlatformError, match="did you mean star4"):
        platform_file(Path("sta4"))
