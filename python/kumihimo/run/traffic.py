"""What each rank is going to send to each other one: of an earlier run, for an oracle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kumihimo import results
from kumihimo.errors import UserError
from kumihimo.platform import Platform
from kumihimo.platform.schema.service import KIND_PATH, MTU_PATH, ORACLE

TABLE = "service_traffic"


@dataclass(frozen=True)
class Traffic:
    """The traffic of a whole run.

    Attributes:
        by_source: For each rank, pairs of another one and the number of datagrams that it is sent.
    """

    by_source: tuple[tuple[tuple[int, int], ...], ...]

    def digest(self) -> str:
        """Return what distinguishes this traffic from another, however it was found."""
        import hashlib  # Not at the top: it brings OpenSSL, whose loading takes milliseconds.

        lines = (
            f"{source} {target} {packets}\n"
            for source, sent in enumerate(self.by_source)
            for target, packets in sent
        )
        digest = hashlib.sha256()
        for line in lines:
            digest.update(line.encode())
        return f"sha256:{digest.hexdigest()[:16]}"


def load_traffic(folder: Path | None, platform: Platform, ranks: int) -> Traffic | None:
    """Read the traffic that an oracle knows; None if the platform has no oracle.

    Args:
        folder: The result of an earlier run; None if none was named.
        platform: Of this run.
        ranks: Number of ranks of this run.

    Raises:
        UserError: If there is an oracle without traffic, or traffic without an oracle, or it is
            that of another program.
    """
    if platform[KIND_PATH] != ORACLE:
        if folder is not None:
            text = f'is for the service "{ORACLE}" only; expected --service {ORACLE}'
            raise UserError(f"--traffic {text}")
        return None
    if folder is None:
        raise UserError(
            f'the service "{ORACLE}" needs --traffic FOLDER: the result of an earlier run of the '
            "program with the same number of ranks, with another --service"
        )
    found = results.load(folder)
    if not found.is_complete:
        raise UserError(f"--traffic {folder}: the run is not whole; expected a complete one")
    if found.document["ranks"] != ranks:
        text = f"is of {found.document['ranks']:,} ranks; expected a run of {ranks:,}"
        raise UserError(f"--traffic {folder}: {text}")
    if not found.has_table(TABLE):
        raise UserError(
            f"--traffic {folder}: holds no {TABLE}.parquet; expected the result of a run with a "
            "--service, with tables (--detail full or tables)"
        )
    earlier = found.document["configuration"]["platform"].get(MTU_PATH)
    if earlier != platform[MTU_PATH]:
        text = f"datagrams have {earlier} B there; expected {platform[MTU_PATH]} B"
        raise UserError(f"--traffic {folder}: {text} ({MTU_PATH})")
    return _read(found, ranks)


def _read(found: results.Run, ranks: int) -> Traffic:
    columns = found.service_traffic.to_pydict()
    rows = sorted(zip(columns["source"], columns["target"], columns["packets"], strict=True))
    by_source: list[list[tuple[int, int]]] = [[] for _ in range(ranks)]
    for source, target, packets in rows:
        if not (source < ranks and target < ranks):
            raise UserError(f"{found.table_path(TABLE)}: is damaged: a rank is {ranks} or more")
        by_source[source].append((target, packets))
    return Traffic(tuple(map(tuple, by_source)))
