"""What the record says: every kind of fact has its entry, and no entry names a hidden card."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import get_args

import pytest

from controller.devices.inputs import Button
from controller.rules.actions import Action, Outcome
from controller.rules.cards import Card, card
from controller.rules.games.registry import GAMES
from controller.rules.messages import Message, message
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.evolve.evolve import evolve
from controller.table.facts import Fact
from controller.table.inputs.pit import PIT_ACTS
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.logbook.entries import SAYS, entry
from controller.table.recorded.hands import NO_CHANGE
from controller.table.recorded.log_entry import (
    ROUND_ENTRIES_MAX,
    LogEntry,
    Mark,
    with_entry,
)
from controller.table.roles import Person, PersonId, Role
from controller.table.state.state import State
from controller.table.views.logbook import line
from controller.table.views.replay import find_round, replay
from tests.support.dealt.days import CalendarPit
from tests.support.dealt.journals import QuickPit
from tests.support.pit import Pit, setup
from tests.table.any_moment.test_irregularities_at_random import TroubledCroupier

FLOOR = Person(PersonId("0e170001"), Role.FLOOR)
DEALER = Person(PersonId("0e170002"), Role.DEALER)


def test_every_kind_of_fact_says_something() -> None:
    assert set(SAYS) == set(get_args(Fact))


WHY = message("initial-win")
EDITS = (
    f.Edit(0, EditKind.REPLACE, card=card("2s")),
    f.Edit(1, EditKind.INSERT, action=Action.HIT),
    f.Edit(2, EditKind.REPLACE, action=Action.RAISE, amount=500),
    f.Edit(3, EditKind.REMOVE),
    f.Edit(4, EditKind.BURN),
    f.Edit(5, EditKind.KEEP),
    f.Edit(1, EditKind.DEAD),
    f.Edit(2, EditKind.WAGER, amount=1_500),
)
NO_SHOE_CHANGE = f.ShoeChange()
SAID = [
    (f.WagerPlaced(2, 1_500), "Seat 2 bets 15.00"),
    (f.WagerPlaced(2, None), "Seat 2 bets, not tracked"),
    (f.WagerRemoved(2), "Seat 2 takes the bet back"),
    (f.CardDealt(card("Ah"), 2, 1, "scanner"), "1♥ to seat 2"),
    (f.CardDealt(card("Ah"), 2, 1, "dealer"), "Entered by hand and confirmed: 1♥ to seat 2"),
    (f.CardDealtDown(Sealed(None), 0, 1, "scanner"), "A card, face down, to the dealer"),
    (f.CardTurned(card("9c"), 0, 1), "The dealer shows 9♣"),
    (f.DealerPeeked(natural=True), "The dealer looks: blackjack"),
    (f.DealerPeeked(natural=False), "The dealer looks: no blackjack"),
    (f.Decided(2, 1, Action.HIT), "Seat 2: hit"),
    (f.Decided(2, 1, Action.HIT, by_draw=True), "Seat 2: hit, by drawing the card"),
    (f.Decided(2, 1, Action.RAISE, amount=500), "Seat 2: raise 5.00"),
    (f.WagerAdded(2, 1, Action.DOUBLE, 1_500), "Seat 2: 15.00 more to double"),
    (f.WagerAdded(2, 1, Action.DOUBLE, None), "Seat 2: a further bet to double"),
    (f.WagerDeclined(2, 1, Action.DOUBLE, None), "Seat 2: no further bet, chooses anew"),
    (f.HandSettled(2, 1, Outcome.WIN, 500, 750, WHY), "Seat 2 settled: won, 7.50"),
    (f.HandSettled(2, 1, Outcome.LOSE, 500, -500, WHY), "Seat 2 settled: lost, -5.00"),
    (f.HandSettled(2, 1, Outcome.PUSH, 500, 0, WHY), "Seat 2 settled: push, 0.00"),
    (f.HandSettled(2, 1, Outcome.SURRENDER, None, None, WHY), "Seat 2 settled: surrendered"),
    (
        f.RoundCorrected(3, EDITS, "misread", 0, (), (), (), NO_CHANGE, (), NO_SHOE_CHANGE),
        (
            "Round 3 corrected: step 1 was 2♠; hit put in as step 2; step 3 was raise "
            "5.00; step 4 taken out; the card of step 5 put aside; the card of step 6 "
            "kept as the next card; the hand of seat 1 is dead; in truth seat 2 bets "
            "15.00. Nothing that was settled is to be undone (misread)"
        ),
    ),
    (
        f.RoundVoided(3, ((1, 500), (2, -700)), (), ""),
        "Round 3 is void: pay seat 1 5.00; collect seat 2 7.00",
    ),
    (f.RoundVoided(3, (), (), ""), "Round 3 is void: nothing that was settled is to be undone"),
    (
        f.PitAsked("set_options", PersonId("pit-17"), "pit_boss", "0f1e2d3c"),
        "User 17 of the pit 0f1e2d3c (pit boss) asks: house options set",
    ),
    (
        f.DirectoryInstalled(7, "ab" * 32, "cd" * 32, 3, 1, 2),
        "The pit's directory of people is number 7, with 3 people",
    ),
    (f.PlayClosed(), "The table is closed"),
    (f.PlayOpened(), "The table is open"),
    (f.NoteSent("Come at six"), "Message to the dealer: Come at six"),
    (f.FillAnnounced(500_000), "A fill of 5,000.00 was asked for"),
    (f.NoteRead(12), "The dealer has read message 12"),
]


@pytest.mark.parametrize(("fact", "said"), SAID, ids=lambda each: type(each).__name__)
def test_what_happened_in_a_round_is_said_so(fact: Fact, said: str) -> None:
    record = f.Record(2, 0, 0, "x", fact)
    assert line(entry(Pit(setup(3)).state, record)).text == said


def test_what_was_refused_is_said_in_words_whatever_was_asked() -> None:
    """Names of inputs stood there: `refused (place_wager)`, `refused (press:next)`."""
    commands = {each.__dataclass_fields__["do"].default for each in get_args(i.Command)}
    buttons = {f"press:{each.value}" for each in Button}
    inputs = {i.Reload.__name__, i.RemoveDays.__name__, *(f"pit:{each}" for each in PIT_ACTS)}
    for name in commands | buttons | inputs | {"reading:scanner"}:
        record = f.Record(2, 0, 0, "x", f.Refused(name, message("no-card-lies-ready")))
        said = line(entry(Pit(setup(3)).state, record)).text
        assert said.startswith("Refused, "), said
        assert name not in said.split(), said
        assert "_" not in said
        assert "log-asked" not in said


def test_a_day_says_what_it_takes_over() -> None:
    pit = CalendarPit("blackjack")
    pit.shuffle()
    pit.bet(1)
    pit.give(i.CallFloor())
    assert pit.give(i.CloseDay()).refused == ""
    opened = pit.records[-1]
    assert isinstance(opened.fact, f.DayOpened)
    said = line(entry(pit.state, opened)).text
    assert said.endswith(
        "opened. Taken over: 0 rounds played at this table; shoe 1 with 1 card out and 415 left; "
        "1 bet for the next round; 1 open hold; 1 alarm"
    ), said


def lines_of(pit: Pit, number: int) -> list[tuple[tuple[str, ...], str]]:
    """The log of a round: marks and words of each entry."""
    past = find_round(pit.state, number)
    assert past is not None
    names = {FLOOR.id: "Fia", DEALER.id: "Aino"}
    return [(each.marks, each.text) for each in replay(past, names=names).log]


def in_play() -> Pit:
    pit = Pit(replace(setup(3, "21-24-27"), roles=True))
    for hold in pit.state.holds:
        pit.give(i.Resolve(hold.number, Resolution.COUNT, reason="opening", cards=0), by=(FLOOR,))
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("6h 9c")
    return pit


def test_a_record_that_goes_on_under_another_name_says_whose_it_was() -> None:
    """Somebody has put one table's record into another: it read as if that had been opened."""
    pit = Pit(setup(3))
    before = pit.state
    pit.setup = replace(pit.setup, table="T2")
    opened = pit.start().records[0]
    said = line(entry(before, opened), before.words).text
    assert said == "Table T2: 21-24-27, 3 seats; until here it was called T1"


