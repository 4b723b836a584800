"""A name's namespace says which folder of src/ it belongs to."""

import re
from pathlib import Path

from sources import ROOT, files, relative

OPENS = re.compile(r"^(?:inline )?namespace (kumi\b[\w: ]*)\{(.*)$", re.MULTILINE)
# What C code and libraries call by name, without a namespace.
IS_CALLED_FROM_C = re.compile(r'extern "C"|\bKUMI_EXPORT\b')
FORWARD_DECLARATION = re.compile(r"(?:(?:class|struct|enum class) [\w: ]+;\s*)+\}")


def namespace_of(folder: str) -> str:
    """What files in a folder of src/, or in bench, open. The words of `base` are those of all."""
    return "kumi::inline base" if folder == "base" else f"kumi::{folder}"


def cxx_sources() -> list[tuple[str, Path]]:
    """All C++ files of src/ and bench/, each after its folder."""
    found = []
    for path in files(".cpp", ".hpp"):
        parts = path.relative_to(ROOT).parts
        if parts[0] == "src":
            found.append((parts[1], path))
        elif parts[0] == "bench" and parts[1] != "programs":
            found.append((parts[0], path))
    return found


def opened(text: str) -> list[tuple[str, bool]]:
    """The namespaces under kumi that a file opens, and whether only for forward declarations."""
    return [
        (match[1].strip(), bool(FORWARD_DECLARATION.match(text[match.end(1) + 1 :].lstrip())))
        for match in OPENS.finditer(text)
    ]


def is_right(folder: str, namespace: str, is_forward: bool) -> bool:
    """Whether a file in that folder may open the namespace."""
    own = namespace_of(folder)
    return (
        namespace == own or namespace.startswith(f"{own}::") or (is_forward and "::" in namespace)
    )


def test_files_open_the_namespace_of_their_folder() -> None:
    wrong = []
    for folder, path in cxx_sources():
        text = path.read_text()
        namespaces = opened(text)
        own = namespace_of(folder)
        wrong += [
            f"{relative(path)} opens {namespace}, its folder's is {own}"
            for namespace, is_forward in namespaces
            if not is_right(folder, namespace, is_forward)
        ]
        if not namespaces and not IS_CALLED_FROM_C.search(text):
            wrong.append(f"{relative(path)} has names outside of {own}")
    assert not wrong, "\n".join(wrong)


def test_no_header_imports_a_namespace() -> None:
    """Names that a header imports would be imported by every file that includes it."""
    wrong = [
        f"{relative(path)}: {line.strip()}"
        for _, path in cxx_sources()
        if path.suffix == ".hpp"
        for line in path.read_text().splitlines()
        if re.match(r"\s*using namespace (?!(std::|kumi::)?literals;)", line)
    ]
    assert not wrong, "\n".join(wrong)


def test_forward_declarations_are_told_from_definitions() -> None:
    text = "namespace kumi::network {\nclass Traffic;\n}\nnamespace kumi {\nint number;\n}\n"
    assert opened(text) == [("kumi::network", True), ("kumi", False)]
    assert is_right("conductor", "kumi::network", True)
    assert not is_right("conductor", "kumi::network", False)
    assert not is_right("conductor", "kumi", True)
    assert is_right("network", "kumi::network::policies", False)
    assert not is_right("network", "kumi::networks", False)
    assert is_right("base", "kumi::inline base", False)
