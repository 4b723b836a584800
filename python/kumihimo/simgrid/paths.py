"""Paths between members of any zones."""

from __future__ import annotations

from kumihimo.simgrid.scene import Links, Scene, Zone


def path(scene: Scene, source: str, target: str) -> Links | None:
    """Return the links from one host or router to another; None if there is no path.

    Where they lie in different zones, the innermost zone around both says the way from gateway to
    gateway; the rest lies inside the zones of the two.
    """
    if source == target:
        return ()
    zone = scene.zone_of[source]
    if zone is not None and zone is scene.zone_of[target]:
        segment = zone.segment(source, target)
        return None if segment is None else segment.links
    return _between_zones(scene, source, target)


def _between_zones(scene: Scene, source: str, target: str) -> Links | None:
    above_source, above_target = _lineage(scene, source), _lineage(scene, target)
    # From the outermost zone inwards, as far as both are in the same one.
    depth = 1
    for here, there in zip(above_source[1:], above_target[1:], strict=False):
        if here is not there:
            break
        depth += 1
    ends = [
        above[depth].name if len(above) > depth else member
        for above, member in ((above_source, source), (above_target, target))
    ]
    segment = above_source[depth - 1].segment(ends[0], ends[1])
    if segment is None or segment.gateways is None:
        return None if segment is None else segment.links
    first, last = segment.gateways
    before, after = _within(scene, source, first), _within(scene, last, target)
    if before is None or after is None:
        return None
    return (*before, *segment.links, *after)


def _within(scene: Scene, source: str, target: str) -> Links | None:
    """Return a way to or from a gateway; these are asked for once for every host elsewhere."""
    ends = source, target
    if ends not in scene.ways:
        scene.ways[ends] = path(scene, source, target)
    return scene.ways[ends]


def _lineage(scene: Scene, member: str) -> list[Zone]:
    """Return the zones around a member, outermost first."""
    known = scene.lineages.get(member)
    if known is None:
        known = scene.lineages[member] = []
        zone = scene.zone_of[member]
        while zone is not None:
            known.insert(0, zone)
            zone = zone.parent
    return known
