"""Jobs of a batch system that say when they are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from distributed.core import Status

_STANDARD_ERROR = "stderr:\n"


def telling(job_class: type[Any], tell: Callable[[str], None]) -> type[Any]:
    """Return a kind of job that gives `tell` what the batch system says when it refuses one.

    Dask keeps that to itself and waits for a worker that never comes.

    Args:
        job_class: A job of dask-jobqueue.
        tell: Is called by Dask's thread.
    """

    class TellingJob(job_class):  # type: ignore[misc]
        async def start(self) -> None:
            try:
                await super().start()
            except (OSError, RuntimeError, ValueError) as error:
                # As long as a job counts as being made, its cluster cannot be closed.
                self.status = Status.failed
                tell(_own_words(str(error)))
                raise

    return TellingJob


def _own_words(error: str) -> str:
    """Return what the command wrote, if Dask says that it failed."""
    _, found, told = error.partition(_STANDARD_ERROR)
    return told.strip() if found and told.strip() else error.strip()
