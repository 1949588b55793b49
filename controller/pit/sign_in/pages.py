"""The pit's pages as HTML, in one frame. What goes into a template is escaped (Jinja)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from fastapi import Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.datastructures import Headers

from controller.pit.accounts.roles import Identity, PitRole
from controller.pit.house_time import UTC_HOUSE, HouseTime
from controller.pit.sign_in.access import pages_for
from controller.rules.games.registry import GAMES
from controller.rules.money import amount_text

#: The rooms of the pit that have pages: each page stands beside what serves it. A name is in one
#: room alone, or the first one's page would be shown for the other's.
ROOMS: Final = ("sign_in", "acts", "alerts", "directories", "records", "reports")
TEMPLATES: Final = tuple(Path(__file__).parents[1] / room / "templates" for room in ROOMS)
#: The status of what cannot be had at this moment, and how soon it is asked for again.
_NOT_NOW: Final = 503
AGAIN_S: Final = 5
_TITLES: Final = {
    403: "That may not be done here",
    404: "That is not there",
    503: "Not at this moment",
}


def wants_page(headers: Headers) -> bool:
    """Whether a person asks with a browser, rather than a script or a machine."""
    return "text/html" in headers.get("accept", "")


class Pages:
    """Templates, read at the start, which say times by `house`. `provider` is its name, empty:
    nobody signs in by one.
    """

    def __init__(self, provider: str = "", house: HouseTime = UTC_HOUSE) -> None:
        self.house = house
        self._made = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
            trim_blocks=True, lstrip_blocks=True, auto_reload=False,
        )  # fmt: skip
        self._made.globals["provider"] = provider
        self._made.globals["zone"] = house.zone
        self._made.filters["time"] = house.minute
        self._made.filters["second"] = self._second
        self._made.filters["amount"] = amount_text
        self._made.filters["game"] = game_title
        self._made.filters["browser"] = browser_words

    def page(
        self, template: str, identity: Identity | None, status: int = 200, /, **values: Any
    ) -> Response:
        """The page of a template, for whoever asks."""
        text = self._made.get_template(f"{template}.html").render(
            me=identity, Role=PitRole, **values,
            links=() if identity is None else pages_for(identity.roles),
        )  # fmt: skip
        return HTMLResponse(text, status)

    def problem(
        self, identity: Identity | None, status: int, said: str, *, reads: bool
    ) -> Response:
        """What a person sees in place of a problem as machines get it. `reads`: nothing was sent,
        so that a page that is not to be had at this moment comes by itself.
        """
        again_s = AGAIN_S if reads and status == _NOT_NOW else 0
        title = _TITLES.get(status, "That cannot be done")
        return self.page("problem", identity, status, title=title, said=said, again_s=again_s)

    def refused(self, identity: Identity, needed: str) -> Response:
        """What somebody sees whose roles do not open a page."""
        return self.page("refused", identity, 403, needed=needed)

    def _second(self, at_ms: int) -> str:
        """A time of a clock that may be wrong: only what a calendar has is shown."""
        try:
            return self.house.second(at_ms)
        except (OverflowError, OSError, ValueError):
            return str(at_ms)


def game_title(name: str) -> str:
    """What a game is called; one that this software does not know, by its name on record."""
    found = GAMES.get(name)
    return name if found is None else found.title


def browser_words(agent: str) -> str:
    """What a browser calls itself, in two words that its user knows."""
    names = (
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    )  # fmt: skip
    systems = (
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("Mac OS", "Mac"), ("CrOS", "Chromebook"), ("Linux", "Linux"),
    )  # fmt: skip
    name = next((word for sign, word in names if sign in agent), "another browser")
    system = next((word for sign, word in systems if sign in agent), "")
    return f"{name} on {system}" if system else name