def test_a_card_entered_by_hand_says_who_why_and_how_long_it_took() -> None:
    pit = in_play()
    pit.doubt()
    hold = pit.state.holds[0].number
    pit.wait(40)
    pit.give(i.Resolve(hold, Resolution.ENTER_CARD, "9d", "torn corner"))
    pit.give(i.Resolve(hold, Resolution.ENTER_CARD, "9d", "torn corner"), by=(FLOOR, DEALER))
    log = lines_of(pit, 1)
    assert [marks for marks, _ in log] == [
        ("hold", "doubt"), ("alarm",), ("entry",), ("hold", "person", "entry"), ("entry",),
    ]  # fmt: skip
    assert log[0][1].startswith("Held: Card not read")
    assert log[1][1] == "Alarm, the dealer is called: Card not read"
    assert "9" not in log[2][1]
    assert ", by Fia (floor) and Aino (dealer) (torn corner), after 4" in log[3][1]
    assert log[4][1] == "Entered by hand and confirmed: 9♦ to seat 1"


def test_a_void_says_who_voided_and_why() -> None:
    pit = in_play()
    pit.press("call")
    hold = pit.state.holds[0].number
    pit.give(i.Resolve(hold, Resolution.VOID, reason="wrong pack"), by=(FLOOR,))
    voided = next(each for each in lines_of(pit, 1) if "void" in each[0])
    assert voided[0] == ("void", "person")
    assert voided[1].endswith("by Fia (floor) (wrong pack)")


