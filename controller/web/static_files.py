"""The pages' files, read once at the start: serving needs no disk, no thread and no path.

A page is served in the reader's language, translated when it is first asked for.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from controller.languages.translation import Translation
from controller.rules.frozen import frozen
from controller.rules.spoken import spoken
from controller.table.views.english import ENGLISH
from controller.web.page_words import translated
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


@frozen
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
                    self._files[name] = _file(path.read_bytes(), TYPES[path.suffix])
        self._translated: dict[tuple[str, str], StaticFile] = {}

    @property
    def edition(self) -> str:
        """What tells these files from those of another release, in hexadecimal."""
        told = "".join(f"{name} {file.tag}\n" for name, file in sorted(self._files.items()))
        return hashlib.sha256(told.encode()).hexdigest()

    def answer(self, path: str, request: Request) -> Response:
        """The file, or 304 for a good copy in the browser. Raises `RequestRejected` (404)."""
        file = self._files.get(path)
        if file is None:
            raise RequestRejected(404, "There is no such file: start from /, /dealer or /players")
        reader = spoken(ENGLISH)
        if isinstance(reader, Translation) and path.endswith(".html"):
            file = self._in(reader, path, file)
        # The browser keeps a copy, and asks each time: after an update no page is half old.
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        known = request.headers.get("if-none-match", "")
        if file.tag in (each.strip().removeprefix("W/") for each in known.split(",")):
            return Response(None, 304, headers)
        return Response(file.body, 200, headers, media_type=file.kind)

    def _in(self, reader: Translation, path: str, english: StaticFile) -> StaticFile:
        key = (path, reader.code)
        if key not in self._translated:
            page = translated(english.body.decode(), reader.code, reader.page_texts)
            self._translated[key] = _file(page.encode(), english.kind)
        return self._translated[key]


def _file(body: bytes, kind: str) -> StaticFile:
    return StaticFile(body, kind, f'"{hashlib.sha256(body).hexdigest()[:32]}"')
