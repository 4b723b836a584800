"""Policy files of `run --approx`."""

from __future__ import annotations

from pathlib import Path

import pytest

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.platform.model import parse_platform
from kumihimo.run.error_policy import DATATYPES, ErrorMode, ErrorPolicy, load_policy, parse_policy

RULE = '[[rule]]\ndatatype = "double"\nprotected_bits = 16\n'
PLATFORM = """\
[topology]
kind = "star"
hosts = 2
[link]
latency = "25 ns"
[link.channel]
modulation = "{modulation}"
symbol_rate = "25 GBd"
{more}
[node]
speed = "1 Gflop/s"
"""


def parse(text: str) -> ErrorPolicy:
    return parse_policy(text, "p.toml")


def test_a_whole_policy() -> None:
    policy = parse(
        'exact_messages = "unprotected"\norder = "in_order"\n\n'
        '[[rule]]\ndatatype = ["double", "float"]\nfunction = ["MPI_Allreduce", "MPI_Reduce"]\n'
        'communicator = ["halo", "MPI_COMM_WORLD"]\nfewest_members = 2\nmost_members = 64\n'
        'exact = true\n\n[[rule]]\ndatatype = "double"\nsmallest_size = "1 KiB"\n'
        'largest_size = "1 MB"\nprotected_bits = 16\norder = "important_first"\nfinite = true\n'
    )
    assert policy.canonical() == {
        "protects_exact": 0,
        "order": "in_order",
        "finite": 0,
        "rules": [
            {
                "elements": ["double", "float"],
                "functions": ["MPI_Allreduce", "MPI_Reduce"],
                "communicators": ["halo", "MPI_COMM_WORLD"],
                "fewest_members": 2,
                "most_members": 64,
                "smallest_bytes": 0,
                "largest_bytes": 2**63 - 1,
                "protected_bits": 0,
                "exact": 1,
                "order": "in_order",
                "finite": 0,
            },
            {
                "elements": ["double"],
                "functions": [],
                "communicators": [],
                "fewest_members": 0,
                "most_members": 2**32 - 1,
                "smallest_bytes": 1024,
                "largest_bytes": 10**6,
                "protected_bits": 16,
                "exact": 0,
                "order": "important_first",
                "finite": 1,
            },
        ],
    }
    assert [rule.line for rule in policy.rules] == [4, 12]


def test_sites_are_numbered_over_all_rules() -> None:
    text = f'{RULE}site = ["a.c:7", "a+0x1f"]\n{RULE}{RULE}site = ["b.c:1", "a.c:7"]\n'
    policy = parse_policy(text, "p.toml")
    assert policy.sites == ("a.c:7", "a+0x1f", "b.c:1")
    assert [rule["sites"] for rule in policy.core(0)["rules"]] == [0b11, 0, 0b101]
    assert policy.canonical()["rules"][2]["sites"] == ["b.c:1", "a.c:7"]
    assert "sites" not in policy.canonical()["rules"][1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "p.toml:1: rule: no rules; expected [[rule]], or"),
        (65 * RULE, "p.toml:1: rule: expected at most 64 [[rule]], found 65"),
        ("x = \n", "p.toml:1: no valid TOML"),
        ("[rule]\n", "p.toml:1: rule: expected [[rule]], found a table"),
        (RULE + "protected = 3\n", "p.toml:4: rule[0].protected: unknown key; did you mean"),
        ("colour = 1\n" + RULE, "p.toml:1: colour: unknown key; expected exact_messages, order"),
        ('exact_messages = "fast"\n' + RULE, 'p.toml:1: exact_messages: expected one of "protect'),
        ("[[rule]]\nprotected_bits = 1\n", "p.toml:1: rule[0]: datatype: missing; expected one"),
        ('[[rule]]\ndatatype = "double"\n', "p.toml:1: rule[0]: protected_bits: missing"),
        (RULE.replace("double", "real"), 'p.toml:2: rule[0].datatype: expected one of "half"'),
        (RULE.replace('"double"', "8"), "p.toml:2: rule[0].datatype: expected a text or a list"),
        (RULE.replace("double", "int32"), 'p.toml:2: rule[0].datatype: "int32" may be a count'),
        (RULE.replace("16", "65"), "p.toml:3: rule[0].protected_bits: expected a whole number"),
        (
            RULE + "\n" + RULE.replace('"double"', '["double", "float"]').replace("16", "33"),
            'p.toml:7: rule[1].protected_bits: numbers of the datatype "float" have 32 bits, not',
        ),
        (RULE + "exact = true\n", "p.toml:3: rule[0].protected_bits: means nothing with exact"),
        (
            '[[rule]]\ndatatype = "double"\nexact = true\nfinite = true\n',
            "p.toml:4: rule[0].finite: means nothing with exact = true",
        ),
        (RULE + 'order = "best"\n', 'p.toml:4: rule[0].order: expected one of "in_order", "impo'),
        ('order = "best"\n' + RULE, 'p.toml:1: order: expected one of "in_order", "important_fi'),
        (RULE + "finite = 1\n", "p.toml:4: rule[0].finite: expected true or false"),
        (RULE + "exact = 1\n", "p.toml:4: rule[0].exact: expected true or false"),
        (RULE + 'function = "Send"\n', 'p.toml:4: rule[0].function: expected names as "MPI_Send"'),
        (
            RULE + 'site = "main"\n',
            'p.toml:4: rule[0].site: expected places such as "a.out+0x1234"',
        ),
        (RULE + "site = 62\n", "p.toml:4: rule[0].site: expected a text or a list of texts"),
        (
            "".join(f'{RULE}site = "a.c:{line}"\n' for line in range(1, 65)),
            "p.toml:1: rule: expected at most 63 different sites, found 64",
        ),
        (RULE + "communicator = 3\n", "p.toml:4: rule[0].communicator: expected a text or a list"),
        (
            RULE + 'communicator = ""\n',
            "p.toml:4: rule[0].communicator: expected names of 1 to 127",
        ),
        (
            RULE + f"communicator = {list('abcde')}\n".replace("'", '"'),
            "p.toml:4: rule[0].communicator: expected at most 4 names, found 5",
        ),
        (RULE + "fewest_members = 0\n", "p.toml:4: rule[0].fewest_members: expected a whole num"),
        (
            RULE + "fewest_members = 3\nmost_members = 2\n",
            "p.toml:5: rule[0].most_members: is less than fewest_members, 3: no communicator fits",
        ),
        (RULE + "smallest_size = 8\n", "p.toml:4: rule[0].smallest_size: the number 8 has no unit"),
        (
            RULE + 'smallest_size = "2 kB"\nlargest_size = "1 kB"\n',
            "p.toml:5: rule[0].largest_size: is less than smallest_size, 2 kB: no message fits",
        ),
    ],
)
def test_mistakes_name_file_line_and_key(text: str, expected: str) -> None:
    with pytest.raises(UserError) as caught:
        parse(text)
    assert expected in caught.value.message
    assert caught.value.message.startswith("1 problem in the error policy\n")


