"""A round as the felt tells it, held against the display."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from controller.rules.actions import Action, Bid, Outcome, Place
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.messages import message
from controller.rules.script.felt import Bonus, Hand, Result
from controller.rules.script.steps import DONE
from sim_hw.table.display_reader import HandShown
from sim_hw.table.felt import PhysicalFelt
from sim_hw.table.oracle import Announcement, Choice, Disagreement, RoundProgress, play_through
from sim_hw.table.round_report import (
    compare,
    compare_cards,
    compare_hidden,
    compare_settlement,
    line,
    minor_units,
    played,
    sentence,
    total_text,
)
from tests.support.dealt.day import lay, turn

GAME, BLACKJACK = game("21-24-27"), game("blackjack")
WAGERS = ((1, 1_000), (3, 2_050))
#: Seat 1: K 2 + 7 hit, stands on 22. Seat 3: 9 4 must hit: Q, 25. Dealer: 8 7 + K busts.
DEAL = "1:Kc 3:9h 0:8d 1:2c 3:4s 0:7d 1:7c 3:Qh 0:Ks"
SAID = (Announcement(Place(1), Action.HIT), Announcement(Place(1), Action.STAND))


def shown(plays: Game, progress: RoundProgress) -> dict[Place, HandShown]:
    """A display that shows the round as it came out."""
    felt = progress.run.felt
    hands = {}
    for hand in (*felt.hands, felt.dealer):
        result, net = "", ""
        if hand.result is not None:
            result = {"win": "Wins", "lose": "Loses", "push": "Pushes"}[hand.result.outcome.value]
            net = f"{hand.result.net(hand.wager or 0) / 100:.2f}"
        hands[hand.place] = HandShown(
            hand.place, tuple(getattr(each, "code", "") for each in hand.lying()),
            total_text(plays, hand), f"{(hand.wager or 0) / 100:.2f}", result, net,
            settled=hand.settled, active=False,
        )  # fmt: skip
    return hands


def test_the_felt_tells_what_a_round_came_to() -> None:
    round_ = played(GAME, play_through(GAME, WAGERS, SAID, lay(DEAL)))
    assert dict(round_.nets) == {1: 1_000, 3: 2_050}
    assert (round_.net, round_.cards, round_.pot) == (3_050, 9, 0)


def test_the_pages_list_has_a_sentence_for_a_round() -> None:
    round_ = played(GAME, play_through(GAME, WAGERS, SAID, lay(DEAL)))
    assert sentence(12, round_) == "Round 12 is over: the players win 30.50 in all."
    lost = replace(round_, nets={1: -1_000, 3: 250})
    assert sentence(3, lost) == "Round 3 is over: the players lose 7.50 in all."
    assert sentence(3, replace(round_, nets={})) == "Round 3 is over: the players are even."
    assert sentence(3, replace(round_, pot=4_000)) == "Round 3 is over: a pot of 40.00."


def test_the_line_of_a_round_says_cards_totals_outcomes_and_nets() -> None:
    assert line(GAME, 12, played(GAME, play_through(GAME, WAGERS, SAID, lay(DEAL))), 5_000) == (
        "round   12   9 cards  seat 1 Kc2c7c hard 22 win +10.00 | seat 3 9h4sQh hard 25 win +20.50"
        " | dealer 8d7dKs bust 28 | net 30.50, in all 50.00"
    )


def said(*words: tuple[int, int, Choice]) -> list[Announcement]:
    return [Announcement(Place(seat, hand), word) for seat, hand, word in words]


def test_the_line_tells_insurance_split_and_doubled_hands_in_the_games_own_words() -> None:
    """Box 1 insures, splits 8-8, and doubles 8-3 where the house allows it (BJ-A3, BJ-A6)."""
    plays = BLACKJACK.with_options({"double_after_split": True})
    words = said(
        (1, 0, Action.INSURANCE), (1, 0, DONE), (1, 1, Action.SPLIT), (1, 1, DONE),
        (1, 1, Action.DOUBLE), (1, 1, DONE), (1, 2, Action.STAND),
    )  # fmt: skip
    dealt = lay("1:8h 0:As 1:8c 0:7d- 1:3c 1:Ts 1:Qd")
    dealt[-1].to = dealt[-1].place = Place(1, 2)
    progress = play_through(plays, ((1, 1_000),), words, dealt)
    assert line(plays, 3, played(plays, progress), 0) == (
        "round    3   7 cards  box 1 insurance lose -5.00 | box 1 8h3cTs hard 21 doubled win +20.00"
        " | box 1.2 8cQd hard 18 push 0.00 | operator As7d 18 | net 15.00, in all 0.00"
    )


def test_the_line_of_a_pot_leaves_folded_cards_hidden() -> None:
    plays = game("seven-twenty-seven")
    words = said(
        (1, 1, Bid(Action.BET, 1_000)), (2, 1, Action.FOLD), (3, 1, Action.FOLD),
        (4, 1, Action.FOLD),
    )  # fmt: skip
    dealt = lay("1:4h- 2:Kc- 3:9s- 4:2d- 1:3h 2:As 3:8s 4:Qd")
    progress = play_through(plays, tuple((seat, 1_000) for seat in (1, 2, 3, 4)), words, dealt)
    assert line(plays, 1, played(plays, progress), 0) == (
        "round    1   8 cards  seat 1 ??3h win +30.00 | seat 2 ??As fold lose -10.00"
        " | seat 3 ??8s fold lose -10.00 | seat 4 ??Qd fold lose -10.00 | pot 50.00"
        " | net 0.00, in all 0.00"
    )


def test_a_display_that_agrees_is_in_order() -> None:
    progress = play_through(GAME, WAGERS, SAID, lay(DEAL))
    compare(GAME, played(GAME, progress), shown(GAME, progress))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"cards": ("Kc", "2c", "8c")}, "seat 1 hand 1, cards"),
        ({"total": "hard 23"}, "seat 1 hand 1, total"),
        ({"result": "Pushes"}, "seat 1 hand 1, result"),
        ({"wager": "20.00"}, "seat 1 hand 1, wager"),
        ({"net": "+20.00"}, "seat 1 hand 1, net"),
    ],
)
def test_a_display_that_disagrees_is_found_out(change: Mapping[str, object], says: str) -> None:
    progress = play_through(GAME, WAGERS, SAID, lay(DEAL))
    hands = shown(GAME, progress)
    hands[Place(1)] = replace(hands[Place(1)], **change)  # type: ignore[arg-type]
    with pytest.raises(Disagreement, match=says):
        compare(GAME, played(GAME, progress), hands)


def test_a_hand_that_is_not_shown_or_was_not_dealt_is_found_out() -> None:
    progress = play_through(GAME, WAGERS, SAID, lay(DEAL))
    hands = shown(GAME, progress)
    with pytest.raises(Disagreement, match="seat 2 hand 1 is on the display, and was not dealt"):
        compare(GAME, played(GAME, progress), {**hands, Place(2): hands[Place(1)]})
    del hands[Place(3)]
    with pytest.raises(Disagreement, match="seat 3 hand 1 was never on the display"):
        compare(GAME, played(GAME, progress), hands)


def test_a_card_that_lies_face_down_may_not_be_shown_before_it_is_turned() -> None:
    felt = PhysicalFelt({}, dealt=lay("0:Ks 0:7d-"))
    shows = HandShown(Place(0), ("Ks", "7d"), "17", "", "", "", settled=False, active=False)
    with pytest.raises(Disagreement, match="the dealer: the display shows a card that is hidden"):
        compare_hidden(felt.hands(), [shows])
    back = replace(shows, cards=("Ks", ""))
    compare_hidden(felt.hands(), [back])
    compare_cards(felt.hands(), [back])
    turn(felt.dealt, Place(0), 1)
    compare_hidden(felt.hands(), [shows])
    compare_cards(felt.hands(), [shows])
    with pytest.raises(Disagreement, match="the dealer, cards"):
        compare_cards(felt.hands(), [back])


WHY = message("why")
BONUS = Result(Outcome.WIN, message("8-9-10"), bonus=Bonus(message("8-9-10-spades"), amount=2_000))


@pytest.mark.parametrize(
    ("result", "headline", "why", "says"),
    [
        (BONUS, "Pay seat 1: 30.00", "8-9-10. Bonus 8-9-10 spades: 20.00.", None),
        (BONUS, "Pay seat 1: 10.00", "8-9-10. Bonus 8-9-10 spades: 20.00.", "settlement"),
        (BONUS, "Pay seat 1: 30.00", "8-9-10.", "bonus"),
        (Result(Outcome.LOSE, WHY), "Take seat 1: 10.00", "", None),
        (Result(Outcome.LOSE, WHY), "Take seat 1: 110.00", "", "settlement"),
        (Result(Outcome.SURRENDER, WHY), "Take half of seat 1: 5.00", "", None),
        (Result(Outcome.PUSH, WHY), "Seat 1 pushes: bet stays", "", None),
        (Result(Outcome.WIN, WHY, share=2_550), "Pay seat 1 from the pot: 25.50", "", None),
        (Result(Outcome.WIN, WHY, share=2_550), "Pay seat 1 from the pot: 25.00", "", "settlement"),
    ],
)
def test_what_is_paid_or_taken_and_a_bonus_are_held_against_the_display(
    result: Result, headline: str, why: str, says: str | None
) -> None:
    hand = Hand(Place(1), 1_000)
    hand.result = result
    if says is None:
        compare_settlement(hand, game("finnish-27").words, headline, why)
    else:
        with pytest.raises(Disagreement, match=f"seat 1 hand 1, {says}"):
            compare_settlement(hand, game("finnish-27").words, headline, why)


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("+1,250.50", 125_050), ("-10.00", -1_000), ("0.00", 0), ("", None), ("3 to 2", None),
        ("the bet", None),
    ],
)  # fmt: skip
def test_amounts_are_read_from_the_display(text: str, amount: int | None) -> None:
    assert minor_units(text) == amount
