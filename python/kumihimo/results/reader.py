"""Opens a result folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kumihimo.errors import UserError
from kumihimo.results.document import FORMAT
from kumihimo.results.folder import HOST_FILE, RESULT_FILE
from kumihimo.results.run import Run

_REQUIRED: dict[str, type | tuple[type, ...]] = {
    "configuration": dict,
    "configuration_hash": str,
    "event_hash": (str, type(None)),
    "events": int,
    "links": int,
    "per_link": list,
    "per_rank": list,
    "platform_name": str,
    "program": list,
    "ranks": int,
    "reason": (str, type(None)),
    "seed": int,
    "status": str,
    "totals": dict,
    "version": str,
    "virtual_time_ps": int,
}


def load_result(directory: Path) -> Run:
    """Open a result folder; see `kumihimo.results.load`."""
    if not directory.is_dir():
        raise UserError(f"{directory}: there is no such result folder")
    path = directory / RESULT_FILE
    if not path.is_file():
        raise UserError(f"{directory}: is not a result folder: it holds no {RESULT_FILE}")
    document = _read_json(path)
    _check(path, document)
    host_path = directory / HOST_FILE
    host = _read_json(host_path) if host_path.is_file() else {}
    return Run(document, host, directory)


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise UserError(f"{path}:{error.lineno}: is not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not text in UTF-8") from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from error
    if not isinstance(value, dict):
        raise UserError(f"{path}: expected an object, found {type(value).__name__}")
    return value


def _check(path: Path, document: Mapping[str, Any]) -> None:
    found = document.get("format")
    if found != FORMAT:
        raise UserError(f'{path}: key "format": expected "{FORMAT}", found {json.dumps(found)}')
    for key, kind in _REQUIRED.items():
        if not isinstance(document.get(key), kind):
            raise UserError(f'{path}: key "{key}": is missing or not of the expected type')
