"""Names that have changed. An old name is refused, with an error that says the new one.

This is the only place that knows old names: there are no aliases.
"""

from __future__ import annotations

from collections.abc import Mapping

# Sections and keys of platform files and of studies, by their path or the part of it that changed.
KEYS: Mapping[str, str] = {
    "uplink": "switch_link",
    "network.queueing": "network.flow_control",
    "channel.correction": "channel.fec",
    "channel.correction_latency": "channel.fec_latency",
    "run.record": "run.detail",
}

# Values of keys of platform files, by the path of the key as it is now.
VALUES: Mapping[tuple[str, str], str] = {
    ("topology.kind", "crossbar"): "fully_connected",
    ("topology.kind", "fly"): "butterfly",
    ("network.flow_control", "unlimited"): "none",
    ("link_power.preset", "paper"): "matsuyama18",
}

# Options of commands that have the new one.
OPTIONS: Mapping[str, str] = {
    "--form": "--format",
    "--machine-model": "--processor-model",
    "--plain": "--portable",
    "--record": "--detail",
}

# Environment variables.
VARIABLES: Mapping[str, str] = {
    "KUMI_MACHINE_MODEL": "KUMI_PROCESSOR_MODEL",
    "KUMI_RECEIVE_EARLY": "KUMI_RUN_AHEAD",
}


def new_key(path: str) -> str | None:
    """Return the present path of a key or section, or None if its name has not changed."""
    present = f".{path}."
    for old, new in KEYS.items():
        present = present.replace(f".{old}.", f".{new}.")
    return None if present == f".{path}." else present.strip(".")


def value_hint(path: str, value: object) -> str:
    """Return what to append to an error about a value: its new name, or nothing."""
    new = VALUES.get((path, value)) if isinstance(value, str) else None
    return f'; "{value}" is now "{new}"' if new else ""
