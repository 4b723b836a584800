"""Reading with a table that a further component has extended."""

import tomllib

import pytest
from platform_texts import STAR

from kumihimo.platform.locate import locate_keys
from kumihimo.platform.reader import Reading, read_settings
from kumihimo.platform.schema import TABLE
from kumihimo.platform.schema.key import Key, Section, When, network
from kumihimo.platform.schema.table import Table
from kumihimo.platform.schema.values import Choice, Count

POWER = Section(
    "link.power",
    "Sleep of links.",
    (
        Key("link.power.policy", Choice({"none": "Off.", "idle": "On."}), "none", None, "Policy."),
        Key(
            "link.power.threshold",
            Count(1, 9),
            5,
            network("power", "threshold"),
            "Idle time.",
            When("link.power.policy", ("idle",)),
        ),
    ),
)
EXTENDED = Table((*TABLE.sections, POWER))


def read(text: str) -> Reading:
    """Read a text with the extended table."""
    return read_settings(EXTENDED, tomllib.loads(text), locate_keys(text))


@pytest.mark.parametrize(
    "power", ['[link.power]\npolicy = "idle"\n', '[link]\npower = { policy = "idle" }\n']
)
def test_a_nested_section_and_a_default_that_applies(power: str) -> None:
    text = STAR + power
    if power.startswith("[link]\n"):
        text = STAR.replace("[link]\n", power)
    reading = read(text)
    assert reading.problems == []
    assert reading.settings["link.power.threshold"].value == 5


def test_a_key_that_does_not_apply_there() -> None:
    (problem,) = read(STAR + "[link.power]\nthreshold = 3\n").problems
    assert (problem.line, problem.key) == (14, "link.power.threshold")
    assert problem.message == 'applies only with link.power.policy = "idle", but it is "none"'


def test_an_unknown_key_there() -> None:
    (problem,) = read(STAR + "[link.power]\npolicies = 3\n").problems
    assert problem.message == "unknown key; did you mean link.power.policy?"
