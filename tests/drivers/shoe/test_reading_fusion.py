"""Scanner and camera on one exit: they agree on a card, or the table asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from drivers.shoe.reading_fusion import Needs, ReadingFusion

MS = 1_000_000
PATIENCE = 500


def reading(source: str, what: str | Doubt, passed: int | None) -> Reading:
    ns = None if passed is None else passed * MS
    if isinstance(what, Doubt):
        return Reading(source, None, what, apart=passed is not None, passed_ns=ns)
    picture = b"jpeg" if source == "camera" else b""
    sure = 0.9 if source == "camera" else None
    sealed = Sealed(card(what), "000123" if source == "scanner" else "")
    return Reading(source, sealed, apart=True, passed_ns=ns, evidence=picture, confidence=sure)


def fusion(
    scanned: str | Doubt, filmed: str | Doubt, needs: Needs = "both", *, camera_first: bool = False
) -> Reading:
    pairs = ReadingFusion("shoe", "scanner", needs, PATIENCE)
    both = [reading("scanner", scanned, 100), reading("camera", filmed, 100)]
    first, second = reversed(both) if camera_first else both
    assert pairs.add(first, 110 * MS) == []
    (one,) = pairs.add(second, 150 * MS)
    assert pairs.due_ns is None
    return one


def code(one: Reading) -> str | None:
    kind = one.card.open() if one.card else None
    return kind.code if kind else None


@pytest.mark.parametrize("camera_first", [False, True])
def test_two_that_agree_are_one_card_with_serial_number_and_picture(camera_first: bool) -> None:
    one = fusion("Th", "Th", camera_first=camera_first)
    assert (one.source, code(one), one.apart, one.doubt) == ("shoe", "Th", True, None)
    assert one.card is not None
    assert one.card.open_serial() == "000123"
    assert (one.confidence, one.evidence) == (0.9, b"jpeg")


@pytest.mark.parametrize("needs", ["both", "one"])
def test_two_that_differ_are_a_question_whatever_is_needed(needs: Needs) -> None:
    one = fusion("Th", "9h", needs)
    assert (one.card, one.doubt) == (None, Doubt.READERS_DIFFER)
    assert [code(each) for each in one.parts] == ["Th", "9h"]
    assert one.evidence == b"jpeg"


@pytest.mark.parametrize(
    ("scanned", "filmed"),
    [("Th", Doubt.NOT_RECOGNISED), (Doubt.NO_CODE, "Th"), (Doubt.GARBLED, "Th")],
)
def test_one_alone_is_enough_where_the_house_says_so(
    scanned: str | Doubt, filmed: str | Doubt
) -> None:
    assert fusion(scanned, filmed, "both").doubt is Doubt.ONE_READER
    assert code(fusion(scanned, filmed, "one")) == "Th"


@pytest.mark.parametrize(
    ("scanned", "filmed", "doubt"),
    [
        ("Th", Doubt.SEVERAL, Doubt.SEVERAL),
        ("Th", Doubt.FRAMES_DIFFER, Doubt.FRAMES_DIFFER),
        ("Th", Doubt.FOREIGN_INDEX, Doubt.FOREIGN_INDEX),
        (Doubt.CONFLICT, "Th", Doubt.CONFLICT),
        (Doubt.WRONG_SYMBOLOGY, "Th", Doubt.WRONG_SYMBOLOGY),
    ],
)
def test_a_reader_that_saw_something_else_is_not_outvoted(
    scanned: str | Doubt, filmed: str | Doubt, doubt: Doubt
) -> None:
    assert fusion(scanned, filmed, "one").doubt is doubt


@pytest.mark.parametrize("needs", ["both", "one"])
@pytest.mark.parametrize(
    ("filmed", "doubt"),
    [
        ("9h", Doubt.READERS_DIFFER),
        (Doubt.SEVERAL, Doubt.SEVERAL),
        (Doubt.FRAMES_DIFFER, Doubt.FRAMES_DIFFER),
        (Doubt.NOT_RECOGNISED, Doubt.CUT_CARD),
        (Doubt.BACK, Doubt.CUT_CARD),
    ],
)
def test_no_card_leaves_unnoticed_behind_the_cut_card(
    needs: Needs, filmed: str | Doubt, doubt: Doubt
) -> None:
    one = fusion(Doubt.CUT_CARD, filmed, needs)
    assert (one.card, one.doubt) == (None, doubt)


def test_neither_could_tell() -> None:
    assert fusion(Doubt.NO_CODE, Doubt.BACK).doubt is Doubt.BACK
    assert fusion(Doubt.CONFLICT, Doubt.NOT_RECOGNISED).doubt is Doubt.CONFLICT
    assert fusion(Doubt.NO_CODE, Doubt.NOT_RECOGNISED, "one").apart


def test_a_partner_that_does_not_come_is_told_and_the_next_card_is_not_taken_for_it() -> None:
    pairs = ReadingFusion("shoe", "scanner", "both", PATIENCE)
    pairs.add(reading("scanner", "Th", 100), 110 * MS)
    assert pairs.due_ns == (110 + PATIENCE) * MS
    pairs.add(reading("scanner", "2c", 300), 310 * MS)
    one, other = pairs.add(reading("camera", "2c", 300), 350 * MS)
    assert (one.doubt, code(other)) == (Doubt.ONE_READER, "2c")
    pairs.add(reading("camera", "9d", 800), 850 * MS)
    (late,) = pairs.tick((850 + PATIENCE) * MS)
    assert (late.doubt, late.apart) == (Doubt.ONE_READER, True)


def test_something_stuck_in_the_exit_is_told_once() -> None:
    pairs = ReadingFusion("shoe", "scanner", "both", PATIENCE)
    for _ in range(2):
        stuck = [reading(each, Doubt.BEAM_STUCK, None) for each in ("scanner", "camera")]
        assert len(pairs.add(stuck[0], 0)) == 1
        assert pairs.add(stuck[1], 1) == []


@given(st.lists(st.tuples(st.sampled_from(["Th", "2c", "9d"]), st.booleans(), st.booleans())))
def test_cards_are_told_in_order_and_none_but_those_that_both_read_alike(
    drawn: list[tuple[str, bool, bool]],
) -> None:
    """Each reader may lose a card altogether; the camera is always the later one."""
    pairs = ReadingFusion("shoe", "scanner", "both", PATIENCE)
    fused: list[Reading] = []
    for number, (what, by_scanner, by_camera) in enumerate(drawn, 1):
        at = 400 * number
        if by_scanner:
            fused += pairs.add(reading("scanner", what, at), (at + 5) * MS)
        if by_camera:
            fused += pairs.add(reading("camera", what, at), (at + 60) * MS)
    fused += pairs.tick((400 * len(drawn) + 2_000) * MS)
    assert [code(each) for each in fused if each.card] == [
        what for what, by_scanner, by_camera in drawn if by_scanner and by_camera
    ]
    assert len(fused) == sum(by_scanner or by_camera for _, by_scanner, by_camera in drawn)
    passed = [each.passed_ns for each in fused if each.passed_ns is not None]
    assert passed == sorted(passed)


def test_no_reading_shows_what_its_parts_read() -> None:
    assert repr(fusion("Th", "9h")) == repr(fusion("2c", "Jo"))
