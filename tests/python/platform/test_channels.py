"""[link.channel]: bandwidth and latency that follow from symbols and error correction."""

from __future__ import annotations

import pytest
from platform_texts import parse, problems

from kumihimo import _core
from kumihimo.platform.machine import build_machine
from kumihimo.platform.schema.channel import CORRECTIONS, MODULATIONS, rate_bps
from kumihimo.units import RATE, SYMBOL_RATE

STAR = '[topology]\nkind = "star"\nhosts = 4\n[node]\nspeed = "1 Gflop/s"\n'
LINK = '[link]\nlatency = "25 ns"\n'
QAM = '[link.channel]\nmodulation = "qam1024"\nsymbol_rate = "25 GBd"\nlanes = 4\n'
DRAGONFLY = (
    '[topology]\nkind = "dragonfly"\ngroups = 3\nswitches_per_group = 2\n'
    'global_links_per_switch = 1\nhosts_per_switch = 1\n[node]\nspeed = "1 Gflop/s"\n'
)
TORUS = (
    '[topology]\nkind = "torus"\nsizes = [3, 3]\nhosts_per_switch = 1\n'
    '[node]\nspeed = "1 Gflop/s"\n'
)


def test_the_core_knows_the_same_channels() -> None:
    bits = {name: about.bits for name, about in MODULATIONS.items()}
    assert _core.channel_modulations() == bits
    codes = {name: (code.word, code.data, 100_000) for name, code in CORRECTIONS.items()}
    assert _core.channel_corrections() == codes
    latency = parse(STAR + LINK + QAM + 'correction = "rs544"\n')["link.channel.correction_latency"]
    assert {code[2] for code in _core.channel_corrections().values()} == {latency}


def test_without_it_nothing_changes() -> None:
    plain = parse(STAR + LINK + 'bandwidth = "5 Gb/s"\n')
    said = parse(STAR + LINK + 'bandwidth = "5 Gb/s"\n[link.channel]\nmodulation = "none"\n')
    assert plain.machine_spec() == said.machine_spec()
    assert plain.canonical() == said.canonical()
    assert not any("channel" in path for path in plain.canonical())


@pytest.mark.parametrize(
    ("modulation", "gbps"),
    [
        ("nrz", 100),
        ("pam4", 200),
        ("qam16", 400),
        ("qam64", 600),
        ("qam256", 800),
        ("qam1024", 1000),
        ("qam4096", 1200),
    ],
)
def test_bandwidth_follows_from_the_modulation(modulation: str, gbps: int) -> None:
    platform = parse(STAR + LINK + QAM.replace("qam1024", modulation))
    assert platform["link.bandwidth"] == gbps * 10**9
    assert platform.settings["link.bandwidth"].is_default
    assert platform.machine_spec()["link"] == {"bandwidth_bps": gbps * 10**9, "latency_ps": 25_000}


