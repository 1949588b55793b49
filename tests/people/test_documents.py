"""A document of people: what a table takes, and all that it refuses."""

from __future__ import annotations

import dataclasses

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from controller.people.document import (
    TOLERANCE_MS,
    PeopleDocument,
    PeopleMark,
    PeopleRefused,
    PersonLine,
    SealedPeople,
    WhyRefused,
    check_next,
    roster_digest,
)
from controller.people.pin_hash import NOBODY, PinRefused, hashed_pin, is_pin_hash, pin_matches
from controller.people.sealing import head_of, opened_document, sealed_document, table_public
from tests.people.documents import AINO, EINO, KEY, KEYS, OWN, document
from tests.support.forms import examples

DAY_MS = 86_400_000


def test_a_table_reads_what_its_pit_says() -> None:
    body, made = document(serial=3)
    read = opened_document(body, "T1", KEYS, OWN)
    assert read == made
    assert read.people == (AINO, EINO)
    assert read.roster == roster_digest("T1", (AINO, EINO))
    assert head_of(body).serial == 3
    for secret in (AINO.name, AINO.pin, AINO.id, EINO.pin):
        assert secret.encode() not in body


BODY = document()[0]


@examples(60, long=5_000)
@given(st.integers(0, len(BODY) - 1), st.integers(1, 255))
def test_any_byte_that_is_changed_is_refused(place: int, mask: int) -> None:
    changed = bytearray(BODY)
    changed[place] ^= mask
    with pytest.raises(PeopleRefused):
        opened_document(bytes(changed), "T1", KEYS, OWN)


@examples(100, long=1_000)
@given(st.integers(0, len(BODY) - 1), st.binary(max_size=4))
def test_what_is_cut_or_longer_is_refused(place: int, more: bytes) -> None:
    with pytest.raises(PeopleRefused):
        opened_document(BODY[:place], "T1", KEYS, OWN)
    if more:
        with pytest.raises(PeopleRefused):
            opened_document(BODY + more, "T1", KEYS, OWN)


@examples(100, long=2_000)
@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_are_refused_in_words(body: bytes) -> None:
    with pytest.raises(PeopleRefused) as refused:
        opened_document(body, "T1", KEYS, OWN)
    assert refused.value.why is WhyRefused.NO_DOCUMENT


def test_another_tables_and_another_pits_are_refused() -> None:
    body, _ = document()
    assert _why(body, table="T2") is WhyRefused.OTHER_TABLE
    other = Ed25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    assert _why(body, keys=(other,)) is WhyRefused.NOT_SIGNED
    assert _why(body, keys=()) is WhyRefused.NOT_SIGNED
    # Either of two keys: one is being changed.
    assert opened_document(body, "T1", (other, *KEYS), OWN).people == (AINO, EINO)
    assert _why(body, own=X25519PrivateKey.generate()) is WhyRefused.OTHER_KEY


def test_a_head_and_people_of_two_documents_make_none() -> None:
    one, other = (msgspec.json.decode(document(serial=n)[0], type=SealedPeople) for n in (1, 2))
    for mixed in (
        SealedPeople(one.head, other.sealed, one.signature),
        SealedPeople(one.head, other.sealed, other.signature),
        SealedPeople(other.head, one.sealed, one.signature),
    ):
        assert _why(msgspec.json.encode(mixed)) is WhyRefused.NOT_SIGNED


def test_a_signature_under_a_command_signs_no_people() -> None:
    sent = msgspec.json.decode(BODY, type=SealedPeople)
    forged = KEY.sign(b"tablectl pit command 1\0" + sent.head.encode()).hex()
    body = msgspec.json.encode(SealedPeople(sent.head, sent.sealed, forged))
    assert _why(body) is WhyRefused.NOT_SIGNED


