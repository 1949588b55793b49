"""Settings of the web server of one table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.rules.frozen import frozen
from controller.web.server.connections import REQUEST_SLOTS, WRITER_SLOTS

if TYPE_CHECKING:  # half of what a command that looks at a configuration would load
    from controller.access.staff import Staff
    from controller.host.service_log import LogRing
    from controller.service.odds.against_odds import AgainstOdds

#: The pages of one table; the two displays and what players see have languages of their own.
PAGES: Final = {
    "/": "pages/status/status.html",
    "/dealer": "pages/dealer/dealer.html",
    "/players": "pages/players/players.html",
    "/rules": "pages/rules/rules.html",
    "/logbook": "pages/logbook/logbook.html",
    "/shift": "pages/shift/shift.html",
    "/chips": "pages/chips/chips.html",
    "/manual": "pages/manual/manual.html",
    "/odds": "pages/odds/odds.html",
    "/fairness": "pages/fairness/fairness.html",
    "/overlay": "pages/overlay/overlay.html",
}
_PLAYERS_PAGES: Final = ("/players", "/fairness", "/overlay")

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
_ORIGIN: Final = re.compile(rf"https?://{_HOST.pattern}")


@frozen
class WebSettings:
    """Who may ask, and how much. Raises `ValueError` for a name or origin that is none.

    `people` are those known at the table; None: a table without roles. `log` are the newest lines
    of the service's log; None where nobody may download them. `record` is the record's folder, of
    which an auditor may ask; None where nobody may. `odds` holds the table's rounds against what
    they were worth; None where nothing does. `hosts` are names besides
    those of the loopback by which the table may be asked; one without a port allows every port.
    `origins` may write from a browser besides the table's own pages, `frame_ancestors` may show its
    pages in a frame; both are like `http://127.0.0.1:8028`. `overlay_css` is the house's own style
    of the overlay. `languages` are those of pages by their paths, where it is not English.
    """

    token: str = field(repr=False)
    people: Staff | None = field(default=None, repr=False)
    log: LogRing | None = field(default=None, repr=False)
    record: Path | None = None
    odds: AgainstOdds | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    frame_ancestors: tuple[str, ...] = ()
    languages: Mapping[str, str] = field(default_factory=dict)
    max_viewers: int = 200
    overlay_css: str = ""
    beat_s: float = 2.0
    answer_timeout_s: float = 10.0
    max_body_bytes: int = 16 * 1024

    @property
    def max_connections(self) -> int:
        """How many may be connected at a time: viewers, displays of the table, requests."""
        return self.max_viewers + WRITER_SLOTS + REQUEST_SLOTS

    def __post_init__(self) -> None:
        if not self.token:
            raise ValueError("token: it is empty, so nobody could be refused: write one")
        for name, text in address_problems(self.hosts, self.origins, self.frame_ancestors):
            raise ValueError(f"{name}: {text}")


def page_languages(every: str, dealer: str | None, players: str | None) -> dict[str, str]:
    """The language of each page by its path: `every`, and others for the displays."""
    languages = dict.fromkeys(PAGES, every)
    languages["/dealer"] = dealer or every
    languages.update(dict.fromkeys(_PLAYERS_PAGES, players or every))
    return languages


def address_problems(
    hosts: Iterable[str], origins: Iterable[str], frame_ancestors: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Names and origins that are none, by the setting that they stand in."""
    for host in hosts:
        if not _HOST.fullmatch(host):
            yield "hosts", f"{host!r} is none: write it like table.example:8027"
    for name, listed in (("origins", origins), ("frame_ancestors", frame_ancestors)):
        for origin in listed:
            if not _ORIGIN.fullmatch(origin):
                yield name, f"{origin!r} is none: write it like http://127.0.0.1:8028"
