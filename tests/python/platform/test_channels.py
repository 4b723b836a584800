"""[link.channel]: bandwidth and latency that follow from symbols and error correction."""

from __future__ import annotations

from pathlib import Path

import pytest
from platform_texts import PLATFORMS, parse, problems

from kumihimo import _core
from kumihimo.approx import Channel
from kumihimo.platform import load_platform
from kumihimo.platform.model import parse_platform
from kumihimo.platform.network import build_network
from kumihimo.platform.schema.channel import FEC_CODES, MODULATIONS, rate_bps
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
    codes = {name: (code.word, code.data, 100_000) for name, code in FEC_CODES.items()}
    assert _core.channel_fec_codes() == codes
    latency = parse(STAR + LINK + QAM + 'fec = "rs544"\n')["link.channel.fec_latency"]
    assert {code[2] for code in _core.channel_fec_codes().values()} == {latency}


def test_without_it_nothing_changes() -> None:
    plain = parse(STAR + LINK + 'bandwidth = "5 Gb/s"\n')
    said = parse(STAR + LINK + 'bandwidth = "5 Gb/s"\n[link.channel]\nmodulation = "none"\n')
    assert plain.network_spec() == said.network_spec()
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
    links = platform.network_spec()["host_link"]
    assert links == {"bandwidth_bps": gbps * 10**9, "latency_ps": 25_000}


