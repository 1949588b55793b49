"""The API: pictures as documents, rounds, and the one way to ask."""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import httpx
import msgspec
import pytest

from controller.access.pin_tries import TRIES
from controller.access.staff import Staff
from controller.devices.inputs import Reading
from controller.devices.safe import SAFE_HEADLINE
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.service.ports import DirectoryView
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.facts import WagerPlaced
from controller.table.irregularities.holds import Resolution
from controller.table.roles import Role
from controller.table.views.public import public
from controller.table.views.scene import scene
from controller.web.app import create_app
from controller.web.settings import WebSettings
from tests.support.people import add_person
from tests.support.pit import Pit, setup
from tests.web.conftest import PORT, TOKEN, WRITER
from tests.web.desk import PlayedDesk

pytestmark = pytest.mark.anyio

COMMANDS = "/api/v1/commands"
JSON = {"Content-Type": "application/json"}


def as_json(view: object) -> Any:
    return msgspec.json.decode(msgspec.json.encode(view))


def play_a_round(desk: PlayedDesk) -> None:
    desk.pit.shuffle()
    desk.pit.bet(1)
    desk.pit.no_more_bets()
    desk.pit.deal("Kh 9c 9d")
    desk.pit.press("stand")
    desk.pit.deal("Qc")
    desk.pit.settle_all()


async def test_the_dealer_display_is_given_as_it_is(desk: PlayedDesk, web: Any) -> None:
    desk.pit.shuffle()
    desk.pit.bet(3, 2_500)
    answer = await web.get("/api/v1/scene")
    assert answer.status_code == 200
    assert answer.json() == as_json(scene(desk.pit.state).dealer)
    assert answer.json()["headline"] == "Place your bets"


async def test_the_status_says_what_waits_and_that_the_table_is_simulated(
    desk: PlayedDesk, web: Any
) -> None:
    play_a_round(desk)
    said = (await web.get("/api/v1/table")).json()
    added = {"simulated": True, "notice": [], "house_loses": "", "edge_note": "", "directory": None}
    assert said == {**as_json(public(desk.pit.state)), **added}
    assert said["rounds"][0]["seats"][0]["seat"] == 1


async def test_a_directory_that_the_pit_sends_is_on_the_status_page_at_once(
    desk: PlayedDesk, web: Any
) -> None:
    """Nothing happens at the table meanwhile, so that its picture stays what it was."""
    assert (await web.get("/api/v1/table")).json()["directory"] is None
    directory = DirectoryView(3, 1_700_000_000_000, 1_700_086_400_000, 12, "0f3a")
    desk.show_beside(replace(desk.beside, directory=directory))
    assert (await web.get("/api/v1/table")).json()["directory"] == as_json(directory)


async def test_rounds_are_listed_and_replayed_step_by_step(desk: PlayedDesk, web: Any) -> None:
    play_a_round(desk)
    listed = (await web.get("/api/v1/rounds")).json()
    assert [each["number"] for each in listed] == [1]
    replayed = (await web.get("/api/v1/rounds/1")).json()
    assert replayed["number"] == 1
    assert [step["text"] for step in replayed["steps"]][:2] == ["13♥ to seat 1", "9♣ to the dealer"]


async def test_a_round_that_is_not_kept_is_reported(web: Any) -> None:
    answer = await web.get("/api/v1/rounds/7")
    assert answer.status_code == 404
    assert answer.json() == {
        "detail": "Round 7 cannot be recalled: /api/v1/rounds lists those that can"
    }


@pytest.mark.parametrize("number", ["0", "-1", "first", "1.5", str(2**63)])
async def test_a_round_number_that_is_none_is_reported(web: Any, number: str) -> None:
    answer = await web.get(f"/api/v1/rounds/{number}")
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("number: ")


