"""The dealer's display as it should look: the page in a browser of our own, as PNG.

`python -m tests.hil.results.page_shot URL` writes it to standard output; `@FILE` takes the URL
from a file. The simulated rig grabs the display by it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.pages.conftest import ARGS, browser_path

WIDTH, HEIGHT = 1280, 720
#: The page has its first picture.
LIVE = (
    "() => document.querySelector('h1') && document.querySelector('h1').textContent.trim() !== ''"
)


def shot(url: str, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """The page at `url`, once it shows the table."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=ARGS)
        try:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(url)
            page.wait_for_function(LIVE)
            page.wait_for_function("() => document.fonts.status === 'loaded'")
            return page.screenshot(animations="disabled")
        finally:
            browser.close()


def main(arguments: list[str]) -> int:
    """Write one picture."""
    (where,) = arguments
    url = Path(where[1:]).read_text() if where.startswith("@") else where
    sys.stdout.buffer.write(shot(url))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