def test_fec_takes_bandwidth_and_time_at_every_link() -> None:
    text = STAR + LINK + QAM.replace('"25 GBd"', '"53.125 GBd"').replace("qam1024", "pam4")
    platform = parse(text + 'fec = "rs544"\n')
    rate = 53_125_000_000 * 4 * 2 * 514 // 544
    assert platform["link.bandwidth"] == rate
    network = build_network(platform)
    plain = build_network(parse(text))
    # Two links, and nothing to carry but time.
    assert network.zero_load_ps(0, 1, 0) == 2 * (25_000 + 100_000)
    assert plain.zero_load_ps(0, 1, 0) == 2 * 25_000
    # One packet in cut-through is serialised once: 8 n / rate, rounded up.
    size = 544_000
    assert network.zero_load_ps(0, 1, size) - 250_000 == -(-8 * size * 10**12 // rate)
    assert plain.zero_load_ps(0, 1, size) - 50_000 == 8 * size * 10**12 // 425_000_000_000


def test_the_latency_of_fec_can_be_said_and_counts() -> None:
    text = STAR + LINK + QAM + 'fec = "rs528"\n'
    said = parse(text + 'fec_latency = "60 ns"\n')
    assert said.network_spec()["host_link"]["latency_ps"] == 85_000
    assert said.canonical() != parse(text).canonical()


def test_classes_of_links_are_as_those_at_hosts_unless_they_say() -> None:
    text = DRAGONFLY + LINK + QAM + 'fec = "rs528"\n'
    spec = parse(text).network_spec()
    assert spec["host_link"] == spec["local"] == spec["global"]
    other = '[global.channel]\nmodulation = "pam4"\nfec = "none"\n'
    spec = parse(text + other).network_spec()
    assert spec["host_link"] == spec["local"]
    assert spec["global"] == {"bandwidth_bps": 200 * 10**9, "latency_ps": 25_000}


def test_a_class_may_have_a_channel_alone() -> None:
    text = DRAGONFLY + LINK + 'bandwidth = "5 Gb/s"\n' + QAM.replace("link", "global")
    spec = parse(text).network_spec()
    assert spec["host_link"]["bandwidth_bps"] == spec["local"]["bandwidth_bps"] == 5 * 10**9
    assert spec["global"]["bandwidth_bps"] == 10**12
    without_rate = "".join(line for line in text.splitlines(True) if "symbol_rate" not in line)
    found = problems(without_rate)
    assert [(key, message[:29]) for _, key, message in found] == [
        ("global.channel.symbol_rate", "missing in [global.channel]; ")
    ]


def test_a_bandwidth_below_the_channels_goes_on_to_like_links() -> None:
    text = DRAGONFLY + LINK + 'bandwidth = "900 Gb/s"\n' + QAM
    spec = parse(text).network_spec()
    rates = {spec[name]["bandwidth_bps"] for name in ("host_link", "local", "global")}
    assert rates == {900 * 10**9}


def test_a_list_of_latencies_has_that_of_fec_in_each() -> None:
    spec = parse(
        TORUS + LINK + QAM + 'fec = "rs528"\n[switch_link]\nlatency = ["10 ns", "20 ns"]\n'
    ).network_spec()
    assert spec["switch_link"]["latency_ps"] == (110_000, 120_000)


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
    corrected = text.replace("1.001 Tb/s", "980 Gb/s") + 'fec = "rs528"\n'
    ((_, key, message),) = problems(corrected)
    assert key == "link.bandwidth"
    assert message.endswith("x 514/528 = 973.484848484 Gb/s")
    several = TORUS + LINK + QAM + '[switch_link]\nbandwidth = ["1 Tb/s", "2 Tb/s"]\n'
    assert [key for _, key, _ in problems(several)] == ["switch_link.bandwidth"]


@pytest.mark.parametrize(
    ("change", "key", "message"),
    [
        (('"qam1024"', '"qam512"'), "link.channel.modulation", 'found "qam512"'),
        (("25 GBd", "25 Gb/s"), "link.channel.symbol_rate", 'unknown unit "Gb/s"'),
        (("lanes = 4", "lanes = 0"), "link.channel.lanes", "found 0"),
        (
            ("lanes = 4", 'fec_latency = "1 ns"'),
            "link.channel.fec_latency",
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
    modulation, fec = ("nrz", "rs528") if lanes == 1 else ("qam1024", "none")
    channel = (
        f'[link.channel]\nmodulation = "{modulation}"\nsymbol_rate = "{symbol_rate}"\n'
        f'lanes = {lanes}\nfec = "{fec}"\n'
    )
    ((_, key, message),) = problems(STAR + LINK + channel)
    assert key.startswith("link.channel.")
    assert "expected from 1 b/s to 1000 Tb/s" in message
    assert RATE.format(rate_bps(modulation, SYMBOL_RATE.parse(symbol_rate), lanes, fec)) in (
        message
    )


def test_the_rate_is_rounded_down() -> None:
    assert rate_bps("nrz", 529, 1, "rs528") == 529 * 514 // 528


NOISY = QAM + "bit_error_rate = 1e-5\n"


def test_noise_is_of_each_link_of_a_path() -> None:
    network = build_network(parse(DRAGONFLY + LINK + NOISY))
    path = network.route(0, 2)
    hops = network.noisy_hops(0, 2)
    assert [hop["link"] for hop in hops] == list(path)
    assert [hop["hop"] for hop in hops] == list(range(len(path)))
    assert {hop["modulation"] for hop in hops} == {"qam1024"}
    assert all(abs(hop["bit_error_rate"] / 1e-5 - 1) < 1e-6 for hop in hops)
    assert network.noisy_hops(1, 1) == []


def test_a_ratio_is_the_noise_of_a_rate() -> None:
    text = DRAGONFLY + LINK + QAM + 'snr = "37.47 dB"\nmapping = "important_first"\n'
    hop = build_network(parse(text)).noisy_hops(0, 1)[0]
    # spec: 37.47 dB of 1024-QAM is a bit error rate of 1e-5.
    assert abs(hop["bit_error_rate"] / 1e-5 - 1) < 0.01
    assert hop["mapping"] == "important_first"
    assert hop["can_protect"] is True


def test_classes_may_be_exact_or_have_noise_of_their_own() -> None:
    corrected = '[local.channel]\nfec = "rs528"\n'
    levels = '[global.channel]\nmodulation = "nrz"\nbit_error_rate = 1e-3\n'
    network = build_network(parse(DRAGONFLY + LINK + NOISY + corrected + levels))
    assert [hop["hop"] for hop in network.noisy_hops(0, 1)] == [0, 2]
    over = {hop["modulation"]: hop["can_protect"] for hop in network.noisy_hops(0, 2)}
    assert over == {"qam1024": True, "nrz": False}


def test_switch_links_of_each_dimension_and_edges_of_a_graph_have_it(tmp_path: Path) -> None:
    switch_link = '[switch_link]\nlatency = ["1 ns", "2 ns"]\n'
    network = build_network(parse(TORUS + LINK + NOISY + switch_link))
    assert len(network.noisy_hops(0, 4)) == len(network.route(0, 4)) == 4
    (tmp_path / "two.json").write_text(
        '{"nodes": [{"id": 0, "kind": "host"}, {"id": 1, "kind": "host"}],'
        ' "links": [{"source": 0, "target": 1}]}'
    )
    text = '[topology]\nkind = "graph"\nfile = "two.json"\n[node]\nspeed = "1 Gflop/s"\n'
    platform = parse_platform(text + LINK + NOISY, str(tmp_path / "two.toml"))
    assert len(build_network(platform).noisy_hops(0, 1)) == 1


def test_noise_belongs_to_the_platform_and_its_absence_does_not() -> None:
    quiet, said = parse(STAR + LINK + QAM), parse(STAR + LINK + QAM + 'snr = "none"\n')
    noisy = parse(STAR + LINK + NOISY)
    assert quiet.canonical() == said.canonical()
    assert not any("channel" in path for path in quiet.canonical())
    assert quiet.canonical() != noisy.canonical()
    other = parse(STAR + LINK + NOISY.replace("1e-5", "2e-5"))
    assert noisy.canonical() != other.canonical()
    assert noisy.settings["link.channel.bit_error_rate"].text == "1e-05"


@pytest.mark.parametrize(
    ("lines", "key", "message"),
    [
        ("bit_error_rate = 0.2\n", "bit_error_rate", "expected a number from 1e-15 to 0.1"),
        ('bit_error_rate = "1e-5"\n', "bit_error_rate", 'or "none", found the text "1e-5"'),
        ("bit_error_rate = 1.5e-18\n", "bit_error_rate", "expected a number from 1e-15"),
        ("bit_error_rate = 1.00001e-14\n", "bit_error_rate", "not a whole number of 10^-18"),
        ("snr = 30\n", "snr", "the number 30 has no unit"),
        ('snr = "0 dB"\n', "snr", "must be at least 1 dB"),
        ('snr = "30 dB"\nbit_error_rate = 1e-5\n', "snr", "either snr or bit_error_rate"),
        ('mapping = "random"\n', "mapping", 'expected one of "in_order", "important_first"'),
        ('fec = "rs528"\nbit_error_rate = 1e-5\n', "bit_error_rate", "applies only with"),
    ],
)
def test_impossible_noise_is_refused_with_its_line(lines: str, key: str, message: str) -> None:
    text = STAR + LINK + QAM + lines
    ((line, path, said),) = problems(text)
    assert path == f"link.channel.{key}"
    assert message in said
    assert text.splitlines()[line - 1].startswith(key)


@pytest.mark.parametrize(
    ("noise", "wrong"),
    [
        ("bit_error_rate = 5e-5\n", ""),
        ("bit_error_rate = 1e-4\n", "5.3e+11"),
        ("bit_error_rate = 1e-3\n", "9.0e+07"),
        ('snr = "37 dB"\n', ""),
        ('snr = "36 dB"\n', "2.4e+11"),
    ],
)
def test_noise_that_corrupts_protected_bits_is_warned_of(noise: str, wrong: str) -> None:
    platform = parse(STAR + LINK + QAM + noise)
    if not wrong:
        assert platform.warnings == ()
        return
    [warning] = platform.warnings
    key = noise.partition(" ")[0]
    assert warning.startswith(f"platform.toml:12: link.channel.{key}: one protected bit in {wrong}")
    channel = Channel("qam1024", bit_error_rate=1e-3)
    assert max(channel.protected_bit_error_rates) == pytest.approx(1 / 9.0e7, rel=0.01)


def test_levels_that_protect_nothing_are_not_warned_of() -> None:
    assert (
        parse(STAR + LINK + QAM.replace("qam1024", "nrz") + "bit_error_rate = 0.1\n").warnings == ()
    )


@pytest.mark.parametrize("modulation", MODULATIONS)
def test_the_strongest_noise_is_taken(modulation: str) -> None:
    parse(STAR + LINK + QAM.replace("qam1024", modulation) + "bit_error_rate = 0.1\n")


def test_a_class_that_inherits_a_rate_takes_no_ratio_besides() -> None:
    text = DRAGONFLY + LINK + NOISY + '[global.channel]\nsnr = "30 dB"\n'
    ((_, path, said),) = problems(text)
    assert path == "global.channel.snr"
    assert 'say "none" for the other' in said
    parse(text + 'bit_error_rate = "none"\n')


@pytest.mark.parametrize(
    ("name", "latency_ns", "rate"),
    [
        ("dragonfly256", 365, 100 * 10**9),
        ("dragonfly256-fec", 765, 10**12),
        ("dragonfly256-approximate", 365, 10**12),
    ],
)
def test_the_three_networks_of_the_study(name: str, latency_ns: int, rate: int) -> None:
    platform = load_platform(PLATFORMS / f"{name}.toml")
    network = build_network(platform)
    assert (network.hosts, network.switches) == (256, 256)
    times = {len(network.route(0, host)): network.zero_load_ps(0, host, 0) for host in range(256)}
    # Host, switch to gateway, to the other group, to the target's switch, host: four switches.
    assert max(times) == 5
    assert times[5] == latency_ns * 1000
    assert {link["bandwidth_bps"] for link in network.links} == {rate}
    noisy = name == "dragonfly256-approximate"
    assert len(network.noisy_hops(0, 255)) == (len(network.route(0, 255)) if noisy else 0)