@pytest.mark.parametrize(
    ("body", "command"),
    [
        ({"do": "place_wager", "seat": 3, "amount": 2_500}, i.PlaceWager(3, 2_500)),
        ({"do": "place_wager", "seat": 3, "amount": None}, i.PlaceWager(3, None)),
        ({"do": "place_wager", "seat": 3.0, "amount": 2.5e3}, i.PlaceWager(3, 2_500)),
        ({"do": "remove_wager", "seat": 3}, i.RemoveWager(3)),
        ({"do": "decide", "seat": 1, "action": "hit"}, i.Decide(1, Action.HIT)),
        ({"do": "decide", "seat": 1, "action": "stand", "hand": 2}, i.Decide(1, Action.STAND, 2)),
        (
            {"do": "resolve", "hold": 4, "resolution": "count", "cards": 8},
            i.Resolve(4, Resolution.COUNT, cards=8),
        ),
        (
            {
                "do": "resolve",
                "hold": 4,
                "resolution": "count",
                "seats": [{"seat": 1, "cards": 2}, {"seat": 0, "cards": 1}],
            },
            i.Resolve(4, Resolution.COUNT, seats=(i.CardsAtSeat(1, 2), i.CardsAtSeat(0, 1))),
        ),
        ({"do": "undo", "hold": 4}, i.Undo(4)),
        (
            {"do": "resolve", "hold": 4, "resolution": "enter_card", "card": "Th"},
            i.Resolve(4, Resolution.ENTER_CARD, "Th"),
        ),
        ({"do": "change_dealer", "person": "7f3a91c2"}, i.ChangeDealer("7f3a91c2")),
    ],
)
async def test_a_command_reaches_the_table_as_its_type(
    desk: PlayedDesk, web: Any, body: dict[str, Any], command: i.Command
) -> None:
    await web.post(COMMANDS, json={**body, "view_seq": 2})
    assert desk.asked == [(command, None, 2)]
    assert type(desk.asked[0][0]) is type(command)


async def test_what_is_accepted_is_on_record(desk: PlayedDesk, web: Any) -> None:
    desk.pit.shuffle()
    answer = await web.post(COMMANDS, json={"do": "place_wager", "seat": 2, "amount": 5_000})
    assert answer.status_code == 200
    assert answer.json() == {"accepted": True, "seq": desk.pit.records[-1].seq}
    assert desk.pit.facts[-1] == WagerPlaced(2, 5_000)


async def test_what_is_refused_is_refused_in_the_words_of_the_rule(
    desk: PlayedDesk, web: Any
) -> None:
    desk.pit.shuffle()
    answer = await web.post(COMMANDS, json={"do": "place_wager", "seat": 9, "amount": 5_000})
    assert answer.status_code == 409
    assert answer.json() == {
        "accepted": False, "seq": desk.pit.records[-1].seq,
        "refused": "There is no seat 9: this table has seats 1 to 5", "code": "no-such-seat",
        "step": None,
    }  # fmt: skip


async def test_a_press_on_an_old_picture_is_refused(desk: PlayedDesk, web: Any) -> None:
    old = (await web.get("/api/v1/scene")).json()
    desk.pit.shuffle()
    answer = await web.post(COMMANDS, json={"do": "load_pack", "view_seq": old["seq"]})
    assert answer.status_code == 409
    assert "moved on" in answer.json()["refused"]


async def test_a_command_sent_twice_with_its_key_acts_once(desk: PlayedDesk, web: Any) -> None:
    desk.pit.shuffle()
    body = {"do": "place_wager", "seat": 2, "amount": 5_000}
    key = {"Idempotency-Key": "studio-7.round_12"}
    first = await web.post(COMMANDS, json=body, headers=key)
    again = await web.post(COMMANDS, json=body, headers=key)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert [asked[1] for asked in desk.asked] == ["studio-7.round_12"] * 2
    assert desk.pit.facts.count(WagerPlaced(2, 5_000)) == 1


