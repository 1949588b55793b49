"""The pictures of cards: named in their facts, shown once a card lies face up, never before."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from controller.devices.inputs import Doubt, Reading
from controller.rules.cards import card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.recorded.card_pictures import Pictured, pictures_of, turned
from controller.table.views.english import say
from controller.table.views.replay import find_round, replay, shown_pictures
from controller.table.views.scene import scene
from tests.support.pit import Pit, opened, setup


def picture(of: str) -> bytes:
    return b"a JPEG of " + of.encode()


def name(of: str) -> str:
    return hashlib.sha256(picture(of)).hexdigest()


def by_camera(code: str, of: str = "", *, source: str = "camera") -> Reading:
    """A card that the camera read, with its picture."""
    return Reading(
        source, Sealed(card(code)), apart=True, confidence=0.9, evidence=picture(of or code)
    )


def unseen(doubt: Doubt, of: str, *parts: Reading) -> Reading:
    return Reading("camera", None, doubt, apart=True, evidence=picture(of), parts=parts)


@pytest.fixture
def pit() -> Pit:
    """Blackjack with one box: card 4 of a round goes face down to the dealer."""
    pit = Pit(setup(1, "blackjack"))
    opened_with(pit)
    return pit


def opened_with(pit: Pit) -> None:
    pit.shuffle()
    pit.bet(1)
    pit.no_more_bets()


def differ(scanned: str, filmed: str) -> Reading:
    parts = (by_camera(scanned, source="scanner"), by_camera(filmed, "both"))
    return unseen(Doubt.READERS_DIFFER, "both", *parts)


def pictures(pit: Pit) -> list[str]:
    """The pictures of the dealt cards as the replay of round 1 shows them, in order."""
    past = find_round(pit.state, 1)
    assert past is not None
    steps = replay(past, pit.state.rounds.pictures).steps
    return [each.picture for each in steps if " to " in each.text and not each.said]


def facts(pit: Pit, kind: type) -> list[f.Fact]:
    return [each.fact for each in pit.records if isinstance(each.fact, kind)]


def test_an_open_cards_picture_is_in_its_fact_and_in_the_replay(pit: Pit) -> None:
    pit.give(by_camera("Th"))
    (dealt,) = facts(pit, f.CardDealt)
    assert isinstance(dealt, f.CardDealt)
    assert dealt.evidence == name("Th")
    assert pictures(pit) == [name("Th")]
    assert shown_pictures(pit.state) == {name("Th")}


def test_a_hidden_cards_picture_is_on_record_and_not_shown_before_it_is_turned(pit: Pit) -> None:
    for code in ("Th", "9c", "8d"):
        pit.give(by_camera(code))
    pit.give(by_camera("7s", "hidden"))
    (down,) = facts(pit, f.CardDealtDown)
    assert isinstance(down, f.CardDealtDown)
    assert down.evidence == name("hidden")
    assert name("hidden") not in shown_pictures(pit.state)
    assert name("hidden") not in repr(scene(pit.state))
    assert pictures(pit) == [name("Th"), name("9c"), name("8d"), ""]
    pit.press("stand")
    pit.press("next")  # the dealer turns it
    assert facts(pit, f.CardTurned)
    assert name("hidden") in shown_pictures(pit.state)
    assert pictures(pit)[:4] == [name("Th"), name("9c"), name("8d"), name("hidden")]
    past = find_round(pit.state, 1)
    assert past is not None
    (turn,) = [
        each for each in replay(past, pit.state.rounds.pictures).steps if " shows " in each.text
    ]
    assert turn.picture == name("hidden"), "also at the step at which it is turned"


def test_burned_cards_are_kept_and_never_shown() -> None:
    pit = opened(1)
    assert facts(pit, f.CardBurned)
    pit = Pit(setup(1, "blackjack"))
    pit.give(i.LoadPack())
    pit.give(i.CutShoe())
    pit.give(by_camera("2c", "burned"))
    (burned,) = facts(pit, f.CardBurned)
    assert isinstance(burned, f.CardBurned)
    assert burned.evidence == name("burned")
    assert shown_pictures(pit.state) == frozenset()


def test_two_readers_that_differ_hold_the_table_with_both_and_the_picture(pit: Pit) -> None:
    pit.give(differ("Th", "9h"))
    (hold,) = pit.state.holds
    assert hold.reason is Reason.UNREADABLE
    for word in ("different cards", "scanner: Ten of hearts", "camera: Nine of hearts"):
        assert word in say(hold.message)
    (shown,) = scene(pit.state).dealer.holds
    assert shown.picture == name("both")
    assert shown_pictures(pit.state) == {name("both")}
    pit.enter(i.Resolve(hold.number, Resolution.ENTER_CARD, "9h"))
    (dealt,) = facts(pit, f.CardDealt)
    assert isinstance(dealt, f.CardDealt)
    assert (dealt.source, dealt.evidence) == ("dealer", name("both"))


def test_of_a_hidden_card_on_which_readers_differ_nothing_is_reported(pit: Pit) -> None:
    for code in ("Th", "9c", "8d"):
        pit.give(by_camera(code))
    pit.give(differ("Ks", "Kc"))
    assert not pit.state.holds, "it left, and it is unknown until it is turned"
    assert "hidden card not certain" in repr(scene(pit.state)).lower()
    assert name("both") not in shown_pictures(pit.state)
    for word in ("Ks", "Kc", "king", "King"):
        assert word not in repr(scene(pit.state)) + repr(pit.records[-3:])


def test_of_a_card_that_nobody_waited_for_no_picture_and_no_card_is_shown(pit: Pit) -> None:
    pit.give(i.CallFloor())
    pit.give(differ("Th", "9h"))
    pit.give(by_camera("Qd", "early"))
    assert shown_pictures(pit.state) == frozenset()
    shown = repr(scene(pit.state))
    assert "Ten of hearts" not in shown
    assert all(not each.picture for each in scene(pit.state).dealer.holds)


def test_a_reading_without_a_picture_shows_none(pit: Pit) -> None:
    pit.give(replace(by_camera("Th"), evidence=b""))
    assert pictures(pit) == [""]
    pit.give(replace(differ("Th", "9h"), evidence=b""))
    assert scene(pit.state).dealer.holds[0].picture == ""


def test_pictures_go_with_the_rounds_that_can_be_recalled() -> None:
    pictures = tuple(Pictured(number, 1, 1, f"p{number}") for number in range(1, 15))
    assert [each.round for each in pictures_of(pictures, range(5, 15))] == list(range(5, 15))


def test_of_two_hidden_cards_of_a_hand_the_one_that_is_turned_is_shown_and_no_other() -> None:
    sealed = [Sealed(card(code)).stamped(bytes([at]) * 16) for at, code in enumerate(("Th", "2c"))]
    down = tuple(
        Pictured(1, 2, 1, each.digest[:4], shown=False, seal=each.digest) for each in sealed
    )
    shown = turned(down, 1, 2, 1, sealed[1])
    assert [each.shown for each in shown] == [False, True]
    unknown = (replace(down[0], seal=""), replace(down[1], seal=""))
    assert turned(unknown, 1, 2, 1, Sealed(None)) == unknown, "either might be the other's"
    assert turned(unknown[:1], 1, 2, 1, Sealed(None))[0].shown
