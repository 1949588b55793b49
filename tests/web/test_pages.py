"""The pages and what they are made of."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from controller.web.static_files import STATIC, TYPES, StaticFiles

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("path", "file"), [("/", "status"), ("/dealer", "dealer"), ("/players", "players")]
)
async def test_a_page_is_its_file(web: Any, path: str, file: str) -> None:
    answer = await web.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.content == (STATIC / "pages" / file / f"{file}.html").read_bytes()


async def test_all_that_the_pages_are_made_of_is_served(web: Any) -> None:
    files = [each for each in STATIC.rglob("*") if each.is_file() and each.name != "README.md"]
    assert files
    for each in files:
        answer = await web.get(f"/static/{each.relative_to(STATIC)}")
        assert answer.status_code == 200, each
        assert answer.headers["content-type"] == TYPES[each.suffix]
        assert answer.content == each.read_bytes()


def test_no_page_takes_a_total_apart() -> None:
    """A total is laid out from its parts: no file that has to do with one takes a text apart."""
    files = {each: each.read_text() for each in STATIC.rglob("*.js")}
    with_totals = {name: text for name, text in files.items() if re.search(r"\btotal", text)}
    assert STATIC / "drawing" / "hands.js" in with_totals
    for name, text in with_totals.items():
        assert not re.search(r"\.(split|exec|match|matchAll|search)\(", text), name
    assert any("total_parts" in text for text in with_totals.values())


async def test_a_copy_that_is_still_good_is_not_sent_again(web: Any) -> None:
    first = await web.get("/static/drawing/tokens.css")
    tag = first.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"
    for known in (tag, f"W/{tag}", f'"old", {tag}'):
        again = await web.get("/static/drawing/tokens.css", headers={"If-None-Match": known})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == tag
    changed = await web.get("/static/drawing/tokens.css", headers={"If-None-Match": '"old"'})
    assert changed.status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "nothing.js", "", "../app.py", "..%2fapp.py", "%2e%2e/desk.py", "/etc/passwd", "dealer",
        "....//app.py", "drawing/tokens.css/", "drawing", "%00",
    ],
)  # fmt: skip
async def test_nothing_else_is_served(web: Any, path: str) -> None:
    answer = await web.get(f"/static/{path}")
    assert answer.status_code == 404
    assert b"def " not in answer.content


async def test_a_file_whose_kind_is_not_known_is_not_served(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>")
    (tmp_path / "page.html~").write_text("<p>")
    assert set(StaticFiles(tmp_path)._files) == {"page.html"}


def test_an_edition_is_that_of_every_file(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>")
    first = StaticFiles(tmp_path).edition
    assert StaticFiles(tmp_path).edition == first
    (tmp_path / "page.js").write_text("1")
    second = StaticFiles(tmp_path).edition
    (tmp_path / "page.js").write_text("2")
    assert len({first, second, StaticFiles(tmp_path).edition}) == 3


async def test_pages_can_be_asked_for_their_head(web: Any) -> None:
    assert (await web.head("/dealer")).status_code == 200


async def test_a_page_says_of_which_edition_it_is(web: Any) -> None:
    """By this a page that follows no stream finds out that it is an old one."""
    told = {(await web.get(path)).headers["pages-edition"] for path in ("/rules", "/dealer")}
    assert len(told) == 1
    assert re.fullmatch("[0-9a-f]{16}", told.pop())
    again = await web.get(
        "/rules", headers={"If-None-Match": (await web.get("/rules")).headers["etag"]}
    )
    assert (again.status_code, "pages-edition" in again.headers) == (304, True)
