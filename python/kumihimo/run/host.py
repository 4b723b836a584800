"""The speed of this computer, measured once and kept."""

from __future__ import annotations

import contextlib
import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_REPETITIONS = 15


@dataclass(frozen=True)
class HostSpeed:
    """How fast this computer computes.

    Attributes:
        processor: The processor's name, as the kernel gives it.
        flops: Floating-point operations per second of one core.
    """

    processor: str
    flops: int


def host_file(environment: dict[str, str] | None = None) -> Path:
    """Return where the speed is kept, $XDG_CONFIG_HOME/kumihimo/host.toml."""
    variables = os.environ if environment is None else environment
    base = variables.get("XDG_CONFIG_HOME") or str(Path(variables.get("HOME", "~")) / ".config")
    return Path(base).expanduser() / "kumihimo" / "host.toml"


def processor_name() -> str:
    """Return the name of this computer's processor."""
    try:
        with Path("/proc/cpuinfo").open() as lines:
            for line in lines:
                name, _, value = line.partition(":")
                if name.strip() == "model name":
                    return value.strip()
    except OSError:
        pass
    return "unknown"


def load_host_speed(path: Path) -> HostSpeed | None:
    """Return what is kept in `path`; None if it is not there, or not from this computer."""
    try:
        kept = tomllib.loads(path.read_text())
        speed = HostSpeed(str(kept["processor"]), int(kept["flops"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_usable = speed.flops > 0 and speed.processor == processor_name()
    return speed if is_usable else None


def measure(measurer: Callable[[int], int] | None = None) -> HostSpeed:
    """Measure this computer, in about a quarter of a second.

    Args:
        measurer: Returns flop/s, given the number of repetitions; by default the core's.
    """
    if measurer is None:
        from kumihimo._core import measure_host_speed

        measurer = measure_host_speed
    return HostSpeed(processor_name(), measurer(_REPETITIONS))


def save_host_speed(path: Path, speed: HostSpeed) -> None:
    """Keep `speed` in `path`, whose folder is made if needed.

    Raises:
        OSError: If the file cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    processor = speed.processor.replace("\\", "\\\\").replace('"', '\\"')
    text = (
        "# Written by `kumihimo calibrate`: scales measured computing time to that of a node.\n"
        f'processor = "{processor}"\nflops = {speed.flops}\n'
    )
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_text(text)
    scratch.replace(path)


def host_speed(path: Path) -> HostSpeed:
    """Return the kept speed of this computer; measure and keep it the first time."""
    kept = load_host_speed(path)
    if kept is not None:
        return kept
    measured = measure()
    # If it cannot be kept, it is measured again the next time.
    with contextlib.suppress(OSError):
        save_host_speed(path, measured)
    return measured
