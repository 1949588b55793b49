"""Which card left, in any lawful order of codes and edges: none lost, none twice, none wrong."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from controller.devices.inputs import Doubt
from drivers.code_book import Code
from drivers.shoe.beam_passage import BeamPassages
from tests.drivers.shoe.test_beam_passage import (
    BEAM,
    GLITCH_MS,
    LATE_MS,
    MS,
    NINE,
    STUCK_MS,
    TEN,
    code,
    name,
)
from tests.support.forms import examples

CHATTER_MS = 10
"""A gap in which there is time for the beam to chatter at a card's edge."""


@dataclass(frozen=True, slots=True)
class PassingCard:
    """One physical card on its way out; times in ms, relative to the edge they belong to."""

    kind: Code
    gap: int
    covers: int
    early: list[int]
    during: list[int]
    late: list[int]
    rubbish: list[int]
    chatters: bool


CARDS = st.lists(
    st.builds(
        PassingCard,
        kind=st.sampled_from([TEN, NINE, code("As"), code("Jo")]),
        gap=st.one_of(st.integers(1, 200), st.integers(200, 90_000)),
        covers=st.one_of(st.integers(2 * GLITCH_MS + 4, 400), st.just(STUCK_MS + 500)),
        early=st.lists(st.integers(1, 10_000), max_size=3),
        during=st.lists(st.integers(0, 400), max_size=2),
        late=st.lists(st.integers(0, LATE_MS - 1), max_size=2),
        rubbish=st.lists(st.integers(-300, 600), max_size=2),
        chatters=st.booleans(),
    ),
    max_size=8,
)


@dataclass(slots=True)
class ExitDay:
    """What happens at the exit, in order, and what a person standing there would have seen."""

    events: list[tuple[int, int, Code | Doubt | bool]] = field(default_factory=list)
    left: list[PassingCard] = field(default_factory=list)
    readable: list[bool] = field(default_factory=list)

    def happens(self, at: int, what: Code | Doubt | bool) -> None:
        self.events.append((at, len(self.events), what))


def day(cards: list[PassingCard]) -> ExitDay:
    """The cards one after the other. A code is read only while its own card moves: after the card
    before has gone, and not so soon that the setting for late codes would be wrong."""
    made, cleared = ExitDay(), -100_000
    for at, each in enumerate(cards):
        after = cards[at + 1].gap if at + 1 < len(cards) else 90_000
        broke = cleared + each.gap
        burst = broke < cleared + LATE_MS
        soonest = cleared if burst else cleared + LATE_MS
        early = [broke - e for e in each.early if broke - e > soonest]
        chatters = each.chatters and each.gap > CHATTER_MS
        if chatters:  # as the front edge comes into the beam
            made.happens(broke - 3, True)
            made.happens(broke - 2, False)
        made.happens(broke, True)
        cleared = broke + each.covers
        made.happens(cleared, False)
        if each.chatters and after > CHATTER_MS:  # as the rear edge leaves it
            made.happens(cleared + 1, True)
            made.happens(cleared + 1 + GLITCH_MS - 1, False)
        during = [broke + d for d in each.during if d < each.covers]
        late = [cleared + late for late in each.late]
        for when in (*early, *during, *late):
            made.happens(when, each.kind)
        for r in each.rubbish:
            made.happens(broke + r, Doubt.GARBLED)
        fresh = [when for when in early if when > broke - 1_000] + during
        calm = not burst and after > LATE_MS
        made.left.append(each)
        made.readable.append(bool(fresh) and calm and each.covers < STUCK_MS)
    made.events.sort()
    return made


@examples(40, long=800)
@given(CARDS)
def test_no_card_is_lost_none_counts_twice_and_none_is_another(cards: list[PassingCard]) -> None:
    passed = day(cards)
    exit_ = BeamPassages("scanner", BEAM)
    got: list[str] = []
    for at_ms, _, what in passed.events:
        due_ns = exit_.due_ns
        if due_ns is not None and due_ns <= at_ms * MS:
            got += [name(each) for each in exit_.tick(due_ns)]
        if isinstance(what, bool):
            readings = (exit_.covered if what else exit_.cleared)(at_ms * MS)
        else:
            readings = exit_.code(what, at_ms * MS)
        got += [name(each) for each in readings]
    got += [name(each) for each in exit_.tick(10**15)]

    assert len(got) == len(passed.left)
    doubts = {each.name for each in Doubt}
    for reading, physical, readable in zip(got, passed.left, passed.readable, strict=True):
        right = physical.kind.text
        assert reading == right or (reading in doubts and not readable)
