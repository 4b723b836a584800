"""The computer as MPI libraries see it: one core, whatever the host has."""

from __future__ import annotations

from pathlib import Path

_ONE = 'cpuset="0x00000001" complete_cpuset="0x00000001"'
_NODE = 'nodeset="0x00000001" complete_nodeset="0x00000001"'

# In hwloc's XML format, version 2.
_ONE_CORE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" os_index="0" {_ONE} allowed_cpuset="0x00000001" {_NODE}
   allowed_nodeset="0x00000001" gp_index="1">
    <object type="NUMANode" os_index="0" {_ONE} {_NODE} gp_index="3" local_memory="1073741824"/>
    <object type="PU" os_index="0" {_ONE} {_NODE} gp_index="2"/>
  </object>
</topology>
"""


def write_topology(folder: Path) -> Path:
    """Write the topology file into `folder` and return its path."""
    path = folder / "topology.xml"
    path.write_text(_ONE_CORE)
    return path
