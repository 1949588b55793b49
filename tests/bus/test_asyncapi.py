"""The AsyncAPI document: whatever a record may hold is described.

Messages of running tables are held against it where they are sent: `test_forwarder`,
`test_commands`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import hypothesis.strategies as st
import jsonschema_rs
import pytest
from hypothesis import given

from controller.__main__ import main
from controller.bus.asyncapi import asyncapi
from controller.record.codec import encode
from controller.record.fact_kinds import KINDS
from controller.rules.cards import DECK_52, JOKER, Card, card
from controller.rules.messages import Amount, Message, Seat, message
from controller.rules.sealed import Sealed
from controller.service.status_view import status
from controller.table.alarms import AlarmTimes
from controller.table.facts import Record
from controller.table.gaming_day import CarryOver
from controller.web.json_views import encode as json_of
from tests.bus.described import described, fit, fits, resolved
from tests.support.forms import examples
from tests.web.desk import PlayedDesk

MESSAGE = message("what", card=card("Th"), amount=Amount(500), seat=Seat(2), why=message("inner"))
OF_TYPE = {
    Card: st.sampled_from((*DECK_52, JOKER)),
    Message: st.just(MESSAGE),
    Sealed: st.sampled_from((Sealed(None), Sealed(card("Ah"), nonce=bytes(16)))),
    AlarmTimes: st.just(AlarmTimes()),
    CarryOver: st.just(CarryOver({}, "00" * 32, bytes(16))),
}
for kind, strategy in OF_TYPE.items():
    st.register_type_strategy(kind, strategy)


@pytest.mark.parametrize("kind", KINDS.names, ids=lambda kind: kind.__name__)
def test_every_fact_on_record_is_described(kind: Any) -> None:
    @examples(3, long=100)
    @given(st.from_type(kind))
    def each(fact: Any) -> None:
        written = json.loads(encode(Record(1, 2, 3, "scanner", fact)))
        fit({"$ref": "#/components/schemas/Record"}, written)

    each()


def test_a_message_that_is_not_described_is_noticed() -> None:
    """What the other tests of it rely on."""
    line = {"seq": 1, "version": 2, "hash": "", "body": '["CardDealt/1",1,2,"",{"card":"Zz"}]'}
    sent = {"table": "T1", "identity": "", "after": {"seq": 0, "hash": ""}, "records": [line]}
    with pytest.raises(AssertionError, match="CardDealt"):
        fits("records", json.dumps(sent).encode())
    with pytest.raises(AssertionError, match="is not valid"):
        fits("head", b"{}")


def test_a_status_is_described() -> None:
    desk = PlayedDesk()
    for stopped in (False, True):
        if stopped:
            desk.stop()
        shown = status(desk)
        assert (shown.seq < 0) is stopped
        envelope = b'{"table":"T1","seq":%d,"at_ms":4,"status":%b}' % (shown.seq, json_of(shown))
        fits("status", envelope)


def test_all_that_it_refers_to_is_there() -> None:
    document = asyncapi()
    assert set(refs(document)), "there are some"
    for each in refs(document):
        resolved(document, {"$ref": each})
    for schema in described()["components"]["schemas"].values():
        assert jsonschema_rs.meta.is_valid(
            {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
        )


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["asyncapi"]) == 0
    assert json.loads(capsys.readouterr().out) == asyncapi()


def refs(value: Any) -> Iterator[str]:
    """Every reference in a document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from refs(each)
    if isinstance(value, list):
        for each in value:
            yield from refs(each)
