"""A result, with its tables read when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True)
class Run:
    """A result, either loaded from its folder or not yet written (`directory` is None).

    Attributes:
        document: The contents of `result.json`.
        host: The contents of `host.json`; empty if the folder has none.
        directory: The result folder.
    """

    document: Mapping[str, Any]
    host: Mapping[str, Any]
    directory: Path | None

    @property
    def is_complete(self) -> bool:
        """Whether all ranks came to their end."""
        return bool(self.document["status"] == "complete")

    @property
    def virtual_time_ps(self) -> int:
        """Virtual time, from when all ranks had left MPI_Init to the end of the last one."""
        return int(self.document["virtual_time_ps"])

    def has_table(self, name: str) -> bool:
        """Whether the folder holds the table `name` ("messages", "states", "links", ...)."""
        return self.directory is not None and self.table_path(name).is_file()

    def table_path(self, name: str) -> Path:
        """Return where the table `name` is, or would be, on disk."""
        if self.directory is None:
            raise ValueError("this result was not written to a folder")
        return self.directory / f"{name}.parquet"

    @cached_property
    def messages(self) -> pyarrow.Table:
        """One row per message in the network, in the order of arrival."""
        return self._read("messages")

    @cached_property
    def states(self) -> pyarrow.Table:
        """One row per stretch of a rank's virtual time."""
        return self._read("states")

    @cached_property
    def links(self) -> pyarrow.Table:
        """One row per directed link of the network, idle ones included."""
        return self._read("links")

    @cached_property
    def link_use(self) -> pyarrow.Table:
        """One row per link and bin of virtual time in which the link was busy."""
        return self._read("link_use")

    @cached_property
    def ranks(self) -> pyarrow.Table:
        """One row per rank."""
        return self._read("ranks")

    @cached_property
    def matching(self) -> pyarrow.Table:
        """One row per rank with what matching did there; not of replays of very many ranks."""
        return self._read("matching")

    @cached_property
    def queue_depths(self) -> pyarrow.Table:
        """One row per rank and stretch of virtual time, with the most entries in its queues."""
        return self._read("queue_depths")

    @cached_property
    def call_sites(self) -> pyarrow.Table:
        """One row per place of the program that calls an MPI function, if calls were profiled."""
        return self._read("call_sites")

    @cached_property
    def service_memory(self) -> pyarrow.Table:
        """One row per change of a rank's connections or memory, if the platform has a service."""
        return self._read("service_memory")

    @cached_property
    def service_traffic(self) -> pyarrow.Table:
        """One row per pair of ranks on different hosts, if the platform has a service."""
        return self._read("service_traffic")

    def _read(self, name: str) -> pyarrow.Table:
        from kumihimo.results.parquet import read_table

        return read_table(self.table_path(name))
