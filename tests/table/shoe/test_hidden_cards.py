"""Hidden cards are secret until they are turned: whole rounds, every output swept after each step.

Seven Twenty-Seven has one deck: no other card can be mistaken for a hidden one. In Blackjack the
hidden card's likes are taken out of the shoe first.
"""

from __future__ import annotations

import random

import pytest

from controller.devices.inputs import Doubt, Reading
from controller.record.codec import encode
from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.script.steps import Ask, Reveal
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.facts import CardDealtDown, CardTurned, DealerPeeked
from controller.table.irregularities.holds import Resolution
from controller.table.views.public import public
from controller.table.views.replay import find_round, replay
from controller.table.views.scene import scene
from tests.support.dealt.croupier import Croupier, tells
from tests.support.forms import quick_first
from tests.support.pit import SCANNER, Pit, opened, setup


def outputs(pit: Pit) -> str:
    """All that can be seen or written of a table, its refusals included."""
    wrong: list[i.TableInput] = [
        i.Decide(9, Action.HIT),
        i.TurnCard(3, 2),
        i.Resolve(99, Resolution.VOID),
        i.CutShoe(),
    ]
    refusals = [pit.give(each).refused for each in wrong]
    state = pit.state
    past = find_round(state, state.rounds.latest.number) if state.rounds.latest else None
    parts = [scene(state), public(state), state, state.rounds.latest, state.step, pit.records[-30:]]
    parts += [replay(past) if past else None, refusals]
    records = b" ".join(encode(each) for each in pit.records[-30:]).decode()
    return " ".join(f"{each!r} {each}" for each in parts) + records


def sweep(croupier: Croupier) -> None:
    text = outputs(croupier.pit)
    for place, cards in croupier.down.items():
        for each in cards:
            assert not (name := tells(text, each)), f"{place} is told by {name}"


@pytest.mark.parametrize("seed", quick_first(range(8), range(1)))
@pytest.mark.parametrize("first_card", quick_first(["down", "up"], ["down"]))
def test_no_output_discloses_a_card_of_seven_27_before_the_showdown(
    seed: int, first_card: str
) -> None:
    pit = Pit(setup(5, "seven-twenty-seven", first_card=first_card))
    croupier = Croupier(pit, random.Random(seed))
    croupier.round(dict.fromkeys(range(1, 6), 1_000), lambda: sweep(croupier))
    unseen = [hand for hand in pit.state.hands if hand.face_down]
    alone = sum(hand.ended is not Action.FOLD for hand in pit.state.hands) == 1
    assert all(hand.ended is Action.FOLD or alone for hand in unseen)


@pytest.mark.parametrize("seed", quick_first(range(8), range(1)))
@pytest.mark.parametrize("peek", [False, True])
def test_no_output_discloses_blackjack_s_hidden_card_before_it_is_turned(
    seed: int, peek: bool
) -> None:
    pit = Pit(setup(3, "blackjack", peek=peek))
    croupier = Croupier(pit, random.Random(seed))
    croupier.open_bets()
    croupier.down.clear()
    # The operator's second card is the eighth of three boxes: its likes leave the shoe.
    hidden = croupier.shoe[-8]
    croupier.shoe = [
        each for each in croupier.shoe if each is hidden or each.kind is not hidden.kind
    ]
    at = croupier.shoe.index(hidden)
    croupier.shoe[at], croupier.shoe[-8] = croupier.shoe[-8], croupier.shoe[at]
    croupier.round(dict.fromkeys((1, 2, 3), 2_000), lambda: sweep(croupier))
    turned = [fact for fact in pit.facts if isinstance(fact, CardTurned)]
    assert [fact.card for fact in turned] == [hidden.kind]


def test_what_is_published_at_the_reveal_opens_the_commitment() -> None:
    pit = opened(1, "blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c 9d")
    pit.deal("7d", serial="000123")
    pit.say("stand")
    pit.press("next")
    dealt = next(fact for fact in pit.facts if isinstance(fact, CardDealtDown))
    turned = next(fact for fact in pit.facts if isinstance(fact, CardTurned))
    again = Sealed(turned.card, turned.serial).stamped(bytes.fromhex(turned.nonce))
    assert (turned.card, turned.serial) == (card("7d"), "000123")
    assert again.digest == dealt.card.digest


def blackjack_to_the_hidden_card() -> Pit:
    pit = opened(1, "blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c 9d")
    pit.expect(next="Card to the operator, face down")
    return pit


