"""The pages' files, read once at the start: serving needs no disk, no thread and no path."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import Request, Response

from controller.web.problems import RequestRejected

STATIC: Final = Path(__file__).parent / "static"
#: What other pages draw with too: those of a calibration, and of the simulated table.
DRAWING: Final = STATIC / "drawing"
#: What a file is by its ending; the system's own table of types differs between machines.
TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is served. `tag` is its ETag, which changes with its content."""

    body: bytes
    kind: str
    tag: str


class StaticFiles:
    """Every file of some folders whose ending is known, by its path in them."""

    def __init__(self, *folders: Path) -> None:
        """Raises `ValueError` if two of the folders have the same file."""
        self._files: dict[str, StaticFile] = {}
        for folder in folders or (STATIC,):
            for path in sorted(folder.rglob("*")):
                if path.suffix in TYPES:
                    name = path.relative_to(folder).as_posix()
                    if name in self._files:
                        raise ValueError(f"{name} stands in two folders of pages")
                    self._files[name] = _read(path)

    def answer(self, path: str, request: Request) -> Response:
        """The file, or 304 for a good copy in the browser. Raises `RequestRejected` (404)."""
        file = self._files.get(path)
        if file is None:
            raise RequestRejected(404, "There is no such file: start from /, /dealer or /players")
        # The browser keeps a copy, and asks each time: after an update no page is half old.
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        known = request.headers.get("if-none-match", "")
        if file.tag in (each.strip().removeprefix("W/") for each in known.split(",")):
            return Response(None, 304, headers)
        return Response(file.body, 200, headers, media_type=file.kind)


def _read(path: Path) -> StaticFile:
    body = path.read_bytes()
    return StaticFile(body, TYPES[path.suffix], f'"{hashlib.sha256(body).hexdigest()[:32]}"')
