"""Which card left: codes and beam edges, by example."""

from __future__ import annotations

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from drivers.code_book import Code
from drivers.settings.shoe import BeamSettings
from drivers.shoe.beam_passage import FORGET_NS, FRESH_NS, BeamPassages, reading_without_beam

MS = 1_000_000
GLITCH_MS, LATE_MS, STUCK_MS = 4, 120, 3_000
BEAM = BeamSettings(5, glitch_ms=GLITCH_MS, late_code_ms=LATE_MS, stuck_ms=STUCK_MS)


def code(name: str, serial: str = "") -> Code:
    return Code(name + serial, card(name), serial)


TEN, NINE = code("Th"), code("9c")
FOREIGN = Code("ZZZ", None)
CUT = Code("CUT1", None, cut=True)

Event = tuple[int, Code | Doubt | bool | None]
"""When in ms; a code, a doubt, the beam covered (True) or clear (False), or time passing (None)."""


def names_of(*events: Event, beam: BeamSettings = BEAM, again_ms: int = 0) -> list[str]:
    """What the readings say: a card's code, or a doubt's name."""
    exit_ = BeamPassages("scanner", beam, again_ms * MS)
    readings: list[Reading] = []
    for at_ms, what in events:
        at_ns = at_ms * MS
        if what is True or what is False:
            readings += (exit_.covered if what else exit_.cleared)(at_ns)
        elif what is None:
            readings += exit_.tick(at_ns)
        else:
            readings += exit_.code(what, at_ns)
    return [name(each) for each in readings]


def name(reading: Reading) -> str:
    if reading.card is None:
        assert reading.doubt is not None
        return reading.doubt.name
    kind = reading.card.open()
    assert kind is not None
    assert reading.apart
    return kind.code


# One card


def test_a_card_counts_when_the_beam_clears() -> None:
    assert names_of((0, TEN), (50, True)) == []
    assert names_of((0, TEN), (50, True), (150, False)) == ["Th"]


def test_the_code_may_come_before_during_or_after() -> None:
    assert names_of((0, TEN), (50, True), (150, False)) == ["Th"]
    assert names_of((0, True), (50, TEN), (150, False)) == ["Th"]
    assert names_of((0, True), (150, False), (200, TEN), (270, None)) == ["Th"]


def test_read_many_times_it_is_one_card() -> None:
    passing: list[Event] = [(0, TEN), (10, TEN), (50, True), (60, TEN), (150, False), (160, TEN)]
    assert names_of(*passing, (400, None)) == ["Th"]


def test_a_card_without_a_code_is_told_when_none_can_come_any_more() -> None:
    assert names_of((0, True), (100, False), (219, None)) == []
    assert names_of((0, True), (100, False), (220, None)) == ["NO_CODE"]


def test_a_garbled_code_says_why_there_is_none_and_a_good_one_overrules_it() -> None:
    assert names_of((0, Doubt.GARBLED), (50, True), (150, False), (300, None)) == ["GARBLED"]
    assert names_of((0, Doubt.GARBLED), (10, TEN), (50, True), (150, False)) == ["Th"]
    assert names_of((0, True), (100, False), (150, Doubt.TOO_LONG), (300, None)) == ["TOO_LONG"]


def test_two_different_codes_for_one_card_are_a_conflict() -> None:
    assert names_of((0, TEN), (50, True), (60, NINE), (150, False)) == ["CONFLICT"]
    assert names_of((0, TEN), (40, NINE), (50, True), (150, False)) == ["CONFLICT"]
    assert names_of((0, True), (9, False), (20, TEN), (30, NINE), (300, None)) == ["CONFLICT"]
    assert names_of((0, TEN), (50, True), (60, FOREIGN), (150, False)) == ["CONFLICT"]


def test_a_foreign_card_is_told_as_such() -> None:
    assert names_of((0, FOREIGN), (50, True), (150, False)) == ["UNKNOWN_CODE"]


def test_the_cut_card_is_told_as_such_and_a_card_beside_it_is_a_conflict() -> None:
    assert names_of((0, CUT), (50, True), (150, False)) == ["CUT_CARD"]
    assert names_of((0, CUT), (5, TEN), (50, True), (150, False)) == ["CONFLICT"]


def test_rubbish_on_the_line_without_a_card_in_the_beam_is_nothing() -> None:
    assert names_of((0, Doubt.GARBLED), (5_000, None)) == []
    after = FRESH_NS // MS + 1
    passing: list[Event] = [(0, Doubt.GARBLED), (after, True), (after + 90, False)]
    assert names_of(*passing, (after + 300, None)) == ["NO_CODE"]


# Pushed back


