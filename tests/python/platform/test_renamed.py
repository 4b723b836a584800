"""Old names of keys and values are refused, in files and in sweeps, and the new one is named."""

import pytest
from platform_texts import STAR, problems
from typer.testing import CliRunner

from kumihimo.cli.commands import COMMANDS
from kumihimo.cli.main import app
from kumihimo.errors import UserError
from kumihimo.platform.schema import TABLE
from kumihimo.problems import Problem
from kumihimo.renamed import KEYS, OPTIONS, VALUES, VARIABLES, new_key, value_hint
from kumihimo.run.environment import check_variables
from kumihimo.sweep.keys import TABLE as STUDY_TABLE
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
    known = [
        path
        for table in (TABLE, STUDY_TABLE)
        for path in (*table.paths(), *(section.name for section in table.sections))
    ]
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


def commands_with(option: str) -> list[tuple[str, ...]]:
    """The names of all commands that have an option."""
    found: list[tuple[str, ...]] = []
    for name, entry in COMMANDS.items():
        command = entry.load(name)
        own = {(name,): command}
        for inner, below in getattr(command, "commands", {}).items():
            own[name, inner] = below
        found += [
            path for path, one in own.items() if any(option in known.opts for known in one.params)
        ]
    return found


@pytest.mark.parametrize("old", OPTIONS)
def test_an_old_option_is_refused_with_the_new_one(old: str) -> None:
    new = OPTIONS[old]
    assert commands_with(new)
    assert not commands_with(old)
    for path in commands_with(new):
        result = CliRunner().invoke(app, [*path, old, "x"])
        assert result.exit_code == 2
        assert f"there is no option {old}; it is now {new}" in result.output


def test_an_old_option_of_another_command_is_unknown() -> None:
    result = CliRunner().invoke(app, ["report", "--record", "none", "x"])
    assert result.exit_code == 2
    assert "it is now" not in result.output


@pytest.mark.parametrize("written", [["--machine-model", "x"], ["--machine-model=x"]])
def test_compilers_do_not_get_an_old_option(written: list[str]) -> None:
    result = CliRunner().invoke(app, ["cc", "app.c", *written])
    assert result.exit_code == 2
    assert "there is no option --machine-model; it is now --processor-model" in result.output


def test_compiling_with_an_old_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUMI_MACHINE_MODEL", "x")
    result = CliRunner().invoke(app, ["cc", "app.c"])
    assert result.exit_code == 2
    assert "KUMI_MACHINE_MODEL: it is now KUMI_PROCESSOR_MODEL" in result.output


@pytest.mark.parametrize("old", VARIABLES)
def test_an_old_variable_is_refused_with_the_new_one(old: str) -> None:
    check_variables({VARIABLES[old]: "off"})
    with pytest.raises(UserError, match=f"{old}: it is now {VARIABLES[old]}"):
        check_variables({old: "off"})
