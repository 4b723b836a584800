"""The host of each rank, as the platform's mapping says."""

from __future__ import annotations

from kumihimo import _core
from kumihimo.errors import UserError
from kumihimo.platform import Platform
from kumihimo.platform.schema.host_list import HostList


def rank_hosts(platform: Platform, hosts: int, ranks: int, seed: int) -> list[int] | None:
    """Return the host of each rank; None if ranks fill one host after another.

    Args:
        platform: Says how.
        hosts: How many the network has.
        ranks: How many the run has; the core complains if they do not fit.
        seed: Of the run; decides a random mapping, by the stream named "mapping".

    Raises:
        UserError: If the platform's file has too few lines, or names a host that is not there.
    """
    per_host = int(platform["node.ranks"])
    kind = platform["mapping.kind"]
    if kind == "block" or ranks > hosts * per_host:
        return None
    if kind == "round_robin":
        return [rank % hosts for rank in range(ranks)]
    if kind == "random":
        places = _core.shuffled(hosts * per_host, seed, "mapping")
        return [place // per_host for place in places[:ranks]]
    listed = platform.attached["mapping.file"]
    assert isinstance(listed, HostList)
    listed.check(hosts)
    if len(listed.hosts) < ranks:
        raise UserError(
            f"{listed.file}: expected the hosts of {ranks} ranks, found {len(listed.hosts)}"
        )
    return list(listed.hosts[:ranks])
