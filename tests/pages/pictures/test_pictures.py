"""Pictures that are drawn from tables are what the tables say now."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from controller.devices.lights import LOOKS
from controller.table.views.english import show
from controller.web.light_language import lights_svg
from tests.pages.pictures import pit_pages
from tests.pages.pictures.strip_picture import SEATS, strip_svg

ROOT = Path(__file__).parents[3]
PICTURES = ROOT / "controller" / "web" / "pictures"


def test_the_light_language_in_the_readme_is_the_one_that_is_lit() -> None:
    committed = (PICTURES / "lights.svg").read_text(encoding="utf-8")
    assert committed == lights_svg(), "write it anew: python -m tests.pages.pictures.draw"


def test_every_state_of_a_spot_is_in_the_picture() -> None:
    drawn = "".join(ET.fromstring(lights_svg()).itertext())
    for look in LOOKS.values():
        assert show(look.meaning) in drawn


def test_the_strip_in_the_readme_is_the_one_that_is_lit() -> None:
    committed = (ROOT / "drivers" / "panel" / "strip.svg").read_text(encoding="utf-8")
    assert committed == strip_svg(), "write it anew: python -m tests.pages.pictures.draw"
    assert committed.count('class="felt"') == 5 * SEATS


def test_every_page_of_a_pit_is_in_its_readme_at_three_sizes_and_small() -> None:
    names = {
        f"{page}-{width}.webp"
        for page in ("sign-in", *pit_pages.PAGES)
        for width in pit_pages.SIZES
    }
    drawn = {each.name: each.stat().st_size for each in pit_pages.PICTURES.iterdir()}
    assert drawn.keys() == names, "draw them anew: python -m tests.pages.pictures.pit_pages"
    assert max(drawn.values()) <= pit_pages.MOST_BYTES
    readme = (ROOT / "controller" / "pit" / "README.md").read_text(encoding="utf-8")
    assert [each for each in sorted(names) if f"pictures/{each}" not in readme] == []
