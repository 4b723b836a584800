"""The two sides of the comparison: how each starts a job."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent

# The library that Kumihimo's provider takes the place of: libfabric, here over TCP, with every rank
# on a node of its own, as over Kumihimo.
_OVER_TCP = {"MPIR_CVAR_CH4_NETMOD": "ofi", "FI_PROVIDER": "tcp", "MPIR_CVAR_NOLOCAL": "1"}


@dataclass(frozen=True)
class Side:
    """One way to start a job.

    Attributes:
        name: How it is called in records.
        environment: Environment variables of the launcher.
        is_native: Whether it is `mpiexec`, whose options entries may name.
        platform: The platform, if it is Kumihimo.
    """

    name: str
    environment: dict[str, str]
    is_native: bool
    platform: Path | None = None

    def command(
        self,
        ranks: int,
        program: Sequence[str],
        limit_s: int,
        launcher_arguments: Sequence[str] = (),
    ) -> list[str]:
        """The command line of a job; Kumihimo knows no options of `mpiexec`, and gets none.

        Args:
            ranks: How many processes.
            program: The program and its arguments.
            limit_s: Wall time that it may take, in seconds. Kumihimo ends it when nothing has moved
                for so long; `mpiexec` learns it from `limit_environment`.
            launcher_arguments: Options of `mpiexec`.
        """
        if self.platform is None:
            return [str(BIN / "mpiexec"), "-n", str(ranks), *launcher_arguments, *program]
        return [
            *(str(BIN / "kumihimo"), "run", "--quiet", "-n", str(ranks)),
            *("--platform", str(self.platform), "--compute", "none", "--detail", "none"),
            *("--stall-timeout", str(limit_s), "--", *program),
        ]

    def limit_environment(self, limit_s: int) -> dict[str, str]:
        """What sets how long the launcher lets the job run."""
        return {**self.environment, "MPIEXEC_TIMEOUT": str(limit_s)} if self.is_native else {}


# In warnings and errors of Kumihimo, and in the reasons of records.
NEEDS_MULTIPLE = "asked for MPI_THREAD_MULTIPLE"
NEEDS_PROCESSES = "its number of processes is fixed"

NATIVE = Side("native", _OVER_TCP, is_native=True)


def kumihimo(platform: Path) -> Side:
    """Kumihimo with a platform that has enough hosts."""
    return Side("kumihimo", {}, is_native=False, platform=platform)


def without_own_messages(errors: str) -> str:
    """Return what ranks wrote to standard error, without the lines that Kumihimo adds itself.

    A message of Kumihimo begins with its name, and goes on in indented lines.
    """
    kept = []
    is_own = False
    for line in errors.splitlines(keepends=True):
        is_own = line.startswith("kumihimo: ") or (is_own and line.startswith("  "))
        if not is_own:
            kept.append(line)
    return "".join(kept)


def asked_for_multiple(errors: str) -> bool:
    """Whether Kumihimo warns that the program gets less than MPI_THREAD_MULTIPLE."""
    return any(
        line.startswith("kumihimo: ") and NEEDS_MULTIPLE in line for line in errors.splitlines()
    )


def refused_call(errors: str) -> str:
    """Return the first function that Kumihimo warns about since it refused it, or ""."""
    for line in errors.splitlines():
        if line.startswith("kumihimo: MPI_") and NEEDS_PROCESSES in line:
            return line.split()[1]
    return ""


def with_refusal(reason: str, errors: str) -> str:
    """Return why a job failed, with the function that returned an error before that, if any did."""
    function = refused_call(errors)
    if not function or NEEDS_PROCESSES in reason:
        return reason
    return f"{reason}, after an error of {function}: {NEEDS_PROCESSES}"


def own_message(errors: str) -> str:
    """Return the first line of the error that Kumihimo itself reports, or "" if there is none."""
    prefix = "kumihimo: error: "
    for line in errors.splitlines():
        if line.startswith(prefix):
            return line.removeprefix(prefix)
    return ""
