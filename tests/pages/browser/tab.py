"""Tabs that are watched, and used again: a new one costs a process of the browser."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Frame, Page, Request

ROOT: Final = Path(__file__).resolve().parents[3]
#: So long is waited for what ought to be there at once: a busy machine is no fault of a page.
TIMEOUT_MS: Final = 180_000
#: The only hosts that a page may ask.
OUR_HOSTS: Final = ("127.0.0.1", "localhost")
#: What the browser is started with, so that it finds no other.
ALONE: Final = "--host-resolver-rules=" + ", ".join(
    ("MAP * ^NOTFOUND", *(f"EXCLUDE {each}" for each in OUR_HOSTS))
)
BLANK: Final = "about:blank"
#: Beyond any screen: nothing lies under the pointer.
NOWHERE: Final = -100
#: Names that scripts have added to every page of this tab, by what a test installed.
_NAMES: Final = "() => Object.getOwnPropertyNames(globalThis).length"
_FORGET: Final = """() => {
  if (!location.protocol.startsWith('http')) return;
  sessionStorage.clear();
  localStorage.clear();
}"""

_TOKENS: Final = ROOT / "controller" / "web" / "static" / "drawing" / "tokens.css"
#: Another face comes first, as on a machine without ours. A route that answered with other tokens
#: would do as well, but turns the browser's cache off: each page fetched all its parts anew.
_FACE: Final = """(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root { --font: %s; }`);
  document.adoptedStyleSheets = [sheet];
})()"""


def _face_first(face: str) -> str:
    """A script that puts this face before those that the pages' tokens name."""
    named = re.search(r"--font: ([^;]*);", _TOKENS.read_text())
    assert named is not None, f"{_TOKENS} names no --font"
    return _FACE % f'"{face}", {named[1]}'


@dataclass(frozen=True, slots=True)
class TabKind:
    """What a tab is opened with, and keeps."""

    zone: str
    scheme: str
    font: str | None


class Tab:
    """A tab, watched: what it asks of whom, and what it complains about."""

    def __init__(self, browser: Browser, kind: TabKind) -> None:
        self.kind = kind
        self._context = browser.new_context(
            timezone_id=kind.zone,
            locale="en-GB",
            color_scheme="light" if kind.scheme == "light" else "dark",
        )
        if kind.font is not None:
            self._context.add_init_script(_face_first(kind.font))
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self._names: Any = self.page.evaluate(_NAMES)
        self.complaints: list[str] = []
        self._provoked: set[str] = set()
        self._failed: set[str] = set()
        self._visited: set[str] = set()
        self._has_left = False
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self._complain(str(error)))
        # Each that is heard of costs as much as the page's asking: of what succeeds nobody asks.
        self.page.on("requestfailed", self._requested)
        self.page.on("framenavigated", self._navigated)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(message.text)

    def _requested(self, request: Request) -> None:
        self._failed.add(request.url)

    def _navigated(self, frame: Frame) -> None:
        self._visited.add(urlsplit(frame.url).netloc)

    def provoked(self, text: str) -> bool:
        """Whether it complained with this text in it: a test provoked that. The very same complaint
        that comes later is none: the browser's log comes by a way of its own, later than what a
        page shows, and once for each request that failed so. Any other with that text in it is one.
        """
        found = [each for each in self.complaints if text in each]
        self._provoked.update(found)
        self.complaints = [each for each in self.complaints if each not in self._provoked]
        return bool(found)

    def _complain(self, text: str) -> None:
        if text not in self._provoked:
            self.complaints.append(text)

    def strangers(self) -> set[str]:
        """Whom outside this machine its pages asked. In this browser nobody else is found
        (`ALONE`), so that is among what failed.
        """
        hosts = {urlsplit(url).hostname for url in self._failed}
        return {host for host in hosts if host is not None} - set(OUR_HOSTS)

    def leave(self) -> None:
        """Leave the page, once; what it still complains about then belongs to the test."""
        if self._has_left:
            return
        self._has_left = True
        if self.page.is_closed():
            self.close()
            return
        frames = {urlsplit(each.url).netloc: each for each in self.page.frames}
        reached = self._visited - {""} <= frames.keys()
        if reached:
            for frame in frames.values():
                frame.evaluate(_FORGET)
        self.page.goto(BLANK)
        if not reached or self.page.evaluate(_NAMES) != self._names:
            self.close()

    def begin_anew(self) -> None:
        """Take back what a test may have asked of the tab; it is blank."""
        self.complaints, self._provoked, self._has_left = [], set(), False
        self._failed, self._visited = set(), set()
        self.page.unroute_all()
        self._context.clear_cookies()
        self.page.mouse.move(NOWHERE, NOWHERE)
        self.page.emulate_media(
            media="null",
            reduced_motion="null",
            color_scheme="light" if self.kind.scheme == "light" else "dark",
        )

    @property
    def is_closed(self) -> bool:
        """Whether it was closed: it cannot be used again."""
        return self.page.is_closed()

    def close(self) -> None:
        """Close it, with what its pages kept."""
        self._context.close()


class Tabs:
    """The tabs of a browser, to be taken and given back.

    A tab is used again only if whoever its pages asked is still shown in it, so that what they
    keep can be cleared, and if no script was added to its pages: such a script, or a clock, cannot
    be taken out.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[TabKind, list[Tab]] = {}

    def take(self, kind: TabKind) -> Tab:
        """A blank tab of that kind."""
        free = self._free.get(kind)
        if not free:
            return Tab(self._browser, kind)
        tab = free.pop()
        tab.begin_anew()
        return tab

    def give_back(self, tab: Tab) -> None:
        """A tab that has been left."""
        if not tab.is_closed:
            self._free.setdefault(tab.kind, []).append(tab)
