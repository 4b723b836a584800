"""The value of one key of a platform."""

from __future__ import annotations

from dataclasses import dataclass

from kumihimo.platform.schema.key import Key
from kumihimo.platform.schema.values import Value


@dataclass(frozen=True)
class Setting:
    """The value of one key of a platform.

    Attributes:
        key: Its entry in the table.
        value: In base units (ps, bytes, bit/s, flop/s), or text.
        is_default: Whether the file does not say it.
    """

    key: Key
    value: Value
    is_default: bool

    @property
    def text(self) -> str:
        """The value with its unit."""
        return self.key.type.format(self.value)
