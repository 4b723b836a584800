"""The `kumihimo` command itself: overview, version, errors, and what it imports."""

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from kumihimo import __version__
from kumihimo.cli.commands import COMMANDS, CommandEntry
from kumihimo.cli.main import app
from kumihimo.errors import UserError


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that finds the package as this one does."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_version() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"kumihimo {__version__}\n")


@pytest.mark.parametrize("option", ["--help", "-h"])
def test_overview_names_every_command(option: str) -> None:
    result = CliRunner().invoke(app, [option], prog_name="kumihimo", terminal_width=100)
    assert result.exit_code == 0
    for name, entry in COMMANDS.items():
        assert name in result.output
        assert entry.summary in result.output


def test_a_misspelt_command_is_suggested() -> None:
    result = CliRunner().invoke(app, ["platfrom"])
    assert result.exit_code == 2
    assert "Did you mean 'platform'" in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_loads_and_explains_itself(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--help"], prog_name="kumihimo")
    assert result.exit_code == 0, result.output
    assert f"Usage: kumihimo {name}" in result.output
    assert COMMANDS[name].load(name).help


@pytest.mark.processes
def test_the_overview_imports_no_command() -> None:
    result = python(
        "from kumihimo.cli.main import app\n"
        "app(['--help'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith('kumihimo.')])\n"
    )
    modules = result.stdout.splitlines()[-1]
    assert modules == str(
        [
            "kumihimo.cli",
            "kumihimo.cli.commands",
            "kumihimo.errors",
            "kumihimo.progress",
            "kumihimo.progress.interrupts",
            "kumihimo.cli.main",
        ]
    ), result.stderr


@pytest.mark.processes
@pytest.mark.parametrize("module", ["kumihimo.cli.main", *(e.module for e in COMMANDS.values())])
def test_starting_a_command_imports_nothing_heavy(module: str) -> None:
    heavy = "jinja2", "numpy", "pandas", "pyarrow", "rich", "importlib.metadata"
    result = python(
        f"import kumihimo.cli.main, {module}\n"
        f"print([name for name in {heavy} if name in sys.modules])\n"
    )
    assert result.stdout == "[]\n", result.stderr


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a command `fail` into the module of this test and the table."""

    def fail_command(code: int = 2) -> None:
        """Fail as told."""
        raise UserError("the file is wrong\nin two lines", code)

    module = sys.modules[__name__]
    monkeypatch.setattr(module, "fail_command", fail_command, raising=False)
    monkeypatch.setitem(COMMANDS, "fail", CommandEntry(__name__, "fail_command", "Fail."))


@pytest.mark.usefixtures("failing")
@pytest.mark.parametrize("code", [2, 7])
def test_a_user_error_is_one_message_without_traceback(code: int) -> None:
    result = CliRunner().invoke(app, ["fail", "--code", str(code)])
    assert result.exit_code == code
    assert result.stderr == "kumihimo: error: the file is wrong\nin two lines\n"
    assert result.stdout == ""


def test_options_after_the_program_belong_to_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def run_like(program: list[str], n: int = 1) -> None:
        """Note the program."""
        seen.append([str(n), *program])

    monkeypatch.setattr(sys.modules[__name__], "run_like", run_like, raising=False)
    entry = CommandEntry(
        __name__, "run_like", "Run.", context_settings=COMMANDS["run"].context_settings
    )
    monkeypatch.setitem(COMMANDS, "run", entry)
    for arguments in (["--n", "4", "./a", "-x", "--n", "5"], ["--n", "4", "--", "./a", "-x"]):
        result = CliRunner().invoke(app, ["run", *arguments])
        assert result.exit_code == 0, result.output
    assert seen == [["4", "./a", "-x", "--n", "5"], ["4", "./a", "-x"]]


def test_a_defect_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        """Break."""
        raise ZeroDivisionError

    monkeypatch.setattr(sys.modules[__name__], "broken", broken, raising=False)
    monkeypatch.setitem(COMMANDS, "run", CommandEntry(__name__, "broken", "Break."))
    result = CliRunner().invoke(app, ["run"])
    assert isinstance(result.exception, ZeroDivisionError)


def test_commands_are_functions_or_groups() -> None:
    for name, entry in COMMANDS.items():
        module = importlib.import_module(entry.module)
        target = getattr(module, entry.attribute)
        assert callable(target) or isinstance(target, typer.Typer), name


@pytest.mark.processes
def test_output_that_is_lost_is_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        finished = subprocess.run(
            [sys.executable, "-m", "kumihimo.cli.main", "platform", "reference"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert finished.returncode == 1
    assert finished.stderr == (
        "kumihimo: error: cannot write the output: No space left on device\n"
    )


@pytest.mark.processes
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed: str) -> None:
    command = [sys.executable, "-m", "kumihimo.cli.main", "platform", "reference"]
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *command]
    finished = subprocess.run(shell, capture_output=True, text=True, check=False, timeout=60)
    assert (finished.returncode, finished.stderr) == (0, "")


@pytest.mark.processes
def test_a_folder_that_is_gone_is_an_error(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = [sys.executable, "-m", "kumihimo.cli.main", "platform", "reference"]
    shell = ["sh", "-c", f'rmdir "{gone}"; exec "$@"', "sh", *command]
    finished = subprocess.run(
        shell, cwd=gone, capture_output=True, text=True, check=False, timeout=60
    )
    assert finished.returncode == 1
    assert finished.stderr == "kumihimo: error: the current folder does not exist any more\n"


@pytest.mark.parametrize("wrong", ["nan", "inf"])
def test_a_time_that_is_no_number_is_refused(wrong: str) -> None:
    result = CliRunner().invoke(app, ["run", "--stall-timeout", wrong, "-n", "2", "a.out"])
    assert result.exit_code == 2
    assert "is no number of seconds" in result.output
