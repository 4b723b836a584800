"""A limit on memory under which the libraries that write results cannot be loaded."""

from __future__ import annotations

import resource
import subprocess
import sys

from kumihimo.errors import UserError

_LIBRARIES = "import numpy, pyarrow.parquet"


def check_memory_limit() -> None:
    """Check before a run that its result can be written under the limit on address space.

    OpenBLAS ends the process when it finds no memory, without an exception: too late once a run has
    left files behind. The libraries are loaded here if another process can, since the run maps
    memory of its own later.

    Raises:
        UserError: If they cannot be loaded.
    """
    limit_bytes, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit_bytes == resource.RLIM_INFINITY or "pyarrow.parquet" in sys.modules:
        return
    tried = subprocess.run(
        [sys.executable, "-c", _LIBRARIES],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    if tried.returncode != 0:
        raise UserError(
            f"the limit on address space (ulimit -v {limit_bytes // 1024}) is too small to write a "
            "result: the libraries NumPy and Arrow cannot be loaded; raise it, "
            "or remove it with ulimit -v unlimited",
            exit_code=1,
        )
    import numpy as np  # noqa: F401
    import pyarrow.parquet as pq  # noqa: F401
