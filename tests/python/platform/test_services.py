"""[mpi.service]: defaults, what is refused, and that "none" changes nothing."""

from __future__ import annotations

import pytest
from platform_texts import STAR, parse, problems

from kumihimo.errors import UserError
from kumihimo.platform import Chosen, Platform, parse_platform


def service(kind: str, more: str = "") -> Platform:
    return parse(f'{STAR}[mpi.service]\nkind = "{kind}"\n{more}')


def test_without_it_nothing_changes() -> None:
    plain = parse(STAR)
    assert "service" not in plain.config()
    assert not [path for path in plain.canonical() if path.startswith("mpi.service")]
    assert service("none").canonical() == plain.canonical()
    assert service("none").config() == plain.config()


def test_services_differ_in_what_the_core_gets() -> None:
    configs = {kind: service(kind).config()["service"] for kind in ("rc", "ud", "hybrid", "hint")}
    assert {kind: config["kind"] for kind, config in configs.items()} == {
        kind: kind for kind in configs
    }
    assert configs["rc"]["connection_cap"] == 2**31 - 1
    assert configs["hybrid"]["connection_cap"] == configs["hint"]["connection_cap"] == 32
    assert configs["hint"]["messages_before"] == 1
    assert configs["hint"]["pool_bytes"] == 8192 * 2048
    assert service("hybrid").canonical() != service("hint").canonical()


def test_the_option_stands_for_the_key() -> None:
    by_option = parse_platform(STAR, "platform.toml", chosen=Chosen(service="hint"))
    assert by_option.canonical() == service("hint").canonical()
    text = f'{STAR}[mpi.service]\nkind = "hybrid"\nconnection_cap = 5\n'
    changed = parse_platform(text, "platform.toml", chosen=Chosen(service="hint"))
    assert changed["mpi.service.connection_cap"] == 5
    off = parse_platform(text, "platform.toml", chosen=Chosen(service="none"))
    assert off.canonical() == parse(STAR).canonical()


def test_one_platform_serves_all_services() -> None:
    keys = f'connection_cap = 5\nmessages_before = 9\nmemory_budget = "{1 << 24} B"\n'
    text = f'{STAR}[mpi.service]\nkind = "ud"\n{keys}'
    for kind in ("none", "ud"):
        parse_platform(text, "platform.toml", chosen=Chosen(service=kind))
    for kind in ("rc", "hybrid", "hint"):
        with pytest.raises(UserError, match="has no room for one connection"):
            parse_platform(text, "platform.toml", chosen=Chosen(service=kind))


def test_the_option_leaves_mistakes_to_the_reader() -> None:
    with pytest.raises(UserError, match=r"platform\.toml:1: mpi: expected one section"):
        parse_platform(f"mpi = 3\n{STAR}", "platform.toml", chosen=Chosen(service="rc"))


@pytest.mark.parametrize(
    ("lines", "key", "message"),
    [
        (
            'kind = "rd"',
            "kind",
            'expected one of "none", "rc", "ud", "hybrid", "hint", "hint_evict"',
        ),
        ('kind = "rc"\nconnection_cap = 0', "connection_cap", "from 1 to"),
        ('kind = "rc"\nmessages_before = -1', "messages_before", "from 0 to"),
        ('kind = "ud"\nmtu = "100 B"', "mtu", "must be at least 256 B"),
        ('kind = "rc"\nsetup_time = 3', "setup_time", "has no unit"),
        ('kind = "ud"\nmemory_budget = "1 MiB"', "memory_budget", "is less than base_memory and"),
        (
            'kind = "rc"\nmemory_budget = "16 MiB"',
            "memory_budget",
            "has no room for one connection; expected",
        ),
        ("connection_cap = 3", "connection_cap", "applies only with"),
    ],
)
def test_bad_values_are_refused_with_their_line(lines: str, key: str, message: str) -> None:
    found = problems(f"{STAR}[mpi.service]\n{lines}\n")
    line, path, said = found[0]
    assert (path, line) == (f"mpi.service.{key}", STAR.count("\n") + 2 + lines.count("\n"))
    assert message in said