@pytest.mark.parametrize(
    "people",
    [
        (msgspec.structs.replace(AINO, role="king"),),
        (msgspec.structs.replace(AINO, id="pit-17"),),
        (msgspec.structs.replace(AINO, pin="4711"),),
        (AINO, msgspec.structs.replace(AINO, name="other")),
        (AINO, msgspec.structs.replace(EINO, name=AINO.name)),
    ],
    ids=["role", "id", "pin", "one id twice", "one name twice"],
)
def test_people_whom_no_table_could_act_by_are_no_document(
    people: tuple[PersonLine, ...],
) -> None:
    assert _why(document(people=people)[0]) is WhyRefused.NO_DOCUMENT


def test_the_next_one_is_newer_and_follows_from_what_is_in_force() -> None:
    _, first = document(serial=4)
    _, second = document(serial=5, follows=(first.digest,))
    check_next(first, None, 0)
    check_next(first, first.mark, 0)
    check_next(second, first.mark, 0)
    assert _next(first, second.mark) is WhyRefused.OLDER
    # A pit that was put back to a backup: another one of that number, and one that goes past it.
    _, again = document(serial=5, follows=(first.digest,), people=(EINO,))
    assert _next(again, second.mark) is WhyRefused.OTHER_HISTORY
    _, past = document(serial=9, follows=(first.digest, again.digest))
    assert _next(past, second.mark) is WhyRefused.OTHER_HISTORY


def test_it_is_good_from_when_it_was_made_until_it_says() -> None:
    _, made = document(issued_ms=10 * DAY_MS, good_until_ms=20 * DAY_MS)
    early, late = 10 * DAY_MS - TOLERANCE_MS, 20 * DAY_MS
    check_next(made, None, early)
    check_next(made, None, late - 1)
    assert _next(made, None, early - 1) is WhyRefused.NOT_YET
    assert _next(made, None, late) is WhyRefused.NO_LONGER
    check_next(made, made.mark, late, at_start=True)
    check_next(made, made.mark, 0, at_start=True)


def test_a_table_key_that_is_none_is_said() -> None:
    with pytest.raises(ValueError, match="public key"):
        sealed_document(KEY, "00" * 31, ("T1", 1, 0, 1), (), (EINO,))
    assert table_public(OWN) == document()[1].head.to


@pytest.mark.parametrize(
    "pin", ["12345", "123456", "987654", "111111", "112211", "x" * 65, "a\nbcdef"]
)
def test_a_pin_that_is_guessed_first_is_refused(pin: str) -> None:
    with pytest.raises(PinRefused):
        hashed_pin(pin)


def test_a_pin_is_known_by_its_hash_alone() -> None:
    known = hashed_pin("471108")
    assert is_pin_hash(known)
    assert "471108" not in known
    assert known != hashed_pin("471108")
    assert pin_matches("471108", known)
    assert not pin_matches("471109", known)
    assert not pin_matches("", known)
    assert is_pin_hash(NOBODY)
    assert not pin_matches("471108", NOBODY)


@pytest.mark.parametrize(
    "known",
    ["", "$argon2id$", NOBODY.replace("m=19456", "m=9999999"), NOBODY.replace("t=2", "t=99"),
     NOBODY.replace("argon2id", "argon2i")],
)  # fmt: skip
def test_a_hash_that_would_cost_too_much_is_none(known: str) -> None:
    assert not is_pin_hash(known)
    assert not pin_matches("471108", known)


def _why(
    body: bytes, table: str = "T1", keys: tuple[str, ...] = KEYS, own: X25519PrivateKey = OWN
) -> WhyRefused:
    with pytest.raises(PeopleRefused) as refused:
        opened_document(body, table, keys, own)
    return refused.value.why


def _next(made: PeopleDocument, in_force: PeopleMark | None, now_ms: int = 0) -> WhyRefused:
    with pytest.raises(PeopleRefused) as refused:
        check_next(dataclasses.replace(made), in_force, now_ms)
    return refused.value.why