def test_integers_may_be_forced_or_exact() -> None:
    forced = RULE.replace("double", "int32") + "force = true\n"
    assert parse(forced).rules[0].datatypes == ("int32",)
    parse('[[rule]]\ndatatype = "int64"\nexact = true\n')


def test_how_messages_arrive_is_said_for_all_or_for_each_rule() -> None:
    text = 'order = "important_first"\nfinite = true\n' + RULE + "\n" + RULE + "finite = false\n"
    policy = parse(text)
    assert policy.mode == policy.rules[0].mode == ErrorMode("important_first", is_finite=True)
    assert policy.rules[1].mode == ErrorMode("important_first", is_finite=False)
    assert parse(RULE).rules[0].mode == ErrorMode()


def test_errors_may_be_allowed_by_the_program_alone(tmp_path: Path) -> None:
    assert load_policy(Path("source")) == ErrorPolicy("source", ())
    assert parse("finite = true\n").rules == ()
    (tmp_path / "source").write_text(RULE)
    assert len(load_policy(tmp_path / "source").rules) == 1


def test_the_core_takes_what_is_parsed() -> None:
    platform = parse_platform(PLATFORM.format(modulation="pam4", more=""), "m.toml")
    for name, bits in DATATYPES.items():
        rule = f'[[rule]]\ndatatype = "{name}"\nprotected_bits = {bits}\nforce = true\n'
        config = {**platform.config(), "host_speed_num": 1, "host_speed_den": 1}
        config.update(compute_mode="none", detail="summary", seed=0, time_limit_ps=0)
        run = _core.Run(2, _core.Network(platform.network_spec()), config)
        run.allow_errors(parse(rule).core(seed=3))
        assert run.summary()["approximate"]["rules"] == [{"messages": 0, "bytes": 0}]
        del run  # One at a time in a process.


def test_two_levels_protect_no_bit() -> None:
    noisy = parse_platform(
        PLATFORM.format(modulation="nrz", more="bit_error_rate = 1e-5"), "m.toml"
    )
    with pytest.raises(UserError, match=r"p\.toml:1: rule\[0\]\.protected_bits: \[link\.channel\]"):
        parse(RULE).check(noisy)
    assert parse(RULE.replace("16", "0")).check(noisy) is None


def test_noise_and_minimal_routes_are_needed() -> None:
    quiet = parse_platform(PLATFORM.format(modulation="pam4", more=""), "m.toml")
    warning = parse(RULE).check(quiet)
    assert warning == "--approx has no effect: no link of m.toml has noise"
    dragonfly = (
        'kind = "dragonfly"\ngroups = 3\nswitches_per_group = 2\nglobal_links_per_switch = 1\n'
        "hosts_per_switch = 1"
    )
    text = PLATFORM.format(modulation="pam4", more="bit_error_rate = 1e-5")
    text = text.replace('kind = "star"\nhosts = 2', dragonfly)
    non_minimal = parse_platform(text + '[network]\nrouting = "ugal"\n', "m.toml")
    with pytest.raises(UserError, match=r'network\.routing: --approx needs "minimal"'):
        parse(RULE).check(non_minimal)
    assert parse(RULE).check(parse_platform(text, "m.toml")) is None


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read the error policy"):
        load_policy(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xff\n")
    with pytest.raises(UserError, match="not UTF-8"):
        load_policy(tmp_path / "latin.toml")
