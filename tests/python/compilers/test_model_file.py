"""A processor model that was measured here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from kumihimo.compilers import model_file


@pytest.mark.processes
def test_a_measured_model_is_one_that_the_plug_in_reads(tmp_path: Path) -> None:
    model = tmp_path / "model"
    lines = model_file.save_processor_model(model)
    assert model.read_text().splitlines() == lines
    assert "integer = 1000" in model.read_text()
    source = tmp_path / "empty.c"
    source.write_text("double twice(double x) { return x + x; }\n")
    compile_it = [str(Path(sys.executable).parent / "kumihimo"), "cc", "--processor-model"]
    compile_it += [str(model), "-O2", "-c", str(source), "-o", str(tmp_path / "empty.o")]
    finished = subprocess.run(compile_it, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr


def test_a_model_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_file, "measure_operation_costs", lambda _: {"load": [5000, 500]})
    with pytest.raises(OSError, match="No such file"):
        model_file.save_processor_model(tmp_path / "nowhere" / "model")
    assert list(tmp_path.iterdir()) == []
