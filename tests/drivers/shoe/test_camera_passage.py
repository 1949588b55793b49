"""The frames of one passage are one reading, by a vote with no conflict."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import DECK_52, Card, card
from drivers.io.camera.frame_quality import FrameDelay
from drivers.shoe.camera_passage import (
    _OF_PASSAGE,
    FRAMES_KEPT_MAX,
    FRAMES_MAX,
    CameraPassages,
    PassageTally,
    PassageTiming,
)
from drivers.vision.frame_reading import FrameReading

MS = 1_000_000
PACE = PassageTiming(
    glitch_ms=4, stuck_ms=3_000, latency_ms=40, frames_min=2, stuck=Doubt.BEAM_STUCK
)


def look(code: str, confidence: float = 0.9) -> FrameReading:
    return FrameReading(card(code), confidence=confidence, evidence=code.encode())


def not_told(doubt: Doubt = Doubt.NOT_RECOGNISED) -> FrameReading:
    return FrameReading(None, doubt, evidence=doubt.name.encode())


class CameraExit:
    """A shoe's exit; time is counted in ms."""

    def __init__(self) -> None:
        self.passages = CameraPassages("camera", PACE)
        self.readings: list[Reading] = []

    def began(self, at: int) -> None:
        self.passages.began(at * MS)

    def ended(self, at: int) -> None:
        self.readings += self.passages.ended(at * MS)

    def frame(self, at: int, reading: FrameReading) -> bool:
        """A frame came and was looked at at once; whether it was anybody's."""
        number = self.passages.owner(at * MS)
        if number is not None:
            self.readings += self.passages.add(number, reading, at * MS)
        return number is not None

    def tick(self, at: int) -> None:
        self.readings += self.passages.tick(at * MS)

    def passes(self, at: int, *looks: FrameReading) -> None:
        """A card passes from `at` on, a frame each 30 ms."""
        self.began(at)
        for number, each in enumerate(looks):
            assert self.frame(at + 45 + 30 * number, each)
        self.ended(at + 30 * len(looks) + 45)
        self.tick(at + 30 * len(looks) + 86)


def cards(readings: list[Reading]) -> list[str | None]:
    return [each.card.open().code if each.card else None for each in readings]  # type: ignore[union-attr]


@pytest.fixture
def exit_() -> CameraExit:
    return CameraExit()


def test_a_frame_whose_sensor_says_when_it_was_taken_is_judged_by_that(exit_: CameraExit) -> None:
    exit_.began(1_000)
    owner = exit_.passages.owner
    assert owner(1_020 * MS) is None, "it may have been taken 40 ms before it came"
    first = owner(1_020 * MS, taken_ns=1_001 * MS)
    assert first is not None
    assert owner(1_300 * MS, taken_ns=999 * MS) is None, "the card had not come yet"
    later = owner(1_300 * MS)
    assert later is not None
    assert later.passage == first.passage
    exit_.readings += exit_.passages.add(first, look("Th"), 1_300 * MS)


def test_frames_that_agree_are_one_card_as_sure_as_two_of_them_are(exit_: CameraExit) -> None:
    exit_.passes(0, look("Th", 0.8), look("Th", 0.95), not_told(), look("Th", 0.9))
    (reading,) = exit_.readings
    assert cards(exit_.readings) == ["Th"]
    assert (reading.doubt, reading.apart, reading.confidence) == (None, True, 0.9)
    assert reading.evidence == b"Th"
    assert reading.passed_ns == 165 * MS


def test_one_frame_alone_is_no_card(exit_: CameraExit) -> None:
    exit_.passes(0, not_told(), look("Th"), not_told())
    assert [each.doubt for each in exit_.readings] == [Doubt.NOT_SEEN]


def test_a_single_frame_of_another_card_outweighs_any_number_that_agree(exit_: CameraExit) -> None:
    exit_.passes(0, *[look("Th")] * 8, look("Td"))
    assert [each.doubt for each in exit_.readings] == [Doubt.FRAMES_DIFFER]


def test_a_second_card_in_two_frames_is_told_whatever_else_was_read(exit_: CameraExit) -> None:
    two = not_told(Doubt.SEVERAL)
    exit_.passes(0, look("Th"), look("Th"), two, two)
    exit_.passes(1_000, look("Th"), look("Th"), two)
    assert [each.doubt for each in exit_.readings] == [Doubt.SEVERAL, None]


def test_why_no_card_was_told_is_what_most_frames_say(exit_: CameraExit) -> None:
    exit_.passes(0, not_told(), not_told(Doubt.BACK), not_told(Doubt.BACK))
    exit_.passes(1_000)
    assert [each.doubt for each in exit_.readings] == [Doubt.BACK, Doubt.NOT_SEEN]
    assert exit_.readings[0].evidence == b"BACK"


