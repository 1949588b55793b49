"""What is public of a record: every kind and field was thought of; no hidden card, nobody's id."""

from __future__ import annotations

import asyncio
import json
import random
import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import httpx
import hypothesis.strategies as st
import jsonschema_rs
import pytest
from hypothesis import given

from controller.record.codec import encode
from controller.record.fact_kinds import FactKinds
from controller.rules.cards import card
from controller.rules.games.registry import GAMES
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.facts import Fact, Record
from controller.web.app import create_app
from controller.web.feed.feed_api import feed_api
from controller.web.feed.public_facts import SHOWN, WITHHELD, PublicFacts
from controller.web.settings import WebSettings
from tests.bus import test_asyncapi  # noqa: F401  (how cards and messages are drawn)
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.journals import dealing, write_journal
from tests.support.forms import examples, quick_first
from tests.support.patience import PATIENCE_S
from tests.support.pit import Pit, setup
from tests.web.conftest import TOKEN
from tests.web.desk import PlayedDesk
from tests.web.server import Served

#: Fields that name people, devices, pictures or what somebody typed: of no public fact.
PRIVATE = {"by", "reason", "source", "evidence", "person", "player", "software", "taken_out"}
#: These name a card that lies face up.
FACE_UP = (f.CardDealt, f.CardTurned, f.KeptCardUsed)
CARD = re.compile(r'"(?:[2-9TJQKA][cdhs]|Jo)"')


@cache
def validator() -> jsonschema_rs.Draft7Validator:
    """What checks a public event against the document of the feed, to the last field."""
    parts = json.loads(json.dumps(feed_api()["components"]))
    for schema in parts["schemas"].values():
        if "properties" in schema:
            schema |= {"additionalProperties": False, "required": list(schema["properties"])}
    schema = {"$ref": "#/components/schemas/PublicEvent", "components": parts}
    return jsonschema_rs.Draft7Validator(json.dumps(schema))


def test_every_kind_of_fact_is_shown_or_withheld() -> None:
    assert set(SHOWN) | set(WITHHELD) == set(get_args(Fact))
    assert not set(SHOWN) & set(WITHHELD)


def test_every_shown_field_is_one_and_none_is_private() -> None:
    for kind, shown in SHOWN.items():
        assert set(shown) <= {each.name for each in fields(kind)}, kind.__name__
        private = PRIVATE - ({"reason"} if kind is f.HoldRaised else set())
        assert not private & set(shown), kind.__name__


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.__name__)
def test_a_public_fact_has_its_shown_fields_and_is_described(kind: Any) -> None:
    @examples(3, long=100)
    @given(st.from_type(kind))
    def each(fact: Any) -> None:
        body = encode(Record(1, 2, 3, "scanner", fact))
        line = PublicFacts().of(body)
        assert line is not None
        assert line.at_ms == 2
        whole = json.loads(body)[-1]
        shown = json.loads(line.fact)
        assert shown == {name: whole[name] for name in SHOWN[kind]}
        event = {"seq": 1, "round": None, "at_ms": 2, "kind": line.kind, "fact": shown}
        validator().validate(event)

    each()


def test_nothing_is_told_of_what_is_withheld() -> None:
    known = PublicFacts()
    assert known.of(encode(Record(1, 2, 3, "web", f.NoteSent("hello")))) is None


def test_a_hidden_card_is_its_commitment() -> None:
    sealed = Sealed(card("Ah"), "4711", nonce=bytes(range(16)))
    line = PublicFacts().of(encode(Record(1, 2, 3, "", f.CardDealtDown(sealed, 0, 1, "scanner"))))
    assert line is not None
    assert json.loads(line.fact)["card"] == sealed.digest
    assert b"4711" not in line.fact
    assert b"Ah" not in line.fact


def test_a_fact_of_an_older_version_is_told_in_todays_form() -> None:
    def add_seat(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, "seat": old["spot"]}

    kinds = FactKinds(get_args(Fact), {f.WagerRemoved: (add_seat,)})
    line = PublicFacts(kinds).of(b'["WagerRemoved/1",5,6,"web",{"spot":3}]')
    assert line is not None
    assert (line.kind, json.loads(line.fact)) == ("WagerRemoved/2", {"seat": 3})
    with pytest.raises(KeyError):
        PublicFacts(kinds).of(b'["WagerRemoved/3",5,6,"web",{"spot":3}]')