def test_the_same_refusal_counts_up_and_a_round_keeps_a_bounded_log() -> None:
    pit = in_play()
    for _ in range(5):
        pit.give(i.PlaceWager(2, 1_000))
    assert lines_of(pit, 1)[-1][1].endswith("(5 times)")
    entries: tuple[LogEntry, ...] = ()
    for seq in range(3 * ROUND_ENTRIES_MAX):
        entries = with_entry(entries, LogEntry(seq, seq, Message(f"m{seq}"), (Mark.HOLD,)))
    assert len(entries) == ROUND_ENTRIES_MAX
    assert entries[-1].seq == 3 * ROUND_ENTRIES_MAX - 1, "how it ended stands in it"


@pytest.mark.parametrize("name", GAMES)
def test_what_people_do_at_random_can_be_said_and_names_no_hidden_card(name: str) -> None:
    pit = QuickPit(setup(3, name))
    table = TroubledCroupier(pit, random.Random(name))
    for _ in range(5):
        table.play({1: 1_000, 2: 2_000, 3: 5_000})
        table.pit.scanner_down()
        table.pit.scanner_up()
        while table.pit.state.holds:
            table.choose()
    before: State | None = None
    for record in pit.records:
        after = evolve(before, record)
        said = entry(before or after, record)
        text = line(said, after.game.words).text
        assert said.said.code not in text, "it has words"
        assert not _names_hidden(record.fact, said.said), text
        if before is not None and before.in_play and isinstance(record.fact, f.HoldRaised):
            played = find_round(after, before.in_play.number)
            assert played is not None
            assert played.log[-1].hold == record.fact.number
        before = after


def _names_hidden(fact: Fact, said: Message) -> bool:
    card = getattr(fact, "card", None)
    return isinstance(card, Sealed) and _has_card(said) and not isinstance(fact, f.HoldRaised)


def _has_card(value: object) -> bool:
    if isinstance(value, Message):
        return any(_has_card(each) for _, each in value.params)
    if isinstance(value, tuple):
        return any(map(_has_card, value))
    return isinstance(value, Card)


def test_the_log_stands_in_the_state_as_it_stands_in_its_records() -> None:
    """Replayed, a round has the very log that it had while it was played."""
    pit = in_play()
    pit.give(i.Happened(Reason.MISDEAL, 1))
    state: State | None = None
    for record in pit.records:
        state = evolve(state, record)
    assert state is not None
    assert state.in_play is not None
    assert pit.state.in_play is not None
    assert state.in_play.log == pit.state.in_play.log
