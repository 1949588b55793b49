"""English: how values are written, and the words of what the engine and the options say.

The reasons of a game stand in its own file; rule sheets and odds have one each beside this.
"""

from __future__ import annotations

from typing import Final

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Place
from controller.rules.cards import Card
from controller.rules.english.odds import ODDS
from controller.rules.english.sheets import SHEETS
from controller.rules.messages import Amount, Catalogue, Language, Seat, Value, Words
from controller.rules.money import amount_text


def write(value: Value, spec: str, words: Words) -> str:
    """A value in English: `10♥`, `25.00`, `seat 3`, `stay low`, `soft 17`, `3 to 2`.

    A card is its label in the index style of the table's cards (`13♥` or `K♥`), its `name`
    (`King of hearts`), its `rank` (`King`) or its `code` (`Kh`). `capital` and `lower` set the
    first letter; `sentence` also ends it, unless it is a question or has ended itself; `title` is
    that of a seat without its article: `Dealer`; `word` is what the game calls such a seat: `box`;
    `key` is the label of a key: “Done”.
    A number of `halves` is written as points: `6.5`; a text that is a `number` with the decimal
    point of the language.
    """
    text = _text(value, spec, words)
    if spec == "title":
        text = text.removeprefix("the ")
    if spec == "key":
        return f"“{text[:1].upper()}{text[1:]}”"
    if spec in ("capital", "sentence", "title"):
        ended = spec != "sentence" or text.endswith((".", "?", "!"))
        return text[:1].upper() + text[1:] + ("" if ended else ".")
    return text[:1].lower() + text[1:] if spec == "lower" else text


def _text(value: Value, spec: str, words: Words) -> str:
    if isinstance(value, Card):
        if spec in ("name", "rank"):
            return value.name if spec == "name" else value.rank_name
        return value.code if spec == "code" else value.label(words.index_style)
    if isinstance(value, Amount):
        return amount_text(value.minor)
    if isinstance(value, Seat) and spec == "word":
        return words.seat if value.number != DEALER_SEAT else words.dealer
    if isinstance(value, Seat | Place):
        return _place(value, words)
    if isinstance(value, Action):
        return value.value.replace("-", " ")
    if isinstance(value, int) and spec == "halves":
        return f"{value / 2:g}"
    return str(value)


def _place(value: Seat | Place, words: Words) -> str:
    seat, hand = value if isinstance(value, Place) else (value.number, 1)
    if seat == DEALER_SEAT:
        return f"the {words.dealer}"
    if hand == SIDE_BET:
        return f"the side bet of {words.seat} {seat}"
    return f"{words.seat} {seat}" + (f", hand {hand}" if hand > 1 else "")


RULES: Final[Catalogue] = {
    # the engine: what a round waits for
    "round-is-over": "the round is over",
    "card-is-next": "a card from the shoe is next",
    "card-face-down-is-next": "a card from the shoe is next, face down",
    "card-or-choice-is-next": "a card or a choice is next",
    "hidden-card-is-turned-first": "the hidden card is to be turned first",
    "hidden-card-was-read-otherwise": "the hidden card was read as another one when it was dealt",
    "hidden-card-was-not-read": "the hidden card was not read",
    "dealer-looks-first": "{who} has to look at the hidden card first",
    "seat-chooses-first": "{who} has to choose first",
    "seat-acts-first": "{who} has to act first",
    "further-wager-is-confirmed-first": "the further wager of {who} is to be confirmed",
    "seat-is-settled-first": "{who} has to be settled first",
    # corrections
    "round-is-over-before": "the round is over before it",
    "would-be-in-turn": "{who} would be in turn",
    "something-else-comes-first": "something else would have to happen first",
    # bets and raises
    "action-not-allowed": "{action} is not allowed",
    "action-takes-an-amount": "{action} takes an amount",
    "action-takes-no-amount": "{action} takes no amount",
    "amount-outside": "{action}: {low} to {high}, not {amount}",
    "amount-not-in-chips": "{amount} cannot be made of chips: the smallest is {chip}",
    # wagers
    "wager-under-minimum": "{amount} is under the minimum of {least}",
    "wager-over-maximum": "{amount} is over the maximum of {most}",
    "odds-cannot-be-paid": (
        "{odds} on {amount} cannot be paid in chips of {chip}: bet another amount"
    ),
    # reasons that several games give
    "against": "{player} against {dealer}",
    "total-under": "{total} is under {limit}",
    "total-at-least": "{total} is {low} or more",
    "total-between": "{total} is {low} to {high}",
    "under-dealer": "{player} is less than the dealer's {dealer}",
    "over-dealer": "{player} is more than the dealer's {dealer}",
    "equals-dealer": "{player} equals the dealer's {dealer}",
    "bust": "{points} is over {limit}",
    "dealer-busts": "the dealer busts with {points}",
    "beats": "{player} beats {dealer}",
    "loses-to": "{player} loses to {dealer}",
    "equals": "{player} equals {dealer}",
    # totals
    "total": "{parts:/}",
    "total-announced": "{parts}",
    "total-word-number": "{word} {number}",
    "total-word-then-number": "{word}, {number}",
    "total-points": "{points}",
    "total-halves": "{halves:halves}",
    "total-hard": "hard",
    "total-soft": "soft",
    "total-bust": "bust",
    "total-low": "low",
    "total-high": "high",
    "total-too-many": "too many",
    "total-no-low": "no low",
    # house options
    "limits": "Minimum {least}, maximum {most}",
    "option-unknown": "{game} has no option {option}: it knows {known}",
    "option-no-choice": "{option} must be {choices:or}, not {value}",
    "option-is-odds": "{option} must be odds, not {value}: write them as 3:2",
    "option-not-whole": "{option} must be a whole number, not {value}",
    "option-not-name-value": "{text} is no option: write it as name=value",
    "option-type": "{option} must be of type {kind}, not {value}",
    "option-cards-outside": "{option} must be 0 to {most} cards",
    "options-make-no-sense": "{game}: {why}",
    "no-wager-could-be-taken": "{game}: no wager could be taken with these options: {why}",
    "smallest-chip-outside": "smallest_chip must be 1 to {most}",
    "max-bet-too-high": "max_bet must be at most {most}",
    "min-bet-outside": "min_bet must be above 0 and not above max_bet",
    "min-bet-not-in-chips": "min_bet must be a whole number of smallest chips",
    "cut-outside-pack": "penetration_cards must be 1 to {most} for a pack of {cards} cards",
    **SHEETS,
    **ODDS,
}

ENGLISH: Final = Language(write, RULES)