def test_correction_takes_bandwidth_and_time_at_every_link() -> None:
    text = STAR + LINK + QAM.replace('"25 GBd"', '"53.125 GBd"').replace("qam1024", "pam4")
    platform = parse(text + 'correction = "rs544"\n')
    rate = 53_125_000_000 * 4 * 2 * 514 // 544
    assert platform["link.bandwidth"] == rate
    machine = build_machine(platform)
    plain = build_machine(parse(text))
    # Two links, and nothing to carry but time.
    assert machine.zero_load_ps(0, 1, 0) == 2 * (25_000 + 100_000)
    assert plain.zero_load_ps(0, 1, 0) == 2 * 25_000
    # One packet in cut-through is serialised once: 8 n / rate, rounded up.
    size = 544_000
    assert machine.zero_load_ps(0, 1, size) - 250_000 == -(-8 * size * 10**12 // rate)
    assert plain.zero_load_ps(0, 1, size) - 50_000 == 8 * size * 10**12 // 425_000_000_000


def test_the_latency_of_correction_can_be_said_and_counts() -> None:
    text = STAR + LINK + QAM + 'correction = "rs528"\n'
    said = parse(text + 'correction_latency = "60 ns"\n')
    assert said.machine_spec()["link"]["latency_ps"] == 85_000
    assert said.canonical() != parse(text).canonical()


def test_classes_of_links_are_as_those_at_hosts_unless_they_say() -> None:
    text = DRAGONFLY + LINK + QAM + 'correction = "rs528"\n'
    spec = parse(text).machine_spec()
    assert spec["link"] == spec["local"] == spec["global"]
    other = '[global.channel]\nmodulation = "pam4"\ncorrection = "none"\n'
    spec = parse(text + other).machine_spec()
    assert spec["link"] == spec["local"]
    assert spec["global"] == {"bandwidth_bps": 200 * 10**9, "latency_ps": 25_000}


def test_a_class_may_have_a_channel_alone() -> None:
    text = DRAGONFLY + LINK + 'bandwidth = "5 Gb/s"\n' + QAM.replace("link", "global")
    spec = parse(text).machine_spec()
    assert spec["link"]["bandwidth_bps"] == spec["local"]["bandwidth_bps"] == 5 * 10**9
    assert spec["global"]["bandwidth_bps"] == 10**12
    without_rate = "".join(line for line in text.splitlines(True) if "symbol_rate" not in line)
    found = problems(without_rate)
    assert [(key, message[:29]) for _, key, message in found] == [
        ("global.channel.symbol_rate", "missing in [global.channel]; ")
    ]


def test_a_bandwidth_below_the_channels_goes_on_to_like_links() -> None:
    text = DRAGONFLY + LINK + 'bandwidth = "900 Gb/s"\n' + QAM
    spec = parse(text).machine_spec()
    assert {spec[name]["bandwidth_bps"] for name in ("link", "local", "global")} == {900 * 10**9}


def test_a_list_of_latencies_has_the_correction_in_each() -> None:
    spec = parse(
        TORUS + LINK + QAM + 'correction = "rs528"\n[uplink]\nlatency = ["10 ns", "20 ns"]\n'
    ).machine_spec()
    assert spec["uplink"]["latency_ps"] == (110_000, 120_000)


def test_a_rate_above_the_channels_is_refused_with_its_line() -> None:
    text = STAR + LINK + 'bandwidth = "1.001 Tb/s"\n' + QAM
    assert problems(text) == [
        (
            text[: text.index("bandwidth")].count("\n") + 1,
            "link.bandwidth",
            "1.001 Tb/s is more than the channel carries: 25 GBd x 4 (lanes) x 10 (bits of a "
            "symbol) = 1 Tb/s",
        )
    ]
    parse(text.replace("1.001", "1"))
    corrected = text.replace("1.001 Tb/s", "980 Gb/s") + 'correction = "rs528"\n'
    ((_, key, message),) = problems(corrected)
    assert key == "link.bandwidth"
    assert message.endswith("x 514/528 = 973.484848484 Gb/s")
    several = TORUS + LINK + QAM + '[uplink]\nbandwidth = ["1 Tb/s", "2 Tb/s"]\n'
    assert [key for _, key, _ in problems(several)] == ["uplink.bandwidth"]


@pytest.mark.parametrize(
    ("change", "key", "message"),
    [
        (('"qam1024"', '"qam512"'), "link.channel.modulation", 'found "qam512"'),
        (("25 GBd", "25 Gb/s"), "link.channel.symbol_rate", 'unknown unit "Gb/s"'),
        (("lanes = 4", "lanes = 0"), "link.channel.lanes", "found 0"),
        (
            ("lanes = 4", 'correction_latency = "1 ns"'),
            "link.channel.correction_latency",
            "applies only with",
        ),
        (('modulation = "qam1024"\n', ""), "link.channel.symbol_rate", "applies only with"),
    ],
)
def test_what_cannot_be_is_said(change: tuple[str, str], key: str, message: str) -> None:
    found = problems(STAR + LINK + QAM.replace(*change))
    assert any(where == key and message in said for _, where, said in found), found
    # What cannot be known then is not complained about as well.
    if key == "link.channel.modulation" or "lanes = 0" in change or "25 Gb/s" in change:
        assert len(found) == 1


@pytest.mark.parametrize(("symbol_rate", "lanes"), [("1 Bd", 1), ("1 TBd", 101)])
def test_a_channel_carries_what_a_link_may(symbol_rate: str, lanes: int) -> None:
    modulation, correction = ("nrz", "rs528") if lanes == 1 else ("qam1024", "none")
    channel = (
        f'[link.channel]\nmodulation = "{modulation}"\nsymbol_rate = "{symbol_rate}"\n'
        f'lanes = {lanes}\ncorrection = "{correction}"\n'
    )
    ((_, key, message),) = problems(STAR + LINK + channel)
    assert key.startswith("link.channel.")
    assert "expected from 1 b/s to 1000 Tb/s" in message
    assert RATE.format(rate_bps(modulation, SYMBOL_RATE.parse(symbol_rate), lanes, correction)) in (
        message
    )


def test_the_rate_is_rounded_down() -> None:
    assert rate_bps("nrz", 529, 1, "rs528") == 529 * 514 // 528
