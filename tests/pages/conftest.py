"""Pages in headless Chromium: one browser for the folder, one server and one tab for a test."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    Route,
    expect,
    sync_playwright,
)

from tests.pages.server import PageServer

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WEB = ROOT / "controller" / "web" / "static"
WORLD = ROOT / "sim_hw" / "page" / "static"
#: Either shows pages alike; the shell has no windows to draw, and takes a third of the time.
BROWSERS = ("chromium-headless-shell", "chromium")
ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZES = {"720p": (1280, 720), "1080p": (1920, 1080)}
#: So long is waited for what ought to be there at once: a busy machine is no fault of a page.
TIMEOUT_MS = 60_000
expect.set_options(timeout=TIMEOUT_MS)


class Tab:
    """A tab at a page, watched: what it asks of whom, and what it complains about."""

    def __init__(
        self, browser: Browser, size: str, scale_font: str | None, zone: str, scheme: str
    ) -> None:
        width, height = SIZES[size]
        self._context = browser.new_context(
            viewport={"width": width, "height": height},
            timezone_id=zone,
            locale="en-GB",
            color_scheme="light" if scheme == "light" else "dark",
        )
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._requested)
        if scale_font:
            self._use_font(scale_font)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _requested(self, request: Request) -> None:
        self.asked.append(request.url)

    def _use_font(self, family: str) -> None:
        """Serve the tokens with another face first, as a machine without ours would show them."""

        def tokens(route: Route) -> None:
            answer = route.fetch()
            text = answer.text().replace('--font: "Segoe UI"', f'--font: "{family}", "Segoe UI"')
            route.fulfill(response=answer, body=text)

        self.page.route("**/tokens.css", tokens)

    def close(self) -> None:
        self._context.close()


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
    ours = [each for each in ours if each.path.parent == HERE]
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


@pytest.fixture
def service() -> Iterator[PageServer]:
    """The table's service, as far as its pages see it."""
    pages = {path: WEB / "pages" / name / f"{name}.html" for path, name in PAGES.items()}
    with PageServer(WEB, pages) as server:
        yield server


PAGES = {
    "/": "status",
    "/dealer": "dealer",
    "/players": "players",
    "/logbook": "logbook",
    "/shift": "shift",
}


@pytest.fixture
def table() -> Iterator[PageServer]:
    """The simulated world's server."""
    with PageServer((WORLD, WEB), {"/": WORLD / "table.html"}) as server:
        yield server


@pytest.fixture
def tabs(browser: Browser, service: PageServer, table: PageServer) -> Iterator[list[Tab]]:
    """Tabs that are open. Afterwards: none asked anybody else, and none complained."""
    opened: list[Tab] = []
    yield opened
    for tab in opened:
        tab.close()
    for tab in opened:
        origins = {urlsplit(url).hostname for url in tab.asked}
        assert origins <= {"127.0.0.1"}, f"a page asked outside the table: {origins}"
        assert not tab.complaints, f"the page complained: {tab.complaints}"


@pytest.fixture
def open_tab(browser: Browser, tabs: list[Tab]) -> OpenTab:
    """Opens a page: `open_tab(url, size="720p", font=None, zone=…, scheme="dark")`."""

    def open_it(
        url: str,
        size: str = "720p",
        font: str | None = None,
        zone: str = "Europe/Helsinki",
        scheme: str = "dark",
    ) -> Page:
        tab = Tab(browser, size, font, zone, scheme)
        tabs.append(tab)
        tab.page.goto(url)
        return tab.page

    return open_it


@pytest.fixture
def complaint(tabs: list[Tab]) -> Callable[[str], None]:
    """Takes a complaint that the test provoked off the list; it must be there."""

    def expect(text: str) -> None:
        found = [tab for tab in tabs if any(text in each for each in tab.complaints)]
        assert found, f"no tab complained of {text!r}"
        for tab in found:
            tab.complaints = [each for each in tab.complaints if text not in each]

    return expect