@pytest.mark.parametrize(
    ("fact", "then"),
    [
        (f.CardTurned(card("Ah"), 0, 1), {"card": "Ah", "seat": 0, "hand": 1}),
        (f.DealerPeeked(natural=True), {"natural": True}),
        (f.RoundVoided(7), {"number": 7, "reason": "misdeal"}),
    ],
)
def test_a_record_of_before_a_field_was_added_is_told_with_what_it_means(
    fact: Any, then: dict[str, Any]
) -> None:
    """As the codec reads it: what is not there has its default."""
    now = encode(Record(1, 2, 3, "web", fact))
    before = json.dumps([json.loads(now)[0], 2, 3, "web", then]).encode()
    told, wanted = PublicFacts().of(before), PublicFacts().of(now)
    assert told is not None
    assert wanted is not None
    assert json.loads(told.fact) == json.loads(wanted.fact)


@pytest.mark.parametrize("seed", quick_first(range(8), range(1)))
@pytest.mark.parametrize("name", GAMES)
def test_no_card_is_told_but_those_that_lie_face_up(name: str, seed: int) -> None:
    pit = Pit(setup(5, name))
    croupier = Croupier(pit, random.Random(seed))
    known, hidden, looked = PublicFacts(), 0, 0

    def look() -> None:
        nonlocal hidden, looked
        sent = ""
        for record in pit.records[looked:]:
            line = known.of(encode(record))
            fact = json.loads(line.fact) if line else {}
            if isinstance(record.fact, FACE_UP):
                fact.pop("card")
            sent += json.dumps(fact)
        looked = len(pit.records)
        assert not CARD.search(sent)
        for each in (each for cards in croupier.down.values() for each in cards):
            hidden += 1
            assert not each.serial or each.serial not in sent

    croupier.round(dict.fromkeys(range(1, 6), 1_000), look)
    look()
    assert hidden


async def followed(web: httpx.AsyncClient, query: str, last: int) -> list[dict[str, Any]]:
    """The public facts from there on, until that of record `last`; each as it is described."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE_S), web.stream("GET", f"/events/public{query}") as answer:
        assert answer.status_code == 200
        name = ""
        async for line in answer.aiter_lines():
            name = line.removeprefix("event: ") if line.startswith("event: ") else name
            if name == "fact" and line.startswith("data: "):
                validator().validate(json.loads(line[6:]))
                found.append(json.loads(line[6:]))
                if found[-1]["seq"] >= last:
                    return found
    raise AssertionError("the stream ended")


@pytest.mark.anyio
async def test_everybody_may_follow_what_is_public_from_any_record_on(tmp_path: Path) -> None:
    desk = PlayedDesk()
    rounds = dealing(7, "blackjack")
    desk.pit = next(rounds)
    desk.pit = next(rounds)
    write_journal(tmp_path, desk.pit.records)
    known = PublicFacts()
    public = [each.seq for each in desk.pit.records if known.of(encode(each))]
    app = create_app(desk, WebSettings(token=TOKEN, record=tmp_path, max_viewers=1))
    server = Served(app)
    serving = asyncio.ensure_future(server.serve([server.listening]))
    last = public[-1]
    async with httpx.AsyncClient(
        base_url=server.url, timeout=PATIENCE_S, trust_env=False, verify=False
    ) as web:
        whole = await followed(web, "?after=0", last)
        assert [each["seq"] for each in whole] == public
        assert whole[-1]["round"].endswith("-2")
        assert await followed(web, f"?after={public[-5]}", last) == whole[-4:]
        newest = await followed(web, "?newest=10", last)
        assert newest == [each for each in whole if each["seq"] > last - 10]
        assert await followed(web, "?newest=9999", last) == whole
        assert (await web.get("/events/public?newest=-3")).status_code == 422
        async with web.stream("GET", "/events/public"):
            metrics = (await web.get("/metrics")).text
            assert 'tablectl_viewers{page="public"} 1.0' in metrics
            full = await web.get("/events/public")
            assert full.status_code == 503
            assert full.json()["detail"].startswith("1 consumers are there already")
        desk.close()
        server.should_exit = True
        await serving
