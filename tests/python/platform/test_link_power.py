"""[link_power]: presets, what follows from them, and values that cannot be."""

from __future__ import annotations

import pytest
from platform_texts import STAR, parse, problems

from kumihimo import _core
from kumihimo.cli.live_options import LinkPolicy
from kumihimo.platform import PlatformError
from kumihimo.platform.model import parse_platform
from kumihimo.platform.schema.link_power import POLICIES
from kumihimo.platform.schema.link_power_presets import PRESETS

CUSTOM = (
    '[link_power]\npreset = "custom"\npower_on = "2 W"\npower_low = "0.5 W"\n'
    'sleep_time = "1 us"\nwake_time = "2 us"\n'
)


def test_without_it_links_have_no_power() -> None:
    platform = parse(STAR)
    assert "link_power" not in platform.network_spec()
    assert "wake_cost_ps" not in platform.config()
    assert "link_power.preset" not in platform.canonical()


def test_the_links_of_the_paper() -> None:
    platform = parse(STAR + '[link_power]\npreset = "matsuyama18"\npolicy = "threshold"\n')
    spec = platform.network_spec()["link_power"]
    assert spec == {
        "policy": "threshold",
        "on_uw": 12_000_000,
        "sleep_uw": 12_000_000,
        "wake_uw": 12_000_000,
        "refresh_uw": 12_000_000,
        "low_power": {
            "power_uw": 1_200_000,
            "sleep_time_ps": 3_000_000,
            "wake_time_ps": 4_000_000,
            "early_wake_time_ps": 4_000_000,
            "quiet_time_ps": 0,
            "refresh_time_ps": 0,
        },
        "data_in_sleep": "at_once",
        "threshold_ps": 50_000_000,
        "linger_ps": 0,
        "slowdown_ppm": 10_000,
        "bound": "program",
        "wake_frames": "all_at_once",
        "frame_bytes": 64,
        "wake_frames_from": "ranks_and_queues",
    }
    assert platform.config()["wake_cost_ps"] == 50_000


def test_a_key_without_effect_is_told_with_its_line() -> None:
    early = STAR + CUSTOM + 'early_wake_time = "5 us"\n'
    line = early.count("\n")
    told = parse_platform(early + 'data_in_sleep = "at_once"\n', "platform.toml")
    assert told.warnings == (
        f"platform.toml:{line}: link_power.early_wake_time: "
        'has no effect with data_in_sleep = "at_once"',
    )
    assert not parse_platform(early, "platform.toml").warnings
    at_once = parse_platform(STAR + '[link_power]\npreset = "matsuyama18"\n', "platform.toml")
    assert not at_once.warnings, "only what the file says"


def test_what_a_file_says_goes_before_its_preset() -> None:
    text = '[link_power]\npreset = "10GBASE-T"\npower_on = "4 W"\nslowdown = "0.5 %"\n'
    spec = parse(STAR + text).network_spec()["link_power"]
    assert spec["on_uw"] == spec["refresh_uw"] == 4_000_000
    assert spec["slowdown_ppm"] == 5_000
    assert spec["low_power"]["early_wake_time_ps"] == 7_360_000
    assert spec["policy"] == "always_on"
    assert spec["linger_ps"] == 1_000_000


def test_two_modes() -> None:
    spec = parse(STAR + '[link_power]\npreset = "dual"\n').network_spec()["link_power"]
    assert spec["low_power"]["power_uw"] == 700_000
    assert spec["deep"]["power_uw"] == 100_000
    assert spec["deep"]["early_wake_time_ps"] == 5_500_000
    assert spec["deep_after_ps"] == 10_000_000
    single = parse(STAR + CUSTOM).network_spec()["link_power"]
    assert "deep" not in single


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("policy", list(POLICIES))
def test_the_core_takes_every_preset_and_policy(preset: str, policy: str) -> None:
    text = f'{STAR}[link_power]\npreset = "{preset}"\npolicy = "{policy}"\n'
    assert _core.Network(parse(text).network_spec()).hosts == 4


def test_command_line_files_and_core_know_the_same_policies() -> None:
    assert [policy.value for policy in LinkPolicy] == list(POLICIES)
    assert _core.link_policies() == list(POLICIES)


@pytest.mark.parametrize(
    ("line", "key", "message"),
    [
        ('wake_time = "-1 us"', "link_power.wake_time", "must be at least 0 ns"),
        ('power_low = "3 W"', "link_power.power_low", "3 W, is above an active link's, 2 W"),
        ('early_wake_time = "1 us"', "link_power.early_wake_time", "less than wake_time, 2 µs"),
        ('refresh_time = "1 us"', "link_power.refresh_time", "needs a quiet_time"),
        ('policy = "sometimes"', "link_power.policy", 'expected one of "always_on"'),
        (
            'deep_power = "1 W"',
            "link_power.deep_power",
            'applies only with link_power.modes = "dual"',
        ),
        ('slowdown = "101 %"', "link_power.slowdown", "must be at most 100 %"),
    ],
)
def test_values_that_cannot_be(line: str, key: str, message: str) -> None:
    name = line.split(" ")[0]
    kept = [given for given in CUSTOM.splitlines() if not given.startswith(f"{name} ")]
    text = STAR + "\n".join([*kept, line]) + "\n"
    (problem,) = problems(text)
    assert problem[0] == len(text.splitlines())
    assert problem[1] == key
    assert message in problem[2]


def test_a_custom_link_says_everything() -> None:
    found = problems(STAR + '[link_power]\npreset = "custom"\n')
    missing = ["power_on", "power_low", "sleep_time", "wake_time"]
    assert sorted(problem[1] for problem in found) == sorted(f"link_power.{n}" for n in missing)
    assert all("missing in [link_power]" in problem[2] for problem in found)


def test_a_policy_from_outside() -> None:
    text = STAR + '[link_power]\npreset = "matsuyama18"\npolicy = "on_off"\n'
    assert parse_platform(text, "x.toml", "ideal")["link_power.policy"] == "ideal"
    with pytest.raises(PlatformError, match=r"x.toml: its links have no power model"):
        parse_platform(STAR, "x.toml", "ideal")
