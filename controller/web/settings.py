"""Settings of the web server of one table."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from controller.access.staff import Staff

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
_ORIGIN: Final = re.compile(rf"https?://{_HOST.pattern}")


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Who may ask, and how much. Raises `ValueError` for a name or origin that is none.

    `people` are those known at the table; None: a table without roles. `hosts` are names besides
    those of the loopback by which the table may be asked; one without a port allows every port.
    `origins` may write from a browser besides the table's own pages, `frame_ancestors` may show its
    pages in a frame; both are like `http://127.0.0.1:8028`.
    """

    token: str = field(repr=False)
    people: Staff | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()
    max_viewers: int = 200
    beat_s: float = 2.0
    answer_timeout_s: float = 10.0
    max_body_bytes: int = 16 * 1024

    def __post_init__(self) -> None:
        if not self.token:
            raise ValueError("token: it is empty, so nobody could be refused: write one")
        for host in self.hosts:
            if not _HOST.fullmatch(host):
                raise ValueError(f"hosts: {host!r} is none: write it like table.example:8027")
        for name in ("origins", "frame_ancestors"):
            for origin in getattr(self, name):
                if not _ORIGIN.fullmatch(origin):
                    raise ValueError(
                        f"{name}: {origin!r} is none: write it like http://127.0.0.1:8028"
                    )
