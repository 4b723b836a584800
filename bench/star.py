"""One platform in two languages: a star for Kumihimo (TOML) and for SimGrid (XML)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

_TOML = """name = "star{hosts}"
[topology]
kind = "star"
hosts = {hosts}
[link]
bandwidth = "{gigabytes_per_s} GB/s"
latency = "{latency_ns} ns"
[network]
packet_size = "message"
[node]
speed = "10 Gflop/s"
"""
_XML = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="star" prefix="host" suffix="" radical="0-{last}" speed="10Gf"
           bw="{gigabytes_per_s}GBps" lat="{latency_ns}ns" sharing_policy="SPLITDUPLEX"/>
</platform>
"""


@dataclass(frozen=True)
class Star:
    """Hosts at one switch, each by a link of its own in both directions."""

    hosts: int
    gigabytes_per_s: float = 12.5
    latency_ns: int = 500

    def write_toml(self, folder: Path) -> Path:
        """Write Kumihimo's platform file; return its path."""
        path = folder / f"star{self.hosts}.toml"
        path.write_text(_TOML.format(**self.__dict__))
        return path

    def write_xml(self, folder: Path) -> tuple[Path, Path]:
        """Write SimGrid's platform file and its list of hosts; return their paths."""
        xml, hosts = folder / f"star{self.hosts}.xml", folder / f"star{self.hosts}.hosts"
        xml.write_text(_XML.format(last=self.hosts - 1, **self.__dict__))
        hosts.write_text("".join(f"host{index}\n" for index in range(self.hosts)))
        return xml, hosts