def test_pushed_back_before_the_beam_it_never_left() -> None:
    assert names_of((0, TEN), (60_000, None)) == []
    assert names_of((0, TEN), (600, TEN), (650, True), (750, False)) == ["Th"]


def test_another_code_later_takes_the_place_of_the_one_that_was_pushed_back() -> None:
    assert names_of((0, TEN), (5_000, NINE), (5_050, True), (5_150, False)) == ["9c"]


def test_a_card_that_waited_in_the_exit_is_told_when_no_other_code_came() -> None:
    waited: list[Event] = [(0, TEN), (5_000, True), (5_100, False)]
    assert names_of(*waited) == []
    assert names_of(*waited, (5_220, None)) == ["Th"]
    assert names_of(*waited, (5_150, NINE), (5_220, None)) == ["CONFLICT"]


def test_a_code_of_long_ago_is_forgotten() -> None:
    after = FORGET_NS // MS + 1
    assert names_of((0, TEN), (after, True), (after + 90, False), (after + 300, None)) == [
        "NO_CODE"
    ]


# Cards that follow each other


def test_twins_one_after_the_other_are_two_cards() -> None:
    first: list[Event] = [(0, TEN), (50, True), (150, False)]
    assert names_of(*first, (400, TEN), (450, True), (550, False)) == ["Th", "Th"]


def test_the_last_cards_code_once_more_is_not_the_next_cards() -> None:
    first: list[Event] = [(0, TEN), (50, True), (150, False), (200, TEN)]
    assert names_of(*first, (400, True), (500, False), (700, None)) == ["Th", "NO_CODE"]
    assert names_of(*first, (380, NINE), (400, True), (500, False)) == ["Th", "9c"]


def test_another_code_right_behind_is_the_next_cards() -> None:
    first: list[Event] = [(0, TEN), (50, True), (150, False), (180, NINE)]
    assert names_of(*first, (190, True), (290, False)) == ["Th", "9c"]


def test_a_late_code_while_the_next_card_passes_is_nobodys() -> None:
    burst: list[Event] = [(0, True), (100, False), (150, True), (160, TEN), (250, False)]
    assert names_of(*burst, (400, None)) == ["NO_CODE", "TOO_CLOSE"]
    assert names_of((0, True), (100, False), (140, TEN), (150, True), (154, None)) == ["TOO_CLOSE"]
    follow: list[Event] = [(0, True), (99, False), (140, TEN), (150, True), (230, NINE)]
    assert names_of(*follow, (250, False)) == ["TOO_CLOSE", "9c"]


# The beam itself


def test_a_short_break_is_no_card() -> None:
    assert names_of((0, TEN), (50, True), (53, False), (500, None)) == []
    assert names_of((0, TEN), (50, True), (53, False), (60, True), (160, False)) == ["Th"]


def test_a_beam_that_chatters_at_the_edges_of_a_card_is_one_card() -> None:
    chatter: list[Event] = [(50, True), (52, False), (53, True), (150, False), (151, True)]
    assert names_of((0, TEN), *chatter, (154, False), (500, None)) == ["Th"]
    assert names_of(*chatter, (154, False), (200, TEN), (500, None)) == ["Th"]


def test_a_flutter_in_the_middle_could_be_a_second_card_and_is_told() -> None:
    flutter: list[Event] = [(0, TEN), (50, True), (90, False), (92, True), (150, False)]
    assert names_of(*flutter, (500, None)) == ["Th", "TOO_CLOSE"]
    assert names_of((0, TEN), (50, True), (90, False), (92, True), (99, NINE), (150, False)) == [
        "Th",
        "9c",
    ]


def test_a_covered_exit_is_told_once_and_counts_once() -> None:
    stuck: list[Event] = [(0, TEN), (10, True), (3_009, None), (3_010, None), (4_000, None)]
    assert names_of(*stuck) == ["BEAM_STUCK"]
    assert names_of(*stuck, (5_000, NINE), (6_000, False), (6_050, NINE), (6_500, None)) == [
        "BEAM_STUCK"
    ]
    assert names_of(*stuck, (6_000, False), (7_000, NINE), (7_050, True), (7_150, False)) == [
        "BEAM_STUCK",
        "9c",
    ]


def test_an_edge_that_was_missed_loses_no_card() -> None:
    assert names_of((0, TEN), (50, False)) == ["Th"]
    assert names_of((0, TEN), (50, False), (52, False), (500, None)) == ["Th"]


def test_a_shoe_whose_codes_always_come_first_needs_no_late_time() -> None:
    beam = BeamSettings(5, late_code_ms=0)
    assert names_of((0, True), (100, False), beam=beam) == ["NO_CODE"]
    assert names_of((0, TEN), (5_000, True), (5_100, False), beam=beam) == ["Th"]
    assert names_of((0, TEN), (50, True), (90, False), (92, True), (93, False), beam=beam) == ["Th"]


