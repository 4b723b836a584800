"""Which links are shown as the busiest."""

from __future__ import annotations

from typing import Any

from kumihimo.results.busy_links import (
    busiest_by_kind,
    busiest_link,
    busiest_link_name,
    busiest_links,
)


def document(links: list[tuple[str, str, int]], **topology: object) -> dict[str, Any]:
    rows = [
        {"link": number, "name": f"{source}->{target}", "source": source, "target": target,
         "busy_ps": busy}
        for number, (source, target, busy) in enumerate(links)
    ]  # fmt: skip
    platform = {f"topology.{key}": value for key, value in topology.items()}
    return {"per_link": rows, "configuration": {"platform": platform}}


HOSTS = [(f"host{number}", "switch0", 50) for number in range(12)]


def test_hosts_that_are_all_as_busy_leave_room_for_links_between_switches() -> None:
    up = [("switch0", "switch4", 40), ("switch4", "switch0", 30), ("switch1", "switch4", 20)]
    groups = busiest_by_kind(document(HOSTS + up, kind="tree"), 5)
    assert [(group.kind, len(group.links), group.ties) for group in groups] == [
        ("host", 3, 9),
        ("switch", 2, 0),
    ]
    assert groups[0].tie_note == "and 9 more host links, busy as long as the last"
    assert groups[1].tie_note is None
    names = [link["name"] for link in groups[1].links]
    assert names == ["switch0->switch4", "switch4->switch0"]


def test_links_of_a_dragonfly_lie_within_groups_or_between_them() -> None:
    links = [("switch0", "switch1", 10), ("switch1", "switch2", 60), ("switch2", "switch1", 60)]
    groups = busiest_by_kind(document(HOSTS + links, kind="dragonfly", switches_per_group=2), 3)
    assert [(group.kind, group.links[0]["name"], group.ties) for group in groups] == [
        ("global", "switch1->switch2", 1),
        ("host", "host0->switch0", 11),
        ("local", "switch0->switch1", 0),
    ]
    assert groups[0].tie_note == "and 1 more global link, busy as long as the last"


def test_what_one_kind_does_not_fill_is_for_the_others() -> None:
    links = [("switch0", "switch4", 10), *HOSTS]
    assert len(busiest_links(document(links, kind="tree"), 8)) == 8
    assert [link["name"] for link in busiest_links(document(HOSTS, kind="star"), 2)] == [
        "host0->switch0",
        "host1->switch0",
    ]


def test_the_busiest_of_all() -> None:
    found = busiest_link(document(HOSTS))
    assert found is not None
    assert busiest_link_name(*found) == "host0->switch0 and 11 more"
    assert busiest_link_name(found[0], 0) == "host0->switch0"
    assert busiest_link(document([])) is None
    assert busiest_by_kind(document([]), 5) == []
