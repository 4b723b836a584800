"""What the user asked of a replay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kumihimo._core import Schedule
from kumihimo.errors import UserError
from kumihimo.run.options import DetailLevel
from kumihimo.schedule.files import read_schedule
from kumihimo.schedule.pattern import PatternRequest, StepTimes


@dataclass(frozen=True, kw_only=True)
class ReplayOptions:
    """The options of `kumihimo replay`, checked and in base units.

    Attributes:
        platform: The platform file.
        file: The schedule; None if a pattern is replayed.
        pattern: The pattern; None if a file is replayed.
        out: The result folder; None for one named after schedule and ranks.
        detail: As of a run.
        seed: Seed of all random streams.
        link_power: The policy of the platform's links; None for what the file says.
        matching: The model of matching messages with receives, likewise.
        service: By what ranks send to each other, likewise.
        time_limit_ps: Virtual time at which the replay is ended; 0: never.
        quiet: Whether neither progress nor table is printed.
        allow_truncation: Whether a message may be larger than its receive.
        allow_unreceived: Whether a message may be left that no rank receives.
    """

    platform: Path
    file: Path | None = None
    pattern: PatternRequest | None = None
    out: Path | None = None
    detail: DetailLevel = "full"
    seed: int = 0
    link_power: str | None = None
    matching: str | None = None
    service: str | None = None
    time_limit_ps: int = 0
    quiet: bool = False
    allow_truncation: bool = False
    allow_unreceived: bool = False

    def schedule(self, step_times: StepTimes) -> Schedule:
        """Read or make the schedule.

        Args:
            step_times: Gives the time of each step of a pattern.

        Raises:
            UserError: If that is not possible.
        """
        if self.pattern is not None:
            return self.pattern.generate(step_times)
        assert self.file is not None
        return read_schedule(self.file)

    def words(self) -> tuple[str, ...]:
        """Return what is replayed as the command line of a result."""
        what = (str(self.file),) if self.pattern is None else self.pattern.words()
        return ("replay", *what)

    def identity(self) -> dict[str, Any]:
        """Return what decides the result, in addition to platform and seed.

        Raises:
            UserError: If the file cannot be read.
        """
        if self.pattern is not None:
            return {"schedule": " ".join(self.pattern.words())}
        assert self.file is not None
        # Here, because its import takes milliseconds and patterns do not need it.
        import hashlib

        try:
            with self.file.open("rb") as contents:
                digest = hashlib.file_digest(contents, "sha256").hexdigest()
        except OSError as error:
            raise UserError(f"cannot read {self.file}: {error.strerror}") from error
        return {"schedule": f"sha256:{digest[:16]}"}

    def result_directory(self, ranks: int) -> Path | None:
        """Return where the result goes; None if none is wanted."""
        if self.detail == "none":
            return None
        if self.out is not None:
            return self.out
        name = self.words()[2].replace("/", "-") if self.file is None else self.file.stem
        return Path(f"kumi-replay-{name}-n{ranks}")