@pytest.mark.parametrize("key", ["", "x" * 65, "two words", "ä".encode(), "semi;colon"])
async def test_a_key_that_is_none_is_reported(desk: PlayedDesk, web: Any, key: str | bytes) -> None:
    headers = {"Idempotency-Key": key}
    answer = await web.post(COMMANDS, json={"do": "load_pack"}, headers=headers)
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("Idempotency-Key: ")
    assert desk.asked == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "do: it is missing"),
        ([], "body: "),
        ("load_pack", "body: "),
        ({"do": "fly"}, "do: one of 'place_wager', "),
        ({"do": "place_wager", "seat": 1}, "place_wager.amount: Field required"),
        ({"do": "place_wager", "seat": "1", "amount": 1}, "place_wager.seat: "),
        ({"do": "place_wager", "seat": True, "amount": 1}, "place_wager.seat: "),
        ({"do": "place_wager", "seat": 1, "amount": 10.5}, "place_wager.amount: "),
        ({"do": "place_wager", "seat": 1, "amount": 0}, "place_wager.amount: "),
        ({"do": "place_wager", "seat": 1, "amount": 10**12 + 1}, "place_wager.amount: "),
        ({"do": "place_wager", "seat": 65, "amount": 1}, "place_wager.seat: "),
        ({"do": "decide", "seat": 1, "action": "wave"}, "decide.action: "),
        ({"do": "load_pack", "now": True}, "load_pack.now: Extra inputs are not permitted"),
        ({"do": "load_pack", "view_seq": -2}, "load_pack.view_seq: "),
        ({"do": "load_pack", "\ud800": 1}, "load_pack: "),
        ({"do": "\ud800"}, "do: one of"),
        ({"do": "load_pack", "x" * 9_000: 1}, "load_pack.xxx"),
    ],
)
async def test_what_fits_no_command_is_described_with_the_remedy(
    desk: PlayedDesk, web: Any, body: Any, says: str
) -> None:
    answer = await web.post(COMMANDS, content=json.dumps(body), headers=JSON)
    assert answer.status_code == 422
    said = answer.json()["detail"]
    assert said.startswith(says)
    assert said.endswith("Send it as /openapi.json describes it.") or len(said) == 600
    assert desk.asked == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b'{"do": NaN}x', b"[" * 9_000, b'{"seat": ' + b"1" * 9_000 + b"}"],
)
async def test_rubbish_is_reported_and_never_asked(desk: PlayedDesk, web: Any, body: bytes) -> None:
    answer = await web.post(COMMANDS, content=body, headers=JSON)
    assert answer.status_code in (400, 422)
    assert len(answer.json()["detail"]) > 20
    assert desk.asked == []


@pytest.mark.parametrize(
    "body",
    [
        {"do": "change_dealer", "person": "\ud800"},
        {"do": "change_dealer", "person": "\x00"},
        {"do": "resolve", "hold": 1, "resolution": "enter_card", "card": "\udfff\n"},
    ],
)
async def test_words_that_cannot_be_written_do_not_reach_the_record(
    desk: PlayedDesk, web: Any, body: dict[str, Any]
) -> None:
    # Every record of this desk goes through the codec: one that cannot be written would fail here.
    desk.pit.shuffle()
    desk.pit.bet(1)
    desk.pit.no_more_bets()
    desk.pit.scanner_down()
    answer = await web.post(COMMANDS, content=json.dumps(body), headers=JSON)
    assert answer.status_code in (409, 422)


async def test_every_command_of_the_table_is_offered(web: Any) -> None:
    described = (await web.get("/openapi.json")).json()
    post = described["paths"][COMMANDS]["post"]
    mapping = post["requestBody"]["content"]["application/json"]["schema"]["discriminator"]
    assert set(mapping["mapping"]) == {
        each.__dataclass_fields__["do"].default for each in get_args(i.Command)
    }


async def test_a_stopped_table_shows_safe_and_takes_nothing(desk: PlayedDesk, web: Any) -> None:
    play_a_round(desk)
    desk.stop()
    assert (await web.get("/api/v1/scene")).json()["headline"] == SAFE_HEADLINE
    status = (await web.get("/api/v1/table")).json()
    assert (status["waiting_for"], status["tone"], status["who"], status["rounds"]) == (
        SAFE_HEADLINE, "safe", "floor", [],
    )  # fmt: skip
    for path in ("/api/v1/rounds", "/api/v1/rounds/1"):
        answer = await web.get(path)
        assert answer.status_code == 503
        assert "call the floor" in answer.json()["detail"]
    answer = await web.post(COMMANDS, json={"do": "load_pack"})
    assert answer.status_code == 503
    assert answer.json() == {
        "accepted": False, "seq": -1,
        "refused": "the disk is full: make room, then start the service again", "code": "",
        "step": None,
    }  # fmt: skip


