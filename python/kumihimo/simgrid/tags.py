"""The elements that platform files of SimGrid may have, with their attributes.

What stands here as without counterpart is named in a warning when a file has it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# Earlier names of elements.
ALIASES: Mapping[str, str] = {
    "AS": "zone",
    "ASroute": "zoneRoute",
    "bypassASroute": "bypassZoneRoute",
    "process": "actor",
}

# Elements that change nothing here, with what they are about.
WITHOUT_COUNTERPART: Mapping[str, str] = {
    "actor": "programs are named on the command line",
    "config": "SimGrid's own settings are not used",
    "disk": "storage is not simulated",
    "include": "SimGrid itself reads no included files any more",
    "mount": "storage is not simulated",
    "prop": "properties are not used",
    "random": "SimGrid itself ignores it",
    "storage": "storage is not simulated",
    "storage_type": "storage is not simulated",
    "trace": "rates and latencies do not change over time",
    "trace_connect": "rates and latencies do not change over time",
}

_PROFILE = "rates, speeds and states do not change over time"


@dataclass(frozen=True)
class Tag:
    """An element that is read.

    Attributes:
        required: Attributes that it must have.
        optional: Attributes that it may have, with what holds without them.
        ignored: Attributes without counterpart, with the reason.
        children: The elements that it may have inside, besides those without counterpart.
    """

    required: tuple[str, ...]
    optional: Mapping[str, str] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    children: tuple[str, ...] = ()


_ZONE_CHILDREN = (
    *("zone", "cluster", "cabinet", "peer", "host", "router", "link", "backbone", "host_link"),
    *("route", "zoneRoute", "bypassRoute", "bypassZoneRoute"),
)
_ROUTE = {"symmetrical": "YES"}

TAGS: Mapping[str, Tag] = {
    "platform": Tag(("version",), children=("zone", "cluster", "cabinet", "peer")),
    "zone": Tag(("id", "routing"), children=_ZONE_CHILDREN),
    "host": Tag(
        ("id", "speed"),
        {"core": "1", "coordinates": "", "pstate": "0"},
        dict.fromkeys(("speed_file", "availability_file", "state_file"), _PROFILE),
    ),
    "router": Tag(("id",), {"coordinates": ""}),
    "link": Tag(
        ("id", "bandwidth"),
        {"latency": "0", "sharing_policy": "SHARED"},
        dict.fromkeys(("bandwidth_file", "latency_file", "state_file"), _PROFILE),
    ),
    "backbone": Tag(("id", "bandwidth", "latency")),
    "host_link": Tag(("id", "up", "down")),
    "cabinet": Tag(("id", "prefix", "suffix", "radical", "speed", "bw", "lat")),
    "peer": Tag(
        ("id", "speed", "bw_in", "bw_out", "coordinates"),
        {"lat": "0"},
        dict.fromkeys(("speed_file", "availability_file", "state_file"), _PROFILE),
    ),
    "cluster": Tag(
        ("id", "prefix", "suffix", "radical", "speed", "bw", "lat"),
        {
            "core": "1",
            "sharing_policy": "SPLITDUPLEX",
            "topology": "FLAT",
            "topo_parameters": "",
            "bb_bw": "",
            "bb_lat": "0s",
            "bb_sharing_policy": "SHARED",
            "router_id": "",
            "limiter_link": "",
            "loopback_bw": "",
            "loopback_lat": "",
        },
    ),
    "route": Tag(("src", "dst"), _ROUTE, children=("link_ctn",)),
    "zoneRoute": Tag(("src", "dst", "gw_src", "gw_dst"), _ROUTE, children=("link_ctn",)),
    "bypassRoute": Tag(("src", "dst"), children=("link_ctn",)),
    "bypassZoneRoute": Tag(("src", "dst", "gw_src", "gw_dst"), children=("link_ctn",)),
    "link_ctn": Tag(("id",), {"direction": "NONE"}),
}
