"""One table in three languages at once: dealer, players and pit, each page as the house says."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from controller.access.staff import Staff
from controller.rules.messages import message
from controller.service.input_queue import STOPPING
from controller.service.ports import Beside, ConfigNotice, TableStopped
from controller.table.roles import Role
from controller.web.app import create_app
from controller.web.settings import WebSettings, page_languages
from tests.support.forms import long_only, quick_first
from tests.support.people import add_person
from tests.support.pit import Pit, setup
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
        long_only("/overlay", "es", "Gráfico"), ("/", "en", "Table status"),
        long_only("/rules?at=dealer", "fi", "Säännöt"),
        long_only("/rules?at=players", "es", "Reglas"),
        long_only("/rules", "en", "Rules"), ("/rules?at=players&lang=fi", "fi", "Säännöt"),
        ("/dealer?lang=sv", "sv", "Dealerskärm"), long_only("/players?lang=en", "en", "The table"),
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


@pytest.mark.parametrize(
    "query", quick_first(["lang=xx", "lang=", "lang=FI", "lang=../fi"], ["lang=../fi"])
)
@pytest.mark.parametrize("path", ["/dealer", "/api/v1/scene", "/events/dealer"])
async def test_an_unknown_language_is_refused_with_those_that_there_are(
    abroad: httpx.AsyncClient, path: str, query: str
) -> None:
    answer = await abroad.get(f"{path}?{query}")
    assert answer.status_code == 400
    assert "choose one of en, fi, sv, de, es, lv" in answer.json()["detail"]


async def test_what_is_wrong_with_a_request_is_said_in_its_language(
    abroad: httpx.AsyncClient,
) -> None:
    said = {
        code: (await abroad.get(f"/api/v1/rounds/99?lang={code}")).json()["detail"]
        for code in ("en", "fi", "es")
    }
    assert said["en"] == "Round 99 cannot be recalled: /api/v1/rounds lists those that can"
    assert said["fi"].startswith("Kierrosta 99")
    assert said["es"].startswith("La ronda 99")
    without = await abroad.get("/api/v1/chips?lang=de")
    assert without.status_code == 401
    assert without.json()["detail"].startswith("Das Token des Tisches senden: Authorization:")


async def test_a_stopped_table_says_so_in_the_language_of_who_asks(
    abroad: httpx.AsyncClient, desk: PlayedDesk
) -> None:
    desk.stop()
    answer = await abroad.get("/api/v1/ledger?lang=sv")
    assert answer.status_code == 503
    assert answer.json()["detail"].startswith("Journalen är inte tillgänglig")


async def test_the_service_that_stops_says_so_in_the_language_of_who_asks(
    abroad: httpx.AsyncClient, desk: PlayedDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def submit(*_: object, **__: object) -> None:
        raise TableStopped(STOPPING)

    monkeypatch.setattr(desk, "submit", submit)
    body = {"do": "close_bets"}
    english, finnish = [
        (await abroad.post(f"/api/v1/commands{query}", json=body, headers=WRITER)).json()
        for query in ("", "?lang=fi")
    ]
    assert english["refused"].startswith("The service is stopping")
    assert finnish["refused"].startswith("Palvelu")


async def test_the_house_that_loses_and_its_configuration_are_told_in_the_readers_language(
    abroad: httpx.AsyncClient, desk: PlayedDesk
) -> None:
    desk.open_anew(name="casino-7-27")
    refused = ConfigNotice(message("configuration-refused"), "web.port: 99999 is too large")
    desk.beside = Beside(notice=refused)
    status = (await abroad.get("/api/v1/table?lang=de")).json()
    assert status["house_loses"].startswith("DAS HAUS VERLIERT: der Vorteil")
    assert status["notice"] == [
        "Die Konfiguration wurde nicht übernommen, die vorige gilt.",
        "web.port: 99999 is too large",
    ]


async def test_why_there_is_no_edge_is_told_in_the_readers_language(
    abroad: httpx.AsyncClient, desk: PlayedDesk
) -> None:
    desk.pit = Pit(setup(5, "finnish-27", min_bet=500))
    english, spanish = [
        (await abroad.get(f"/api/v1/table{query}")).json()["edge_note"]
        for query in ("", "?lang=es")
    ]
    assert english == "The house edge by these options is not computed."
    assert spanish == "La ventaja de la casa con estas opciones no está calculada."


@pytest.mark.parametrize(
    ("code", "says"),
    [("en", "Name and PIN do not fit"), ("fi", "Nimi ja PIN"), ("lv", "Vārds un PIN")],
)
async def test_a_wrong_pin_is_refused_in_the_language_of_who_typed_it(
    tmp_path: Path, desk: PlayedDesk, code: str, says: str
) -> None:
    add_person(tmp_path / "people.toml", "eino", Role.FLOOR, "5678")
    settings = WebSettings(token=TOKEN, people=Staff(tmp_path / "people.toml"))
    app = httpx.ASGITransport(create_app(desk, settings))
    async with httpx.AsyncClient(transport=app, base_url=f"http://127.0.0.1:{PORT}") as web:
        body = {"do": "call_floor", "people": [{"name": "eino", "pin": "0000"}]}
        answer = await web.post(f"/api/v1/commands?lang={code}", json=body, headers=WRITER)
    assert answer.status_code == 403
    assert answer.json()["detail"].startswith(says)
