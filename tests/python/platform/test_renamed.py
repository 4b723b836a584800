"""Old names of keys and values are refused, in files and in sweeps, and the new one is named."""

import pytest
from platform_texts import STAR, problems

from kumihimo.platform.schema import TABLE
from kumihimo.problems import Problem
from kumihimo.renamed import KEYS, VALUES, new_key, value_hint
from kumihimo.sweep.parameters import read_parameters


def swept(path: str, values: list[str]) -> str:
    """What a sweep says of a parameter with these values."""
    found: list[Problem] = []
    read_parameters({path: values}, {}, found)
    (problem,) = found
    return problem.message


@pytest.mark.parametrize(("path", "old"), VALUES)
def test_an_old_value_is_refused_with_the_new_one(path: str, old: str) -> None:
    new = VALUES[path, old]
    hint = f'; "{old}" is now "{new}"'
    for key in TABLE.variants(path):
        key.type.read(new)
        with pytest.raises(ValueError, match="expected"):
            key.type.read(old)
    assert swept(path, [old]).endswith(hint)
    assert value_hint(path, new) == ""


def test_a_file_with_an_old_value() -> None:
    [(line, key, message)] = problems(STAR.replace('"star"', '"fly"'))
    assert (line, key) == (4, "topology.kind")
    assert message.endswith('found "fly"; "fly" is now "butterfly"')


@pytest.mark.parametrize("old", KEYS)
def test_an_old_key_is_refused_with_the_new_one(old: str) -> None:
    known = [*TABLE.paths(), *(section.name for section in TABLE.sections)]
    new = KEYS[old]
    holders = [path for path in known if f".{new}." in f".{path}."]
    assert holders
    assert not [path for path in known if f".{old}." in f".{path}."]
    for path in holders:
        was = f".{path}.".replace(f".{new}.", f".{old}.").strip(".")
        assert new_key(was) == path
        assert new_key(path) is None
        assert swept(was, ["1"]).endswith(f"it is now {path}")


@pytest.mark.parametrize(
    ("section", "key", "new"),
    [
        ('[uplink]\nlatency = "1 ns"\n', "uplink", "[switch_link]"),
        ('[network]\nqueueing = "credits"\n', "network.queueing", "network.flow_control"),
        ('[link.channel]\ncorrection = "none"\n', "link.channel.correction", "link.channel.fec"),
    ],
)
def test_a_file_with_an_old_key(section: str, key: str, new: str) -> None:
    [(_, found, message)] = problems(f"{STAR}{section}")
    assert (found, message.partition("; ")[2]) == (key, f"it is now {new}")
