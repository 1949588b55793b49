"""Messages of the bus: records cross as they are chained, and what is none of ours is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.bus.messages import (
    BadMessage,
    ChainMark,
    HeadNews,
    RecordBatch,
    RefillRefused,
    RefillRequest,
    Topic,
    batch,
    decode,
    decode_refill,
    encode,
    line_of,
    mark_of,
    message_id,
    position_of,
    row_of,
    subject,
    table_of,
)
from controller.bus.server_conf import PIT, ServerFiles, server_conf
from controller.record.files.chain_store import Row, chain
from controller.record.files.head_anchor import Position, genesis

IDENTITY = bytes(range(32))


def rows(bodies: list[str]) -> list[Row]:
    found: list[Row] = []
    previous = genesis(IDENTITY)
    for number, body in enumerate(bodies, 1):
        row = Row(number, 2, body.encode(), chain(previous.hash, number, 2, body.encode()))
        found.append(row)
        previous = Position(number, row.hash)
    return found


@given(bodies=st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=12))
def test_records_cross_byte_for_byte(bodies: list[str]) -> None:
    sent = rows(bodies)
    crossed = decode(encode(batch("T1", IDENTITY, genesis(IDENTITY), sent)), RecordBatch)
    assert [row_of(each) for each in crossed.records] == sent
    assert position_of(crossed.after) == genesis(IDENTITY)
    assert crossed == decode_refill(encode(crossed))


def test_what_two_tables_of_one_image_send_is_not_taken_for_one_message() -> None:
    body = b'["TableOpened/1",0,0,"",{}]'
    row = Row(1, 2, body, chain(genesis(IDENTITY).hash, 1, 2, body))
    one, again, other = (
        batch(name, IDENTITY, genesis(IDENTITY), [row]) for name in ("T1", "T1", "T2")
    )
    assert message_id(one) == message_id(again)
    assert message_id(one) != message_id(other)


def test_an_answer_is_records_or_why_there_are_none() -> None:
    refused = RefillRefused("T1", IDENTITY.hex(), ChainMark(3, "00" * 32), True, "another record")
    assert decode_refill(encode(refused)) == refused
    asked = RefillRequest(mark_of(genesis(IDENTITY)))
    assert decode(encode(asked), RefillRequest) == asked
    with pytest.raises(BadMessage, match="this is no RefillRefused"):
        decode_refill(b"{}")


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"[]", b'{"table":"T1"}', b"null", b"{" * 5000])
def test_what_is_none_of_ours_is_refused(body: bytes) -> None:
    with pytest.raises(BadMessage, match="this is no HeadNews"):
        decode(body, HeadNews)


@pytest.mark.parametrize("text", ["", "zz", "00" * 31, "00" * 33])
def test_a_hash_is_a_hash(text: str) -> None:
    with pytest.raises(BadMessage, match="is no hash"):
        position_of(ChainMark(1, text))
    line = line_of(rows(["x"])[0])
    with pytest.raises(BadMessage, match="is no hash"):
        row_of(type(line)(line.seq, line.version, line.body, text))


def test_subjects_tell_the_table() -> None:
    assert subject("T-1_b", Topic.STATUS) == "tablectl.T-1_b.status"
    assert table_of("tablectl.T-1_b.status") == "T-1_b"
    for other in ("", "tablectl", "tablectl.T1", "tablectl.T1.x.records", "other.T1.records",
                  "tablectl.*.records", "tablectl..records"):  # fmt: skip
        with pytest.raises(BadMessage, match="is no subject of a table"):
            table_of(other)


def test_a_server_lets_nobody_in_whose_name_is_a_pattern() -> None:
    files = ServerFiles("/var/lib/nats")
    with pytest.raises(ValueError, match="cannot stand in a subject"):
        server_conf("127.0.0.1:4222", files, {PIT: "x", "T1.>": "y"})