async def test_while_a_commit_takes_too_long_nothing_is_shown_of_the_table(
    desk: PlayedDesk, web: Any
) -> None:
    play_a_round(desk)
    desk.hesitating = True
    assert (await web.get("/api/v1/table")).json()["waiting_for"] == SAFE_HEADLINE
    assert (await web.get("/api/v1/rounds/1")).status_code == 503
    assert (await web.get("/healthz")).status_code == 503
    assert "tablectl_record_available 0.0" in (await web.get("/metrics")).text
    desk.hesitating = False
    assert (await web.get("/api/v1/table")).json()["waiting_for"] == "Place your bets"
    assert (await web.get("/api/v1/rounds/1")).status_code == 200


async def test_an_answer_that_does_not_come_is_reported(desk: PlayedDesk) -> None:
    app = create_app(desk, WebSettings(token=TOKEN, answer_timeout_s=0.01))
    desk.answering.clear()
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=f"http://127.0.0.1:{PORT}", headers=WRITER
    ) as web:
        answer = await web.post(COMMANDS, json={"do": "load_pack"})
    assert answer.status_code == 503
    assert "send it again with the same key" in answer.json()["refused"]


async def test_while_one_waits_for_an_answer_others_are_served(desk: PlayedDesk, web: Any) -> None:
    desk.answering.clear()
    asking = asyncio.create_task(web.post(COMMANDS, json={"do": "load_pack"}))
    assert (await web.get("/api/v1/scene")).status_code == 200
    desk.answering.set()
    assert (await asking).status_code == 200


@pytest.mark.parametrize(("path", "method"), [("/api/v2", "GET"), ("/api/v1/table/", "GET")])
async def test_what_is_not_there_is_reported(web: Any, path: str, method: str) -> None:
    answer = await web.request(method, path)
    assert answer.status_code == 404
    assert "/openapi.json lists" in answer.json()["detail"]


async def test_what_is_asked_in_the_wrong_way_is_reported(web: Any) -> None:
    answer = await web.get(COMMANDS)
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert "/openapi.json says which" in answer.json()["detail"]
    assert (await web.delete("/api/v1/table")).status_code == 405


async def test_the_floor_proves_itself_by_name_and_pin(tmp_path: Path) -> None:
    """What the floor has to stand for is refused without, and with a wrong PIN; never told on."""
    file = tmp_path / "people.toml"
    add_person(file, "eino", Role.FLOOR, "4711")
    desk = PlayedDesk()
    desk.pit = Pit(replace(setup(3), roles=True))
    desk.pit.give(i.CallFloor())
    app = create_app(desk, WebSettings(token=TOKEN, people=Staff(file)))
    body = {"do": "resolve", "hold": desk.pit.state.holds[-1].number, "resolution": "release"}
    url = f"http://127.0.0.1:{PORT}"
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url=url, headers=WRITER
    ) as client:
        answers = []
        for people in ([], [{"name": "eino", "pin": "1111"}], [{"name": "eino", "pin": "4711"}]):
            asked = {**body, "people": people, "reason": "looked at it"}
            answers.append(await client.post(COMMANDS, json=asked))
    assert [each.status_code for each in answers] == [409, 403, 200]
    assert "the floor" in answers[0].json()["refused"]
    assert "do not fit" in answers[1].json()["detail"]
    assert "4711" not in f"{desk.pit.records!r}{answers}"


