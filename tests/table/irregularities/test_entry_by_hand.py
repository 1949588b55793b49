"""A card that people enter counts once they have said the same twice, and by nothing less."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.devices.inputs import Condition, Doubt, Health, Reading
from controller.rules.cards import card
from controller.table import inputs as i
from controller.table.alarms import Level
from controller.table.facts import AlarmAnswered, CardDealt, CardNamed, CardTurned
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.support.dealt.croupier import Physical, tells
from tests.support.pit import SCANNER, UNPLUGGED, Pit, opened, setup

FLOOR = Person(PersonId("eino"), Role.FLOOR)
SECOND = Person(PersonId("aino"), Role.DEALER)


def unread(pit: Pit | None = None) -> Pit:
    """A card left the shoe in mid-round that nobody could read."""
    pit = pit or opened(3)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th")
    pit.doubt()
    return pit


def to_turn() -> Pit:
    """The operator's hidden card was not read, and is to be turned."""
    pit = opened(1, "blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c 9d")
    pit.give(Reading(SCANNER, None, Doubt.GARBLED, apart=True))
    pit.say("stand")
    pit.expect(next="Turn the hidden card")
    return pit


def enter(pit: Pit, code: str = "9c", **how: object) -> str:
    """Say once which card it is."""
    asked = i.Resolve(pit.state.holds[0].number, Resolution.ENTER_CARD, code)
    return pit.give(asked, **how).refused  # type: ignore[arg-type]


def placed(pit: Pit) -> list[str]:
    return [fact.card.code for fact in pit.facts if isinstance(fact, CardDealt)]


def test_a_card_that_is_named_once_lies_nowhere_yet() -> None:
    pit = unread()
    shown = scene(pit.state).dealer
    assert enter(pit) == ""
    assert placed(pit) == ["Th"]
    assert pit.state.shoe.gone == 2
    assert replace(scene(pit.state).dealer, seq=shown.seq, at_ms=shown.at_ms) == shown
    assert enter(pit) == ""
    assert placed(pit) == ["Th", "9c"]
    assert not pit.state.holds


def test_a_card_that_is_turned_is_entered_twice_too() -> None:
    pit = to_turn()
    turned = i.TurnCard(0, 1, "8d")
    assert pit.give(turned).refused == ""
    pit.expect(next="Turn the hidden card")
    assert pit.give(turned).refused == ""
    pit.expect(next="Pay box 1: 10.00")


def test_a_card_that_was_read_is_turned_by_one_word() -> None:
    pit = opened(1, "blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c 9d 8d")
    pit.say("stand")
    assert pit.give(i.TurnCard(0, 1, "8d")).refused == ""
    assert isinstance(pit.facts[-1], CardTurned)
    assert not any(isinstance(fact, CardNamed) for fact in pit.facts)


def test_another_card_the_second_time_is_a_first_time() -> None:
    pit = unread()
    for code in ("9c", "8c", "9c"):
        assert enter(pit, code) == ""
        assert placed(pit) == ["Th"]
    assert enter(pit, "9c") == ""
    assert placed(pit) == ["Th", "9c"]


def test_the_same_press_that_is_sent_again_is_one_press() -> None:
    """A page that got no answer sends again, with the same key: nobody has said it twice."""
    pit = unread()
    for _ in range(3):
        enter(pit, key="one press")
    assert placed(pit) == ["Th"]
    enter(pit, key="another")
    assert placed(pit) == ["Th", "9c"]


def test_both_words_may_be_said_to_the_picture_before_the_first() -> None:
    pit = unread()
    picture = pit.display.seq
    for _ in range(2):
        assert enter(pit, view_seq=picture) == ""
    assert placed(pit) == ["Th", "9c"]


@pytest.mark.parametrize("between", ["card", "floor", "power cut", "scanner lost", "heard"])
def test_whatever_else_happens_between_makes_the_first_word_nothing(between: str) -> None:
    pit = unread()
    hold = pit.state.holds[0].number
    enter(pit)
    if between == "card":
        pit.deal("5d")
    elif between == "floor":
        pit.press("call")
    elif between == "power cut":
        pit.start()
    elif between == "scanner lost":
        pit.give(Health(SCANNER, Condition.DOWN, UNPLUGGED))
    else:
        pit.give(i.Acknowledge(pit.state.counts.alarms))
    assert pit.state.commands.named is None
    resolution = i.Resolve(hold, Resolution.ENTER_CARD, "9c")
    assert pit.give(resolution).refused == ""
    assert placed(pit) == ["Th"]
    assert pit.give(resolution).refused == ""
    assert placed(pit) == ["Th", "9c"]


def test_a_start_makes_it_nothing_where_no_further_hold_is_raised() -> None:
    pit = unread()
    pit.start()
    assert pit.state.held_for(Reason.RECOUNT)
    enter(pit)
    assert pit.state.commands.named is not None
    pit.start()
    assert pit.state.commands.named is None


@pytest.mark.parametrize(("code", "why"), [("Zz", "is not a card"), (None, "which card")])
def test_what_cannot_be_entered_is_refused_the_first_time(code: str | None, why: str) -> None:
    pit = unread()
    assert why in pit.resolve(Resolution.ENTER_CARD, code).refused
    assert pit.state.commands.named is None


def test_who_may_enter_it_is_asked_the_second_time() -> None:
    strict = Pit(replace(setup(3), roles=True, procedures="strict"))
    strict.shuffle()
    unread(strict)
    asked = i.Resolve(strict.state.holds[0].number, Resolution.ENTER_CARD, "9c", "looked at it")
    assert strict.give(asked).refused == ""
    for by in ((), (FLOOR,)):
        assert "Needs " in strict.give(asked, by=by).refused
        assert placed(strict) == ["Th"]
    assert strict.give(asked, by=(FLOOR, SECOND)).refused == ""
    assert placed(strict) == ["Th", "9c"]


def test_naming_cards_keeps_no_alarm_quiet() -> None:
    """Else one card after the other, named and never entered, would keep everybody away."""
    pit = opened(3)
    pit.bet(1)
    pit.no_more_bets()
    pit.start()
    pit.resolve(Resolution.COUNT, cards=1)
    answered = sum(isinstance(fact, AlarmAnswered) for fact in pit.facts)
    for code in ("9c", "8c", "7c"):
        pit.wait(15)
        enter(pit, code)
    assert sum(isinstance(fact, AlarmAnswered) for fact in pit.facts) == answered
    assert pit.state.alarms[-1].level >= Level.DEALER
    enter(pit, "7c")
    assert not pit.state.holds


def test_no_picture_and_no_record_discloses_the_card_before_it_is_turned() -> None:
    pit = to_turn()
    pit.give(i.TurnCard(0, 1, "8d"))
    named = [fact for fact in pit.facts if isinstance(fact, CardNamed)]
    assert len(named) == 1
    views = [scene(pit.state), public(pit.state), pit.state, named]
    texts = " ".join(f"{each!r} {each}" for each in views) + pit.bytes[-1].decode()
    assert tells(texts, Physical(card("8d"), "")) == ""
    assert named[0].card.digest in texts
