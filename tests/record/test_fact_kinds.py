"""Every kind of fact has a version: what is newer is named as newer, what is older is read on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from controller.record.codec import VERSION, CodecError, Decoder, NewerRecord, encode, kind_of
from controller.record.fact_kinds import KINDS, FactKinds
from controller.rules.cards import card
from controller.table.facts import CardDealt, DealerPeeked, Record, ServiceStarted, ShoeCut
from tests.record.fact_versions import pinned, today

BUILD = "0.3.1+4f2c0000"
STARTED = Record(1, 5, 6, "start", ServiceStarted(BUILD, ("scanner",)))
DEALT = Record(2, 5, 6, "scan", CardDealt(card("Kh"), 1, 1, "scanner"))


def decoder(kinds: FactKinds = KINDS) -> Decoder:
    return Decoder(lambda _: None, kinds)


def read(*bodies: bytes, kinds: FactKinds = KINDS) -> list[Record]:
    decode = decoder(kinds).decode
    return [decode(seq, VERSION, body) for seq, body in enumerate(bodies, start=1)]


def test_a_record_names_its_kind_with_its_version() -> None:
    assert encode(DEALT).startswith(b'["CardDealt/1",5,6,"scan",{')
    assert kind_of(encode(DEALT)) == "CardDealt/1"
    assert read(encode(STARTED), encode(DEALT)) == [STARTED, DEALT]


@pytest.mark.parametrize(
    ("kind", "changed"), [("CardDealt/2", b'["CardDealt/2"'), ("DayMoved/1", b'["DayMoved/1"')]
)
def test_what_is_newer_is_said_to_be_newer_and_who_wrote_it(kind: str, changed: bytes) -> None:
    body = encode(DEALT).replace(b'["CardDealt/1"', changed)
    with pytest.raises(NewerRecord) as raised:
        read(encode(STARTED), body)
    assert (raised.value.seq, raised.value.kind, raised.value.build) == (2, kind, BUILD)
    assert str(raised.value) == (
        f"record 2 ({kind}) was written by tablectl {BUILD}: start that, or newer"
    )


def test_a_start_of_newer_software_names_itself() -> None:
    body = encode(STARTED).replace(b"ServiceStarted/1", b"ServiceStarted/7")
    with pytest.raises(NewerRecord, match=r"written by tablectl 0\.3\.1\+4f2c0000: start that"):
        read(body)


def test_newer_software_that_gave_no_name_is_still_newer() -> None:
    body = encode(DEALT).replace(b"CardDealt/1", b"CardDealt/2")
    with pytest.raises(NewerRecord, match="written by a newer tablectl: start that, or newer"):
        read(body)


def test_a_newer_form_of_line_is_newer_whatever_it_holds() -> None:
    with pytest.raises(NewerRecord, match="a newer tablectl"):
        decoder().decode(1, VERSION + 1, b"anything")


@pytest.mark.parametrize(
    "name", ["CardDealt", "CardDealt/0", "CardDealt/x", "cardDealt/1", "CardDealt/1/2", ""]
)
def test_what_names_no_kind_is_not_taken_for_newer(name: str) -> None:
    body = encode(DEALT).replace(b"CardDealt/1", name.encode())
    with pytest.raises(CodecError, match="unknown kind") as raised:
        read(body)
    assert not isinstance(raised.value, NewerRecord)


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff\xfe", b'["CardDealt/9"', b'["CardDealt/1",1]'])
def test_what_is_no_line_is_an_error_and_not_newer(body: bytes) -> None:
    with pytest.raises(CodecError) as raised:
        read(body)
    assert not isinstance(raised.value, NewerRecord)


def test_a_line_of_before_the_first_release_is_refused_in_one_sentence() -> None:
    with pytest.raises(CodecError, match="before its first release; keep the file, and begin"):
        decoder().decode(1, 1, b'["CardDealt",1,2,"x",{}]')


@dataclass(frozen=True, slots=True)
class Third:
    """A kind as it is at its third version."""

    seat: int
    to: int
    why: str


def _with_to(fact: dict[str, Any]) -> dict[str, Any]:
    return {**fact, "to": fact["seat"] + 1}


def _with_why(fact: dict[str, Any]) -> dict[str, Any]:
    return {**fact, "why": "it was not asked then"}


THIRD = FactKinds([Third, DealerPeeked], {Third: (_with_to, _with_why)})


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        (b'["Third/1",1,2,"x",{"seat":3}]', Third(3, 4, "it was not asked then")),
        (
            b'["Third/2",1,2,"x",{"seat":3,"to":7}]',
            Third(3, 7, "it was not asked then"),
        ),
        (
            b'["Third/3",1,2,"x",{"seat":3,"to":7,"why":"asked"}]',
            Third(3, 7, "asked"),
        ),
        (b'["DealerPeeked/1",1,2,"x",{"natural":true}]', DealerPeeked(natural=True)),
    ],
)
def test_every_older_version_is_read_as_today_has_it(line: bytes, fact: object) -> None:
    assert read(line, kinds=THIRD) == [Record(1, 1, 2, "x", fact)]  # type: ignore[arg-type]


def test_what_a_raised_version_wrote_is_newer_for_the_software_before_it() -> None:
    second = FactKinds([Third], {Third: (_with_to,)})
    with pytest.raises(NewerRecord, match="Third/3"):
        read(b'["Third/3",1,2,"x",{"seat":3,"to":7,"why":"asked"}]', kinds=second)
    with pytest.raises(NewerRecord, match="ShoeCut/1"):
        read(encode(Record(1, 1, 2, "x", ShoeCut(243, declared=False))), kinds=second)


@pytest.mark.parametrize("name", sorted(KINDS.names.values()))
def test_no_field_of_a_fact_changes_unnoticed(name: str) -> None:
    assert today()[name] == pinned().get(name), (
        f"{name} changed, or is new. New: python -m tests.record.fact_versions. Changed: raise its"
        " version in controller/record/fact_kinds.py first (before the first release: --anew)"
    )


def test_every_version_that_was_ever_written_is_still_known() -> None:
    for name in pinned():
        assert not KINDS.is_newer(name)
