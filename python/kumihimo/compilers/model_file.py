"""Processor models for counting, measured on this computer."""

from __future__ import annotations

import os
from pathlib import Path

from kumihimo._core import measure_operation_costs
from kumihimo.run.host import processor_name

_REPETITIONS = 15


def save_processor_model(path: Path) -> list[str]:
    """Measure this computer's processor, write a processor model, and return its lines.

    What a program cannot measure (the width of the front end, of vectors, branches) stays as in the
    standard model.

    Args:
        path: The file to write; it is replaced by a whole one.

    Raises:
        OSError: If it cannot be written.
    """
    lines = [
        "# A processor model for `kumihimo cc --processor-model`, measured on:",
        f"# {processor_name()}",
        "# Latency and interval of operations in thousandths of a cycle.",
    ]
    for key, values in measure_operation_costs(_REPETITIONS).items():
        lines.append(f"{key} = {' '.join(str(value) for value in values)}")
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_text("\n".join(lines) + "\n")
    scratch.replace(path)
    return lines
