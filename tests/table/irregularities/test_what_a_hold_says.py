"""What a dealer reads at a hold: whole sentences, nothing twice, and which card is meant."""

from __future__ import annotations

from controller.table import inputs as i
from controller.table.irregularities.holds import Reason, Resolution
from tests.support.pit import Pit, opened


def text(pit: Pit) -> str:
    return pit.display.holds[0].text


def asked_for_insurance() -> Pit:
    pit = opened(5, "blackjack")
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("5h Ad 9c 2s")
    assert pit.display.headline == "Box 1: insurance?"
    return pit


def test_a_question_that_the_table_waits_for_ends_the_sentence_itself() -> None:
    pit = asked_for_insurance()
    pit.deal("7h")
    assert text(pit).startswith("A card left the shoe, but the table waits: Box 1: insurance? The")


def test_the_last_card_is_named_once() -> None:
    pit = opened()
    pit.bet(1)
    pit.no_more_bets()
    pit.deal("9h Kc 8d 6s 2c")
    assert not pit.give(i.Happened(Reason.NOT_ASKED)).refused
    said = text(pit)
    assert said.startswith("2♣ to seat 1. The last card was drawn for a player")
    assert said.lower().count("the last card") == 1


def test_of_two_cards_the_one_that_was_drawn_now_is_put_aside_or_kept() -> None:
    pit = opened()
    pit.bet(1)
    pit.deal("5c")
    pit.resolve(Resolution.KEEP)
    pit.deal("3h")
    assert text(pit).startswith(
        "A card left the shoe, but one that lies ready is dealt first. The floor says what becomes"
    )