def test_a_hidden_card_that_was_not_read_is_unknown_and_the_round_goes_on() -> None:
    pit = blackjack_to_the_hidden_card()
    pit.give(Reading(SCANNER, None, Doubt.GARBLED, apart=True))
    assert not pit.state.holds
    pit.expect(next="Box 1: stand, hit or double?")
    assert pit.display.dealer is not None
    assert pit.display.dealer.note == "hidden card not certain"
    pit.say("stand")
    pit.expect(
        next="Turn the hidden card", why="It was not read. Turn it, then touch “Enter the card”."
    )
    assert pit.display.keys[0].needs == "card"
    assert "turn it and enter it" in pit.press("next").refused
    assert "is not a card" in pit.give(i.TurnCard(0, 1, "Zz")).refused
    pit.enter(i.TurnCard(0, 1, "8d"))
    pit.expect(next="Pay box 1: 10.00", why="19 beats 17.")


@pytest.mark.parametrize("doubt", [Doubt.TOO_CLOSE, Doubt.BEAM_STUCK, Doubt.GARBLED])
def test_where_nobody_can_say_how_many_left_the_dealer_counts_and_does_not_look(
    doubt: Doubt,
) -> None:
    """GARBLED without a beam: perhaps no card left at all."""
    pit = blackjack_to_the_hidden_card()
    pit.give(Reading(SCANNER, None, doubt, apart=doubt is not Doubt.GARBLED))
    pit.expect(next="Hidden card not certain", why="Hidden card not certain.")
    assert [key.command["resolution"] for key in pit.display.holds[0].resolutions] == [
        "face_down", "no_card", "void",
    ]  # fmt: skip
    assert "choose one of" in pit.resolve(Resolution.ENTER_CARD, "7d").refused
    pit.resolve(Resolution.FACE_DOWN)
    pit.expect(next="Box 1: stand, hit or double?")
    step = pit.state.step
    assert isinstance(step, Ask)
    assert pit.state.shoe.gone == 5


def test_a_hidden_card_that_cannot_be_is_unknown_and_nothing_is_reported_of_it() -> None:
    """Seven kings of clubs lie open in earlier rounds, an eighth and a ninth cannot both be."""
    pit = opened(1, "blackjack")
    for _ in range(4):
        pit.bet(1)
        pit.no_more_bets()
        pit.deal("Kc 9c Kc 8d")
        pit.say("stand")
        pit.press("next")
        pit.press("next")
    assert pit.state.shoe.face_up[card("Kc")] == 8
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th 9c 9d")
    pit.deal("Kc")
    assert not pit.state.holds
    pit.say("stand")
    assert "all of the pack are gone" in pit.give(i.TurnCard(0, 1, "Kc")).refused
    step = pit.state.step
    assert isinstance(step, Reveal)
    assert not step.card.known


def test_a_recount_never_asks_to_look_at_a_card_that_lies_face_down() -> None:
    pit = blackjack_to_the_hidden_card()
    pit.start()
    resolutions = [key.command["resolution"] for key in pit.display.holds[0].resolutions]
    assert "enter_card" not in resolutions
    pit.resolve(Resolution.COUNT, cards=pit.state.cards_shown + 1)
    assert "enter_card" not in [
        key.command.get("resolution") for key in pit.display.holds[0].resolutions
    ]
    pit.resolve(Resolution.FACE_DOWN)
    pit.expect(next="Box 1: stand, hit or double?")


def test_a_hidden_card_is_known_again_after_a_restart() -> None:
    pit = blackjack_to_the_hidden_card()
    pit.deal("8d")
    pit.start()
    pit.resolve(Resolution.COUNT)
    pit.say("stand")
    pit.press("next")
    pit.expect(next="Pay box 1: 10.00", why="19 beats 17.")


def test_next_to_a_hidden_card_every_read_without_a_beam_is_a_question() -> None:
    """If only a like card were asked about, the question would tell the hidden one."""
    for code in ("8d", "3c"):
        pit = blackjack_to_the_hidden_card()
        pit.deal("8d")
        pit.deal(code, apart=False)
        pit.expect(
            next="One card or two?",
            why="Without an exit beam the reader cannot tell next to a hidden card.",
        )


def test_a_peek_needs_nobody_s_eyes_where_the_card_was_read() -> None:
    pit = opened(1, "blackjack", peek=True)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th Kc 9d Ac")
    assert DealerPeeked(True) in pit.facts
    pit.expect(next="Turn the hidden card")
    pit.press("next")
    pit.expect(next="Take box 1: 10.00", why="The operator has a blackjack.")


def test_an_unread_hidden_card_is_peeked_at_and_cannot_contradict_what_was_said() -> None:
    pit = opened(1, "blackjack", peek=True)
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("Th Kc 9d")
    pit.give(Reading(SCANNER, None, Doubt.NO_CODE, apart=True))
    pit.expect(next="Look at the hidden card: blackjack?")
    pit.give(i.ReportPeek(natural=False))
    pit.say("stand")
    assert "said no blackjack" in pit.give(i.TurnCard(0, 1, "Ah")).refused
    pit.enter(i.TurnCard(0, 1, "9h"))
    pit.expect(next="Box 1 pushes: bet stays")
