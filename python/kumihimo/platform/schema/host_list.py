"""Files that name the host of each rank."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kumihimo.errors import UserError
from kumihimo.platform.attachment import AttachmentError, read_attached_text

_MOST_DIGITS = 9


@dataclass(frozen=True)
class HostList:
    """The host of each rank, in the order of ranks.

    Attributes:
        file: Where it was read from.
        hosts: Their numbers.
        lines: Where each stands.
    """

    file: str
    hosts: tuple[int, ...]
    lines: tuple[int, ...]

    def check(self, hosts_there: int) -> None:
        """Complain of the first host that the network does not have.

        Raises:
            UserError: With file and line.
        """
        for host, line in zip(self.hosts, self.lines, strict=True):
            if host >= hosts_there:
                expected = f"hosts are 0 to {hosts_there - 1}"
                raise UserError(f"{self.file}:{line}: there is no host {host}; {expected}")

    def canonical(self) -> object:
        """Return the numbers."""
        return list(self.hosts)


def read_host_list(path: Path) -> HostList:
    """Read a file of one host number a line; empty lines and what follows a # do not count.

    Raises:
        AttachmentError: If the file cannot be read, or a line holds anything else.
    """
    hosts, lines = [], []
    for number, line in enumerate(read_attached_text(path).split("\n"), start=1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
            raise AttachmentError(
                f'{path}:{number}: expected the number of a host, found "{text[:40]}"'
            )
        hosts.append(int(text))
        lines.append(number)
    if not hosts:
        raise AttachmentError(f"{path}: expected the number of a host on each line, found none")
    return HostList(str(path), tuple(hosts), tuple(lines))