# A reader that reads again what lies before it

AGAIN_MS = 250
LIES: list[Event] = [
    (0, TEN), (50, True), (110, TEN), (150, False),
    *((at_ms, TEN) for at_ms in (220, 330, 440, 550, 660, 770)),
]  # fmt: skip


def test_a_card_that_lies_before_the_reader_is_not_the_next_one_which_was_not_read() -> None:
    next_: list[Event] = [(800, True), (900, False), (1_200, None)]
    assert names_of(*LIES, *next_, again_ms=AGAIN_MS) == ["Th", "NO_CODE"]
    under: list[Event] = [(800, True), (880, TEN), (900, False), (990, TEN), (1_200, None)]
    assert names_of(*LIES, *under, again_ms=AGAIN_MS) == ["Th", "TOO_CLOSE"]
    waited: list[Event] = [(1_300, True), (1_400, False), (1_700, None)]
    assert names_of(*LIES, *waited, again_ms=AGAIN_MS) == ["Th", "NO_CODE"]


def test_what_lies_before_the_reader_is_no_conflict_with_the_next_one_that_was_read() -> None:
    next_: list[Event] = [(790, NINE), (800, True), (880, TEN), (900, False), (950, TEN)]
    assert names_of(*LIES, *next_, (1_200, None), again_ms=AGAIN_MS) == ["Th", "9c"]
    # Nor with the one after that.
    more: list[Event] = [(1_060, TEN), (1_170, TEN), (1_200, NINE), (1_210, True), (1_300, False)]
    assert names_of(*LIES, *next_, *more, again_ms=AGAIN_MS) == ["Th", "9c", "9c"]


def test_it_is_the_card_s_that_has_left_also_where_it_was_not_read_in_the_late_window() -> None:
    late: list[Event] = [(0, True), (140, TEN), (150, False), (275, TEN), (380, TEN)]
    next_: list[Event] = [(450, True), (550, False), (800, None)]
    assert names_of(*late, *next_, again_ms=AGAIN_MS) == ["Th", "NO_CODE"]


def test_an_equal_card_is_read_once_the_one_before_was_not_for_a_while() -> None:
    first: list[Event] = [(0, TEN), (50, True), (140, TEN), (150, False)]
    equal: list[Event] = [(140 + AGAIN_MS, TEN), (420, True), (480, TEN), (520, False)]
    assert names_of(*first, *equal, (800, None), again_ms=AGAIN_MS) == ["Th", "Th"]
    assert names_of(*first, *equal, (800, None)) == ["Th", "Th"]


# Without a beam


def test_without_a_beam_every_code_is_told_and_only_a_serial_number_proves_another_card() -> None:
    plain, serial = (
        reading_without_beam("scanner", TEN),
        reading_without_beam("scanner", code("Th", "000123")),
    )
    assert not plain.apart
    assert serial.apart
    assert serial.card is not None
    assert serial.card.open_serial() == "000123"
    assert reading_without_beam("scanner", Doubt.GARBLED).doubt is Doubt.GARBLED
    assert reading_without_beam("scanner", FOREIGN).doubt is Doubt.UNKNOWN_CODE


def test_what_waits_for_time_says_when() -> None:
    exit_ = BeamPassages("scanner", BEAM)
    due = [exit_.due_ns]
    exit_.covered(10 * MS)
    due.append(exit_.due_ns)
    exit_.cleared(60 * MS)
    due.append(exit_.due_ns)
    exit_.tick((60 + LATE_MS) * MS)
    due.append(exit_.due_ns)
    assert due == [None, (10 + STUCK_MS) * MS, (60 + LATE_MS) * MS, None]


def test_codes_of_several_cards_and_none_in_the_beam_are_a_beam_that_sees_nothing() -> None:
    """Its receiver is blinded, or its wire is cut: the cards go, and nobody would be told."""
    passages = BeamPassages("scanner", BEAM)
    for at, kind in enumerate(("Th", "9c", "Th")):  # pushed back, exchanged, and the first again
        passages.code(code(kind), at * 1_000 * MS)
        assert not passages.sees_nothing
    passages.covered(3_000 * MS)
    passages.cleared(3_200 * MS)
    passages.code(FOREIGN, 4_000 * MS)  # a code of something else
    for at, kind in enumerate(("2s", "3s", "4s")):
        assert not passages.sees_nothing
        passages.code(code(kind), (5_000 + at * 2_000) * MS)
    assert passages.sees_nothing
    passages.covered(20_000 * MS)
    assert not passages.sees_nothing