def test_equal_cards_in_a_row_are_two(exit_: CameraExit) -> None:
    for at in (0, 400):
        exit_.passes(at, look("Th"), look("Th"))
    assert cards(exit_.readings) == ["Th", "Th"]


def test_a_frame_outside_a_passage_is_nobodys(exit_: CameraExit) -> None:
    assert not exit_.frame(0, look("Th"))
    exit_.passes(100, look("9c"), look("9c"))
    assert not exit_.frame(300, look("Th"))
    assert not exit_.passages.wants_frames
    assert cards(exit_.readings) == ["9c"]


def test_what_stays_in_the_way_needs_no_frames(exit_: CameraExit) -> None:
    wanted: list[bool] = []
    exit_.began(0)
    wanted.append(exit_.passages.wants_frames)
    exit_.tick(PACE.stuck_ms)
    wanted.append(exit_.passages.wants_frames)
    exit_.ended(4_000)
    exit_.began(5_000)
    wanted.append(exit_.passages.wants_frames)
    assert wanted == [True, False, True]


def test_a_frame_that_comes_when_the_card_has_gone_is_nobodys(exit_: CameraExit) -> None:
    exit_.began(0)
    for at in (50, 65):
        assert exit_.frame(at, look("Th"))
    exit_.ended(70)
    assert not exit_.frame(75, look("9c"))
    exit_.tick(111)
    assert cards(exit_.readings) == ["Th"]


def test_between_two_cards_that_are_close_a_frame_is_nobodys(exit_: CameraExit) -> None:
    exit_.passes(0, look("Th"), look("Th"))
    exit_.began(200)
    for at in (245, 265):
        exit_.frame(at, look("9c"))
    exit_.ended(270)
    exit_.began(290)
    assert not exit_.frame(300, look("2d"))
    for at in (335, 360):
        assert exit_.frame(at, look("2d"))
    exit_.ended(370)
    exit_.tick(420)
    assert cards(exit_.readings) == ["Th", "9c", "2d"]


def test_a_card_waits_for_a_frame_that_is_being_looked_at(exit_: CameraExit) -> None:
    exit_.began(0)
    exit_.frame(45, look("Th"))
    number = exit_.passages.owner(60 * MS)
    assert number is not None
    exit_.ended(70)
    assert exit_.passages.due_ns is None
    exit_.tick(200)
    assert not cards(exit_.readings)
    exit_.readings += exit_.passages.add(number, look("Th"), 210 * MS)
    assert cards(exit_.readings) == ["Th"]


def test_a_break_that_is_too_short_is_no_card_and_one_right_behind_is_told(
    exit_: CameraExit,
) -> None:
    exit_.began(0)
    exit_.ended(2)
    exit_.passes(100, look("Th"), look("Th"))
    exit_.began(300)
    exit_.ended(320)
    exit_.began(322)
    exit_.ended(350)
    exit_.tick(500)
    assert [each.doubt for each in exit_.readings] == [None, Doubt.NOT_SEEN, Doubt.TOO_CLOSE]


def test_something_that_stays_is_told_once_and_is_no_card_when_it_goes(exit_: CameraExit) -> None:
    exit_.began(0)
    exit_.frame(50, look("Th"))
    due = [exit_.passages.due_ns]
    exit_.tick(3_000)
    assert [*due, exit_.passages.due_ns] == [3_000 * MS, None]
    assert not exit_.frame(3_100, look("Th"))
    exit_.ended(4_000)
    exit_.passes(5_000, look("9c"), look("9c"))
    assert [each.doubt for each in exit_.readings] == [Doubt.BEAM_STUCK, None]
    assert [each.apart for each in exit_.readings] == [False, True]


def test_the_looks_of_a_passage_are_bounded(exit_: CameraExit) -> None:
    exit_.began(0)
    looked = [exit_.frame(40 + each, look("Th")) for each in range(2 * FRAMES_MAX)]
    assert looked.count(True) == FRAMES_MAX


def test_a_late_frame_may_be_of_the_card_before_and_is_nobodys(exit_: CameraExit) -> None:
    exit_.passes(0, look("Th"), look("Th"))
    exit_.began(200)
    for at, late in ((230, 130), (290, 60), (239, 0)):
        assert exit_.passages.owner(at * MS, late * MS) is None
    for at in (270, 290):
        assert exit_.frame(at, look("9c"))
    exit_.ended(300)
    assert exit_.passages.owner(310 * MS) is None, "the next card may lie there by now"
    exit_.tick(400)
    assert cards(exit_.readings) == ["Th", "9c"]


