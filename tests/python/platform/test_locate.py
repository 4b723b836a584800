"""Lines of keys in TOML texts."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kumihimo.platform.locate import Path, locate_keys

TEXT = '''\
name = "a"            # line 1
[a.b]                 # 2
"quoted key".'x.y' = 1
values = [            # 4
    "]", # [c]
    { q = 1, r.s = "}" },
    [1,
     2],
]
text = """
[no.table]
key = "no key\\""
"""""
date = 1979-05-27 07:32:00
[[c]]
x = 1
[[c]]                 # 17
x = 2
[c.d]
y = 1.5
[[c.e]]
z = true
[a]                   # 23
late = {}
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("name",), 1),
        (("a", "b"), 2),
        (("a", "b", "quoted key", "x.y"), 3),
        (("a", "b", "values"), 4),
        (("a", "b", "values", 0), 5),
        (("a", "b", "values", 1, "q"), 6),
        (("a", "b", "values", 1, "r", "s"), 6),
        (("a", "b", "values", 2, 1), 8),
        (("a", "b", "text"), 10),
        (("a", "b", "date"), 14),
        (("c",), 15),
        (("c", 0), 15),
        (("c", 0, "x"), 16),
        (("c", 1), 17),
        (("c", 1, "x"), 18),
        (("c", 1, "d", "y"), 20),
        (("c", 1, "e", 0, "z"), 22),
        (("a",), 23),
        (("a", "late"), 24),
    ],
)
def test_lines(path: Path, line: int) -> None:
    assert locate_keys(TEXT)[path] == line


def paths_in(value: object, path: Path = ()) -> set[Path]:
    """All paths of a parsed text."""
    inside: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inside = list(value.items())
    elif isinstance(value, list):
        inside = list(enumerate(value))
    return {path}.union(*(paths_in(item, (*path, name)) for name, item in inside))


def test_all_paths_of_the_text_are_found() -> None:
    assert set(locate_keys(TEXT)) == paths_in(tomllib.loads(TEXT)) - {()}


BARE_NAMES = st.from_regex(r"[A-Za-z0-9_-]{1,4}", fullmatch=True)
LITERALS = st.text('ab.#[]{}=",\\ ', max_size=6).map(lambda text: f"'{text}'")
MULTI_LINE = st.text("ab#[]{}=,\n ", max_size=8).map(lambda text: f"'''\n{text}'''")
SCALARS = st.one_of(
    st.integers(-99, 99).map(str),
    st.sampled_from(["true", "1.5", "inf", "1979-05-27", "1979-05-27 07:32:00", '"a\\"]"']),
    LITERALS,
    MULTI_LINE,
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(
            lambda items: "[ " + " # ,]\n ,".join(items) + "\n]" if items else "[]"
        )
        | st.lists(inner.filter(lambda text: "#" not in text), max_size=2).map(
            lambda items: (
                "{ " + ", ".join(f"i{n} . j = {item}" for n, item in enumerate(items)) + " }"
            )
        )
    ),
    max_leaves=5,
)
NAMES = st.lists(BARE_NAMES | LITERALS, min_size=1, max_size=3).map(" . ".join)
STATEMENTS = st.one_of(
    st.tuples(NAMES, VALUES).map(lambda pair: f"{pair[0]} = {pair[1]}  # = 1"),
    NAMES.map(lambda name: f"[ {name} ]"),
    NAMES.map(lambda name: f"[[{name}]]"),
    st.sampled_from(["", "# [comment] = 1"]),
)


@given(st.lists(STATEMENTS, max_size=8))
def test_the_paths_are_those_of_tomllib(statements: list[str]) -> None:
    accepted: list[str] = []
    for statement in statements:
        # Statements that contradict earlier ones are left out, so that most texts are valid.
        try:
            tomllib.loads("\n".join([*accepted, statement]))
        except tomllib.TOMLDecodeError:
            continue
        accepted.append(statement)
    text = "\n".join(accepted)
    lines = locate_keys(text)
    assert set(lines) == paths_in(tomllib.loads(text)) - {()}
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())
