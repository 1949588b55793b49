"""One table in three languages at once: dealer, players and pit, each page as the house says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import httpx
import pytest

from controller.web.app import create_app
from controller.web.settings import WebSettings, page_languages
from tests.web.conftest import PORT, TOKEN, WRITER
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio


@pytest.fixture
async def abroad(desk: PlayedDesk) -> AsyncIterator[httpx.AsyncClient]:
    """A table whose dealer reads Finnish, whose players Spanish, and whose pit English."""
    settings = WebSettings(token=TOKEN, languages=page_languages("en", "fi", "es"))
    app = httpx.ASGITransport(create_app(desk, settings))
    async with httpx.AsyncClient(transport=app, base_url=f"http://127.0.0.1:{PORT}") as web:
        yield web


@pytest.mark.parametrize(
    ("page", "code", "title"),
    [
        ("/dealer", "fi", "Jakajan näyttö"), ("/players", "es", "La mesa"),
        ("/overlay", "es", "Gráfico"), ("/", "en", "Table status"),
        ("/rules?at=dealer", "fi", "Säännöt"), ("/rules?at=players", "es", "Reglas"),
        ("/rules", "en", "Rules"), ("/rules?at=players&lang=fi", "fi", "Säännöt"),
        ("/dealer?lang=sv", "sv", "Dealerskärm"), ("/players?lang=en", "en", "The table"),
    ],
)  # fmt: skip
async def test_a_page_is_in_the_language_of_who_reads_it(
    abroad: httpx.AsyncClient, page: str, code: str, title: str
) -> None:
    text = (await abroad.get(page)).text
    assert f'<html lang="{code}">' in text
    assert f"<title>{title}</title>" in text
    assert ('id="words"' in text) is (code != "en")


async def test_a_translated_page_is_cached_for_itself(abroad: httpx.AsyncClient) -> None:
    finnish, english = await abroad.get("/dealer"), await abroad.get("/dealer?lang=en")
    assert finnish.headers["etag"] != english.headers["etag"]
    again = await abroad.get("/dealer", headers={"If-None-Match": finnish.headers["etag"]})
    assert again.status_code == 304


async def test_the_words_of_a_page_cannot_end_their_own_block(abroad: httpx.AsyncClient) -> None:
    text = (await abroad.get("/dealer")).text
    block = text.partition('id="words">')[2].partition("</script>")[0]
    assert "<" not in block
    assert json.loads(block)["No bets are placed yet."] == "Panoksia ei ole vielä."


async def test_views_are_drawn_for_each_reader(abroad: httpx.AsyncClient) -> None:
    english = (await abroad.get("/api/v1/scene")).json()
    finnish = (await abroad.get("/api/v1/scene?lang=fi")).json()
    assert finnish["limits"].startswith("Minimi")
    assert english["limits"].startswith("Minimum")
    for name in ("seq", "phase", "tone", "seats", "game"):
        assert finnish[name] == english[name]
    assert (await abroad.get("/api/v1/scene")).json() == english
    status = (await abroad.get("/api/v1/table?lang=de")).json()
    assert status["rule"].startswith("Croupier nimmt")


async def test_a_refusal_keeps_its_code_in_any_language(abroad: httpx.AsyncClient) -> None:
    bad = {"do": "close_bets"}
    answers = [
        (await abroad.post(f"/api/v1/commands{query}", json=bad, headers=WRITER))
        for query in ("", "?lang=es")
    ]
    english, spanish = (each.json() for each in answers)
    assert [each.status_code for each in answers] == [409, 409]
    assert english["code"] == spanish["code"]
    assert english["refused"] != spanish["refused"]


@pytest.mark.parametrize("query", ["lang=xx", "lang=", "lang=FI", "lang=../fi"])
@pytest.mark.parametrize("path", ["/dealer", "/api/v1/scene", "/events/dealer"])
async def test_an_unknown_language_is_refused_with_those_that_there_are(
    abroad: httpx.AsyncClient, path: str, query: str
) -> None:
    answer = await abroad.get(f"{path}?{query}")
    assert answer.status_code == 400
    assert "choose one of en, fi, sv, de, es, lv" in answer.json()["detail"]
