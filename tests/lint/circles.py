"""Circles among things of which each uses others."""

from __future__ import annotations

from collections.abc import Mapping, Set


def circle_in(uses: Mapping[str, Set[str]]) -> list[str]:
    """Return things that use each other in a circle, the first one again at the end; or nothing."""
    waiting = {name: set(used) & set(uses) for name, used in uses.items()}
    while waiting:
        done = [name for name, used in waiting.items() if not used & waiting.keys()]
        if not done:
            break
        for name in done:
            del waiting[name]
    if not waiting:
        return []
    # Whatever is left uses something that is left: following that leads into a circle.
    path = [min(waiting)]
    while True:
        after = min(waiting[path[-1]] & waiting.keys())
        if after in path:
            return [*path[path.index(after) :], after]
        path.append(after)
