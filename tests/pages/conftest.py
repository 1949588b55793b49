"""Pages in headless Chromium: one browser and two servers for the folder, tabs used again."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    Page,
    expect,
    sync_playwright,
)

from tests.pages.browser.server import PageServer
from tests.pages.browser.tab import ALONE, TIMEOUT_MS, Tab, TabKind, Tabs
from tests.support.patience import PATIENCE_S
from tests.support.quick_types import types_described_once

__all__ = ["types_described_once"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WEB = ROOT / "controller" / "web" / "static"
WORLD = ROOT / "sim_hw" / "page" / "static"
#: Either shows pages alike; the shell has no windows to draw, and takes a third of the time.
BROWSERS = ("chromium-headless-shell", "chromium")
ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ALONE,
]  # fmt: skip
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080)}
#: The usual face and the widest: what the widest fits into, the usual one does.
FACES = (pytest.param(None, marks=pytest.mark.long), "DejaVu Sans")
expect.set_options(timeout=TIMEOUT_MS)


OpenTab = Callable[..., Page]


#: Sizes with more room than one of the same kind: they are measured in the long form.
ROOMY = frozenset({"1080p", (1024, 600), (1280, 800), (1920, 1080), (844, 390)})


def _where(item: pytest.Function) -> tuple[object, bool]:
    """The size at which a test looks at a page, and whether the machine's usual face is used."""
    called = getattr(item, "callspec", None)
    if called is None:
        return None, False
    return called.params.get("size", called.params.get("screen")), called.id.endswith("usual face")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is tried at every size and in two faces: in the quick form, where it fits worst.

    That is the small screen, the upright phone and the widest face. Tests that compare sizes, and
    those of one size, run in either form.
    """
    ours = [each for each in items if isinstance(each, pytest.Function)]
    ours = [each for each in ours if HERE in each.path.parents]
    smallest = {each.function for each in ours if _where(each)[0] not in ROOMY}
    for item in ours:
        size, usual_face = _where(item)
        if usual_face or (size in ROOMY and item.function in smallest):
            item.add_marker(pytest.mark.long)


def browser_path() -> str:
    """The first of the browsers that is here. Fails the test where none is."""
    for name in BROWSERS:
        if found := shutil.which(name):
            return found
    pytest.fail(f"no {' or '.join(BROWSERS)} is here: run `make setup`, which installs one")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def all_tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture(scope="package")
def _service() -> Iterator[PageServer]:
    pages = {path: WEB / "pages" / name / f"{name}.html" for path, name in PAGES.items()}
    pages["/overlay/theme.css"] = WEB / "pages" / "overlay" / "theme.css"
    with PageServer(WEB, pages) as server:
        yield server


@pytest.fixture
def service(_service: PageServer) -> Iterator[PageServer]:
    """The table's service, as far as its pages see it."""
    yield _service
    _service.begin_anew()


PAGES = {
    "/": "status",
    "/dealer": "dealer",
    "/players": "players",
    "/logbook": "logbook",
    "/shift": "shift",
    "/chips": "chips",
    "/odds": "odds",
    "/rules": "rules",
    "/fairness": "fairness",
    "/overlay": "overlay",
}


@pytest.fixture(scope="package")
def _table() -> Iterator[PageServer]:
    with PageServer((WORLD, WEB), {"/": WORLD / "table.html"}) as server:
        yield server


@pytest.fixture
def table(_table: PageServer) -> Iterator[PageServer]:
    """The simulated world's server."""
    yield _table
    _table.begin_anew()


@pytest.fixture
def tabs(all_tabs: Tabs, service: PageServer, table: PageServer) -> Iterator[list[Tab]]:
    """Tabs that are open. Afterwards: none asked anybody else, and none complained."""
    opened: list[Tab] = []
    yield opened
    for tab in opened:
        tab.leave()
    for tab in opened:
        assert not tab.strangers(), f"a page asked outside the table: {tab.strangers()}"
        assert not tab.complaints, f"the page complained: {tab.complaints}"
        all_tabs.give_back(tab)


@pytest.fixture
def open_tab(all_tabs: Tabs, tabs: list[Tab]) -> OpenTab:
    """Opens a page: `open_tab(url, size="720p", font=None, zone=…, scheme="dark")`."""

    def open_it(
        url: str,
        size: str = "720p",
        font: str | None = None,
        zone: str = "Europe/Helsinki",
        scheme: str = "dark",
    ) -> Page:
        tab = all_tabs.take(TabKind(zone, scheme, font))
        tabs.append(tab)
        width, height = SIZES[size]
        tab.page.set_viewport_size({"width": width, "height": height})
        tab.page.goto(url)
        return tab.page

    return open_it


@pytest.fixture
def complaint(tabs: list[Tab]) -> Callable[[str], None]:
    """Takes a complaint that the test provoked off the list; it must come."""

    def expect(text: str) -> None:
        ends_s = time.monotonic() + PATIENCE_S
        while not [tab for tab in tabs if tab.provoked(text)]:
            assert time.monotonic() < ends_s, f"no tab complained of {text!r}"
            tabs[-1].page.wait_for_timeout(20)

    return expect
