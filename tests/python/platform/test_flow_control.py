"""Finite buffers and non-minimal routes: their keys, what is refused, and what reaches the core."""

import pytest
from platform_texts import parse, problems

from kumihimo.platform.network import build_network
from kumihimo.platform.overview import as_json, examine, network_lines

HEAD = """\
[topology]
{topology}
[link]
bandwidth = "8 Gb/s"
latency = "100 ns"
[node]
speed = "1 Gflop/s"
[network]
{network}
"""
TORUS = 'kind = "torus"\nsizes = [4, 4]\nhosts_per_switch = 1'
MESH = 'kind = "mesh"\nsizes = [4, 4]\nhosts_per_switch = 1'
DRAGONFLY = (
    'kind = "dragonfly"\ngroups = 5\nswitches_per_group = 2\nglobal_links_per_switch = 2\n'
    "hosts_per_switch = 1"
)
CREDITS = 'flow_control = "credits"\npacket_size = "1 KiB"\nbuffer = "8 KiB"\n'


def text_of(topology: str, network: str) -> str:
    """A platform file with these two sections."""
    return HEAD.format(topology=topology, network=network)


def messages(topology: str, network: str) -> list[str]:
    """What is wrong with such a file."""
    return [message for _, _, message in problems(text_of(topology, network))]


def test_without_settings_the_core_hears_of_none() -> None:
    spec = parse(text_of(TORUS, "")).network_spec()
    assert "buffers" not in spec
    assert "routing" not in spec
    assert build_network(parse(text_of(TORUS, ""))).virtual_channels == 0


def test_buffers_reach_the_core() -> None:
    spec = parse(text_of(TORUS, CREDITS + 'arbitration = "first_come"')).network_spec()
    assert spec["buffers"] == {"bytes": 8192, "channels": 0, "arbitration": "first_come"}


@pytest.mark.parametrize(
    ("topology", "network", "channels"),
    [
        (TORUS, "", 2),
        (MESH, "", 1),
        (DRAGONFLY, "", 2),
        (DRAGONFLY, 'routing = "ugal"', 3),
        (TORUS, "virtual_channels = 1", 1),
        (MESH, "virtual_channels = 4", 4),
    ],
)
def test_channels_are_as_many_as_the_topology_needs(
    topology: str, network: str, channels: int
) -> None:
    built = build_network(parse(text_of(topology, CREDITS + network)))
    assert built.virtual_channels == channels


def test_channels_are_shown() -> None:
    text = text_of(DRAGONFLY, CREDITS + 'routing = "ugal"')
    overview = examine(parse(text))
    assert ("channels", "3 on each link") in network_lines(overview)
    assert as_json(overview)["network"]["virtual_channels"] == 3
    plain = examine(parse(text_of(DRAGONFLY, "")))
    assert "channels" not in dict(network_lines(plain))
    assert as_json(plain)["network"]["virtual_channels"] == 0


def test_buffers_need_a_size_and_packets() -> None:
    network = 'flow_control = "credits"\npacket_size = "1 KiB"'
    [(_, key, message)] = problems(text_of(TORUS, network))
    assert (key, message) == (
        "network.buffer",
        'missing in [network]; expected a size such as "64 KiB" (units: B, kB, MB, GB, TB, KiB, '
        "MiB, GiB, TiB)",
    )
    assert messages(TORUS, 'flow_control = "credits"\nbuffer = "8 KiB"') == [
        'finite buffers need packets: network.packet_size cannot be "message"'
    ]
    assert messages(TORUS, CREDITS.replace("8 KiB", "1 KiB") + 'packet_header = "1 B"') == [
        "a buffer of 1 KiB has no room for a packet of 1025 B with its header"
    ]


def test_buffers_apply_with_credits_only() -> None:
    [message] = messages(TORUS, 'buffer = "8 KiB"')
    assert 'network.flow_control = "credits"' in message


def test_non_minimal_routes_are_for_dragonflies() -> None:
    assert parse(text_of(DRAGONFLY, 'routing = "valiant"')).network_spec()["routing"] == "valiant"
    [message] = messages(TORUS, 'routing = "valiant"')
    assert 'topology.kind = "dragonfly"' in message
    assert messages(DRAGONFLY, 'routing = "shortest"') == [
        'expected one of "minimal", "valiant", "ugal", found "shortest"'
    ]


def test_a_number_of_channels_may_be_a_word() -> None:
    platform = parse(text_of(TORUS, CREDITS))
    assert platform.settings["network.virtual_channels"].text == "auto"
    assert messages(TORUS, CREDITS + "virtual_channels = 33") == [
        'expected a whole number from 1 to 32 or "auto", found 33'
    ]
    assert messages(TORUS, CREDITS + 'virtual_channels = "many"') == [
        'expected a whole number from 1 to 32 or "auto", found the text "many"'
    ]


def test_the_core_refuses_what_it_cannot_build() -> None:
    core = pytest.importorskip("kumihimo._core")
    spec = parse(text_of(TORUS, CREDITS)).network_spec()
    for wrong, expected in (
        ({**spec, "routing": "ugal"}, "non-minimal routes need the topology dragonfly"),
        ({**spec, "routing": "any"}, "'routing' cannot be 'any'"),
        ({**spec, "packet_bytes": 0}, "finite buffers need a packet size"),
        ({**spec, "buffers": {**spec["buffers"], "channels": 2**32 + 1}}, "not 33"),
    ):
        with pytest.raises(ValueError, match=expected):
            core.Network(wrong)
