"""Which module of the package imports which, wherever in the file, also only for its types."""

from __future__ import annotations

import ast
from pathlib import Path

from sources import ROOT, files

PYTHON = ROOT / "python"


def module_name(path: Path) -> str:
    """The name by which a file is imported."""
    parts = path.relative_to(PYTHON).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports() -> dict[str, set[str]]:
    """Of each module of the package, those of its modules that it imports."""
    paths = [path for path in files(".py") if path.is_relative_to(PYTHON)]
    modules = {module_name(path): path for path in paths}
    return {
        name: _imported(ast.parse(path.read_text(encoding="utf-8")), set(modules)) - {name}
        for name, path in modules.items()
    }


def _imported(tree: ast.Module, modules: set[str]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & modules
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports name the package"
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                found |= {whole if whole in modules else str(node.module)} & modules
    return found
