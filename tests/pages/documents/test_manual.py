"""The manual: what this table's dealers, floor and engineers read, on a screen and on paper."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from controller.config.device_sections import DEVICES
from controller.config.sections import SECTIONS
from controller.devices.inputs import Button
from controller.devices.lights import LOOKS
from controller.manual.command_list import COMMANDS
from controller.table.irregularities.catalogue import IRREGULARITIES
from controller.table.views.english import say, show
from tests.pages.browser.looks import unreadable
from tests.pages.conftest import OpenTab
from tests.pages.documents.test_rules import _SPILLS, PHONE, WholeWeb, running
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S

#: A few pages for each role.
PAGES_MOST = 5
PARTS = ("dealer", "floor", "engineer")


@pytest.fixture
def house() -> Iterator[WholeWeb]:
    with running("blackjack", 5) as opened:
        yield opened


def test_it_holds_what_the_table_enforces(house: WholeWeb) -> None:
    answer = httpx.get(f"{house.url}/api/v1/manual", timeout=PATIENCE_S, verify=False)
    assert answer.status_code == 200
    parts = {each["name"]: str(each["sections"]) for each in answer.json()["parts"]}
    assert tuple(parts) == PARTS
    for row in IRREGULARITIES.values():
        assert say(row.title) in parts["dealer"]
        assert say(row.title) in parts["floor"]
    for each in Button:
        assert f"'{each.value}'" in parts["dealer"]
    for look in LOOKS.values():
        assert show(look.meaning) in parts["dealer"]
    for name in COMMANDS:
        assert f"tablectl {name}" in parts["engineer"]
    for name, kind in (SECTIONS | DEVICES).items():
        assert f"[{name}]" in parts["engineer"]
        assert all(key in parts["engineer"] for key in kind.__annotations__)


@pytest.mark.long
@pytest.mark.parametrize("part", quick_first(PARTS, ["engineer"]))
@pytest.mark.parametrize("scheme", quick_first(("light", "dark"), ("dark",)))
def test_every_part_can_be_read_in_light_and_dark(
    house: WholeWeb, open_tab: OpenTab, part: str, scheme: str
) -> None:
    page = open_tab(f"{house.url}/manual?for={part}", scheme=scheme)
    expect(page.locator(".panel").last).to_be_visible()
    assert not unreadable(page)
    assert not page.evaluate(_SPILLS)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    assert not page.evaluate(_SPILLS)


@pytest.mark.parametrize("part", quick_first(PARTS, ["dealer"]))
def test_it_is_printed_on_a_few_pages_black_on_white(
    house: WholeWeb, open_tab: OpenTab, part: str, tmp_path: Path
) -> None:
    page = open_tab(f"{house.url}/manual?for={part}")
    expect(page.locator(".panel").last).to_be_visible()
    last = page.locator(".panel h2").last.inner_text()
    sheet = tmp_path / "manual.pdf"
    sheet.write_bytes(page.pdf(format="A4", print_background=True))
    text = subprocess.run(
        ["pdftotext", "-layout", str(sheet), "-"], capture_output=True, text=True, check=True
    ).stdout
    pages = text.rstrip("\f\n").split("\f")
    assert 1 < len(pages) <= PAGES_MOST
    assert any(last in each for each in pages)
    assert "Print" not in pages[0], "what only a screen needs is not printed"
    subprocess.run(
        ["pdftoppm", "-r", "40", "-gray", str(sheet), str(tmp_path / "page")], check=True
    )
    for printed in sorted(tmp_path.glob("page-*.pgm")):
        grey = printed.read_bytes().split(b"255\n", 1)[1]
        assert sum(grey) / len(grey) > 230, "mostly white"


def test_somebody_at_the_status_page_finds_it_and_goes_from_part_to_part(
    house: WholeWeb, open_tab: OpenTab
) -> None:
    page = open_tab(house.url)
    page.get_by_role("link", name="The manual").click()
    expect(page.locator("#title")).to_have_text("For dealers")
    page.get_by_role("link", name="For the floor").click()
    expect(page.locator("#title")).to_have_text("For the floor")
    expect(page.locator('[aria-current="page"]')).to_have_text("For the floor")
    expect(page.locator("#rule")).to_contain_text("Blackjack")