def test_what_came_after_the_card_had_left_is_not_of_it_though_the_edge_is_told_later(
    exit_: CameraExit,
) -> None:
    """As it was found: nothing was seen of the card, and then the next one lay in the picture."""
    exit_.began(0)
    assert exit_.frame(110, look("Ad"))
    assert exit_.frame(140, look("Ad"))
    exit_.ended(100)  # told at 150
    exit_.tick(200)
    assert [(each.card, each.doubt) for each in exit_.readings] == [(None, Doubt.NOT_SEEN)]
    exit_.began(500)
    for at, code in ((550, "9c"), (580, "9c"), (620, "2d")):
        assert exit_.frame(at, look(code))
    exit_.ended(600)
    exit_.tick(700)
    assert cards(exit_.readings[1:]) == ["9c"]


@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=60),
    st.integers(60, 400),
)
def test_however_frames_are_delayed_none_is_taken_for_another_cards(
    delays: list[int], gap: int
) -> None:
    """Two cards pass with a gap; frames are taken every 33 ms and wait in a line, in order."""
    passages = CameraPassages("camera", PACE)
    cards_ms = [(200, 400), (400 + gap, 600 + gap)]
    came = taken = 0
    lateness = FrameDelay(30)
    events: list[tuple[int, int, int, int]] = []
    for number in range(60):
        taken = 33 * number
        came = max(came, taken + delays[number % len(delays)] * (number > 2))
        events.append((came, 1, taken, 0))
    for number, (began, ended) in enumerate(cards_ms):
        events += [(began, 0, number, 0), (ended, 0, number, 1)]
    of: dict[int, int] = {}
    for at, is_frame, what, ending in sorted(events):
        if not is_frame:
            if ending:
                passages.ended(at * MS)
            else:
                passages.began(at * MS)
            continue
        owner = passages.owner(at * MS, lateness.of(at * MS))
        if owner is not None:
            of[what] = owner.passage
            passages.add(owner, None, at * MS)
        passages.tick(at * MS)
    for taken, passage in of.items():
        began, ended = cards_ms[passage - 1]
        assert began <= taken <= ended, (taken, passage)


@given(st.lists(st.tuples(st.sampled_from(DECK_52[:4]), st.floats(0, 1)), max_size=12))
def test_whatever_the_frames_say_a_card_is_told_only_where_all_that_tell_agree(
    votes: list[tuple[Card, float]],
) -> None:
    vote = PassageTally()
    for kind, sure in votes:
        vote.add(FrameReading(kind, confidence=sure))
    result = vote.result(2)
    kinds = {kind for kind, _ in votes}
    assert (result.card is not None) is (len(kinds) == 1 and len(votes) >= 2)
    if result.card is not None:
        assert result.card in kinds
        assert result.confidence == sorted(sure for _, sure in votes)[-2]


def test_neither_a_look_nor_a_reading_shows_a_card() -> None:
    assert repr(look("Th")) == "<frame reading>"
    both = [CameraPassages("camera", PACE) for _ in range(2)]
    readings = []
    for passages, code in zip(both, ("Th", "2c"), strict=True):
        passages.began(0)
        for at in (50, 60):
            number = passages.owner(at * MS)
            assert number is not None
            passages.add(number, look(code), at * MS)
        passages.ended(70 * MS)
        readings += passages.tick(120 * MS)
    assert repr(readings[0]) == repr(readings[1])


def test_a_passage_sums_up_what_single_frames_doubt() -> None:
    """Every doubt that the vision has of a frame is one that the table is told of a passage."""
    of_frames = {each for each in Doubt if each.value.code.startswith("frame-")}
    assert set(_OF_PASSAGE) == of_frames
    assert not of_frames & set(_OF_PASSAGE.values())
    for doubt in of_frames:
        tally = PassageTally()
        tally.add(FrameReading(None, doubt))
        assert tally.result(2).doubt is _OF_PASSAGE[doubt]


def test_whole_frames_that_are_kept_come_with_the_reading_and_are_bounded(
    exit_: CameraExit,
) -> None:
    looks = [replace(look("Th"), frame=b"%d" % nth) for nth in range(FRAMES_KEPT_MAX + 3)]
    exit_.passes(0, *looks)
    (reading,) = exit_.readings
    assert reading.frames == tuple(b"%d" % nth for nth in range(FRAMES_KEPT_MAX))
    exit_.passes(2_000, look("9c"), look("9c"))
    assert exit_.readings[1].frames == ()


def test_a_card_that_has_left_when_the_camera_is_lost_is_told_once(exit_: CameraExit) -> None:
    exit_.began(0)
    exit_.frame(50, look("Th"))
    exit_.ended(100)  # frames of it may be under way yet
    exit_.began(110)  # this one is the beam's to count
    (reading,) = exit_.passages.flush()
    assert (reading.card, reading.doubt, reading.apart) == (None, Doubt.READER_AWAY, True)
    assert reading.passed_ns == 100 * MS
    assert exit_.passages.flush() == []
    exit_.tick(1_000)
    assert exit_.readings == []