async def test_many_guesses_at_once_are_one_judged_pin_and_one_record(tmp_path: Path) -> None:
    """Of 300 guesses of one name at once a single one is judged, and no right one gets through."""
    file = tmp_path / "people.toml"
    eino = add_person(file, "eino", Role.FLOOR, "4711")
    desk = PlayedDesk()
    desk.pit = Pit(replace(setup(3), roles=True))
    desk.names = {eino: "eino"}
    desk.pit.give(i.CallFloor())
    now = [0.0]
    staff = Staff(file, now_s=lambda: now[0])
    app = create_app(desk, WebSettings(token=TOKEN, people=staff))
    hold = desk.pit.state.holds[-1].number
    body = {"do": "resolve", "hold": hold, "resolution": "release", "reason": "looked at it"}

    def asked(pin: str) -> dict[str, Any]:
        return {**body, "people": [{"name": "eino", "pin": pin}]}

    transport, url = httpx.ASGITransport(app), f"http://127.0.0.1:{PORT}"
    async with httpx.AsyncClient(transport=transport, base_url=url, headers=WRITER) as client:
        guesses = [client.post(COMMANDS, json=asked(f"{each:04}")) for each in range(4_500, 4_800)]
        answers = await asyncio.gather(*guesses)
        assert sorted({each.status_code for each in answers}) == [403, 429]
        waits = [each.headers["retry-after"] for each in answers if each.status_code == 429]
        assert (len(waits), all(map(int, waits))) == (299, True)
        for _ in range(TRIES - 1):
            await client.post(COMMANDS, json=asked("0000"))
        assert (await client.post(COMMANDS, json=asked("4711"))).status_code == 429
        noted = [each for each in desk.pit.facts if isinstance(each, f.WrongPins)]
        assert noted == [f.WrongPins(eino, 299 + TRIES, 60)], "a lock-out is one record"
        shown = (await client.get("/api/v1/table")).json()["wrong_pins"]
        assert [(each["who"], each["wrong"]) for each in shown] == [("eino", 299 + TRIES)]
        assert shown[0]["locked_until_ms"] == shown[0]["at_ms"] + 60_000
        figures = (await client.get("/metrics")).text
        assert "tablectl_pin_lockouts_total 1.0" in figures
        now[0] = 61.0
        answer = await client.post(COMMANDS, json=asked("4711"))
        assert answer.status_code == 200
        assert "HttpOnly" in answer.headers["set-cookie"]
        # At this display the person is known: what others guess does not lock them out here.
        async with httpx.AsyncClient(transport=transport, base_url=url, headers=WRITER) as other:
            for _ in range(TRIES):
                assert (await other.post(COMMANDS, json=asked("0000"))).status_code == 403
            assert (await other.post(COMMANDS, json=asked("4711"))).status_code == 429
        assert (await client.post(COMMANDS, json=asked("4711"))).status_code == 409


async def test_the_likeliest_cards_of_a_step_are_reported_for_a_correction(
    desk: PlayedDesk, web: Any
) -> None:
    desk.pit.shuffle()
    desk.pit.bet(1)
    desk.pit.no_more_bets()
    desk.pit.deal("6h 9c 9d 7s")
    found = (await web.get("/api/v1/rounds/1/steps/2/likely")).json()
    assert found[:3] == ["9c", "9h", "9s"]
    assert "9d" not in found
    for path in ("/api/v1/rounds/7/steps/2/likely", "/api/v1/rounds/1/steps/99/likely"):
        assert (await web.get(path)).status_code == 404


async def test_a_picture_is_shown_with_its_open_card_and_no_other_one(
    desk: PlayedDesk, web: Any
) -> None:
    jpegs = {hashlib.sha256(each).hexdigest(): each for each in (b"open", b"not asked for")}
    shown, unshown = jpegs
    desk.pictures = jpegs
    desk.pit.shuffle()
    desk.pit.bet(1)
    desk.pit.no_more_bets()
    desk.pit.give(Reading("scanner", Sealed(card("Kh")), apart=True, evidence=b"open"))
    (step,) = (await web.get("/api/v1/rounds/1")).json()["steps"]
    assert step["picture"] == shown
    answer = await web.get(f"/api/v1/pictures/{shown}")
    assert (answer.status_code, answer.content) == (200, b"open")
    assert answer.headers["content-type"] == "image/jpeg"
    assert answer.headers["cache-control"] == "no-store"
    assert (await web.get(f"/api/v1/pictures/{unshown}")).status_code == 404
    desk.pictures = {}
    assert (await web.get(f"/api/v1/pictures/{shown}")).status_code == 404
    assert (await web.get("/api/v1/pictures/passwd")).status_code == 422
