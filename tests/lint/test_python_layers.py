"""Arrows between the parts of the Python package go one way: each names the parts it may import."""

from circles import circle_in
from python_imports import imports

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "shim": set(),
    "installed": set(),
    "units": set(),
    "vega": set(),
    "approx": {"shim"},
    "compute": {"shim"},
    "hint": {"hint_keys", "shim"},
    "hint_keys": set(),
    "problems": {"errors"},
    "renamed": set(),
    "progress": {"errors"},
    "simgrid": {"errors", "problems", "units"},
    "platform": {"errors", "installed", "problems", "renamed", "simgrid", "units"},
    "results": {"errors", "platform", "units", "vega"},
    "schedule": {"errors", "platform", "progress", "results", "units"},
    "run": {"errors", "hint_keys", "installed", "platform", "problems", "progress", "renamed",
            "results", "schedule", "units"},
    "replay": {"errors", "platform", "progress", "results", "run", "schedule", "units"},
    "compilers": {"errors", "installed", "progress", "results", "run"},
    "sweep": {"errors", "platform", "problems", "progress", "renamed", "results", "run", "schedule",
              "simgrid", "units", "vega"},
    "study": {"errors", "installed", "platform", "results", "run", "schedule", "sweep", "units",
              "vega"},
    "cli": {"compilers", "errors", "installed", "platform", "progress", "renamed", "replay",
            "results", "run", "schedule", "study", "sweep", "units"},
    "__main__": {"cli"},
}  # fmt: skip
# A point of a study is a command line: it is read, and run, as the command line is.
READS_COMMAND_LINES = {"kumihimo.sweep.fork_server", "kumihimo.sweep.patterns"}


def part_of(module: str) -> str:
    """The part whose arrows count for a module; nothing for the package itself."""
    return module.partition(".")[2].partition(".")[0]


def test_a_circle_is_found() -> None:
    uses = {"a": {"b"}, "b": {"c"}, "c": {"d", "b"}, "d": set[str]()}
    assert circle_in(uses) == ["b", "c", "b"]
    assert circle_in({**uses, "c": {"d"}}) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Not even for types, or within a function: what needs each other belongs together."""
    circle = circle_in(imports())
    assert not circle, " imports ".join(circle)


def test_every_part_has_a_line_in_the_table() -> None:
    assert {part_of(module) for module in imports()} == {"", *MAY_IMPORT}


def test_the_table_has_no_circle() -> None:
    assert circle_in(MAY_IMPORT) == []


def test_imports_follow_the_arrows() -> None:
    wrong = []
    for module, imported in imports().items():
        part = part_of(module)
        allowed = {"", part, *MAY_IMPORT.get(part, set())}
        if module in READS_COMMAND_LINES:
            allowed.add("cli")
        wrong += [
            f"{module} imports {name}: {part} may not"
            for name in sorted(imported)
            if part_of(name) not in allowed
        ]
    assert not wrong, "\n".join(wrong)
