"""[mpi.matching]: sums of the models' components, compared with the paper's numbers."""

from __future__ import annotations

import pytest
from platform_texts import STAR, parse, problems

from kumihimo import _core
from kumihimo.platform import Platform
from kumihimo.platform.schema.matching import MATCHERS

# Heads in pinned memory of the host, 64 B apart, that no cache or prefetching helps to read.
_EACH_A_MISS = (
    'unexpected = { compare = "7.8 ns", latency = "100 ns", access_size = "64 B" }\n'
    'posted = { compare = "7.8 ns" }\n'
)
# The same in order, with neighbouring lines and prefetching.
_IN_ORDER = (
    'unexpected = { compare = "7.8 ns", latency = "100 ns", cached_latency = "7 ns", '
    'access_size = "128 B", prefetch = "next" }\nposted = { compare = "7.8 ns" }\n'
)


def model(name: str, more: str = "") -> Platform:
    return parse(f'{STAR}[mpi.matching]\nmodel = "{name}"\n{more}')


def search_ns(platform: Platform, searched: int, queue: str = "unexpected") -> float:
    return _core.search_ps(platform.config(), queue, searched) / 1000


def slope_ns(platform: Platform, entries: int = 256) -> float:
    """Return the time of each entry more, as the paper reads it off its lines."""
    return (search_ns(platform, entries + 1) - search_ns(platform, 1)) / entries


def test_without_it_there_are_lists() -> None:
    platform = parse(STAR + '[mpi]\nmatch_cost = "13 ns"\n')
    assert "matching" not in platform.config()
    assert search_ns(platform, 7) == 91
    assert "mpi.matching.model" not in platform.canonical()


def test_the_papers_times_for_each_message() -> None:
    assert slope_ns(model("dimmnet2")) == pytest.approx(634)
    assert slope_ns(model("lhs")) == pytest.approx(14.8)
    assert slope_ns(model("elan4")) == pytest.approx(100)


def test_the_papers_ratios() -> None:
    without, with_heads = slope_ns(model("dimmnet2")), slope_ns(model("lhs"))
    assert round(without / with_heads) == 43
    assert round(slope_ns(model("elan4")) / with_heads, 1) == 6.8


def test_the_papers_parts_of_the_ratio() -> None:
    """About 6 from the slow memory, about 7 from the cache: and nothing is left over."""
    without, with_heads = slope_ns(model("dimmnet2")), slope_ns(model("lhs"))
    missed = slope_ns(model("custom", _EACH_A_MISS))
    assert round(without / missed) == 6
    assert round(missed / with_heads) == 7


def test_an_ordinary_interface_with_its_heads_in_host_memory() -> None:
    missed = slope_ns(model("custom", _EACH_A_MISS))
    assert round(missed / slope_ns(model("custom", _IN_ORDER))) == 7


def test_the_first_head_is_not_in_the_cache() -> None:
    """The paper's measurement at depth 0: about 100 ns."""
    assert search_ns(model("lhs"), 1) == pytest.approx(107.8)


def test_cells_have_a_cliff_and_a_buffer_of_heads_has_a_step() -> None:
    cells, heads = model("alpu"), model("lhs")
    assert search_ns(cells, 1) == search_ns(cells, 256) == 14
    assert search_ns(cells, 1256) == 14 + 1000 * 100
    assert search_ns(heads, 513) - search_ns(heads, 512) == pytest.approx(634)


def test_only_long_payloads_are_fetched() -> None:
    assert _core_payload(model("lhs")) == (64, 16, 626_200)
    assert _core_payload(model("dimmnet2")) == (16, 16, 626_200)


def _core_payload(platform: Platform) -> tuple[int, int, int]:
    matching = platform.config()["matching"]
    entry = matching["unexpected"]["entry_bytes"]
    return entry, matching["envelope_bytes"], matching["body_latency_ps"]


@pytest.mark.parametrize("name", MATCHERS)
def test_components_can_be_changed(name: str) -> None:
    changed = model(name, 'unexpected = { search_cost = "1 us" }\n')
    said = search_ns(model(name), 0)
    assert search_ns(changed, 0) == 1000
    assert said in (0, 30)
    assert changed.canonical() != model(name).canonical()


def test_a_components_place_in_the_file() -> None:
    text = '[mpi.matching.posted]\ncompare = "9 ns"\nwidth = 8\n'
    assert search_ns(model("elan4", text), 17, "posted") == 3 * 9 + 17 * 100


@pytest.mark.parametrize(
    ("lines", "key", "message"),
    [
        ('model = "elan5"', "mpi.matching.model", "expected one of"),
        ('envelope_size = "16 B"', "mpi.matching.envelope_size", "applies only with"),
        ('model = "custom"', "mpi.matching.posted.compare", "missing in [mpi.matching.posted]"),
        ('model = "lhs"\nbody_latency = "2 ms"', "mpi.matching.body_latency", "at most 1 ms"),
        ('model = "lhs"\nposted = { width = 0 }', "mpi.matching.posted.width", "from 1 to"),
        ('model = "lhs"\nlatency = "1 ns"', "mpi.matching.latency", "did you mean"),
        (
            'model = "lhs"\nenvelope_size = "80 B"',
            "mpi.matching.envelope_size",
            "larger than its entry of 64 B",
        ),
        (
            'model = "alpu"\nunexpected = { capacity = 0 }',
            "mpi.matching.unexpected.capacity",
            'or "unlimited"',
        ),
    ],
)
def test_bad_values_are_refused_with_their_line(lines: str, key: str, message: str) -> None:
    text = f"{STAR}[mpi.matching]\n{lines}\n"
    found = problems(text)
    assert found
    line, path, said = found[0]
    assert path == key
    assert message in said
    section = STAR.count("\n") + 1
    missing = message.startswith("missing")
    assert missing or line == section + 1 + lines.count("\n")


def test_the_cost_of_a_list_belongs_to_lists() -> None:
    text = f'{STAR}[mpi]\nmatch_cost = "1 ns"\n[mpi.matching]\nmodel = "lhs"\n'
    ((line, key, message),) = problems(text)
    assert line == STAR.count("\n") + 2
    assert key == "mpi.match_cost"
    assert 'applies only with mpi.matching.model = "list"' in message


def test_the_core_refuses_what_cannot_be() -> None:
    config = model("lhs").config()
    with pytest.raises(ValueError, match="queue must be"):
        _core.search_ps(config, "both", 1)
    config["matching"]["unexpected"]["entry_bytes"] = 8
    with pytest.raises(ValueError, match="envelope_bytes"):
        _core.search_ps(config, "unexpected", 1)
