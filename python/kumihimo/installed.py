"""Where the parts of an installed Kumihimo are."""

from pathlib import Path

import kumihimo


def installed_path(relative: str) -> Path:
    """Return the path of a file or folder that was installed with the package.

    An editable installation keeps Python sources and built parts in two folders, therefore all
    folders of the package are searched.

    Args:
        relative: The path inside the package, for example "lib/libkumi-fi.so".

    Raises:
        FileNotFoundError: If no folder of the package holds it.
    """
    for folder in kumihimo.__path__:
        candidate = Path(folder) / relative
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{relative} is not part of this installation of kumihimo")


def shipped_path(name: str) -> Path:
    """Return the folder "platforms", "studies" or "examples" that was installed with the package.

    They lie next to each other, as in the source tree, since studies name files of the others.

    Raises:
        FileNotFoundError: If it was not installed.
    """
    return installed_path(f"share/{name}")


def library_path(name: str) -> Path:
    """Return the path of a library that processes of a run load, such as "kumi-mpi".

    Raises:
        FileNotFoundError: If the library was not built.
    """
    return installed_path(f"lib/lib{name}.so")


def include_path() -> Path:
    """Return the folder to name after a compiler's -I, for `#include <kumihimo/compute.h>`.

    Raises:
        FileNotFoundError: If the headers were not installed.
    """
    return installed_path("include")
