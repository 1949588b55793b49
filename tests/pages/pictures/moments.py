"""Typical moments of the five games, as the pages are shown them; named as a dealer would.

Every picture is what the real table sends at that moment: the inputs go through `decide`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final

from controller.devices.inputs import Condition, Health
from controller.rules.games.registry import game
from controller.rules.messages import message
from controller.table.inputs import Acknowledge, Resolve
from controller.table.irregularities.holds import Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.views.public import public
from controller.table.views.scene import scene
from tests.pages.pictures.pit import Picture, as_json
from tests.support.pit import Pit, opened, setup


def started(name: str, seats: int, bets: dict[int, int], **options: int) -> Pit:
    """A round of `name` in which these spots play."""
    pit = opened(seats, name, **options)
    for seat, amount in bets.items():
        pit.bet(seat, amount)
    pit.no_more_bets()
    return pit


def said(pit: Pit, *words: str) -> Pit:
    """The players in turn say these words, and put down what it takes."""
    for word in words:
        pit.say(word)
        keys = pit.display.keys
        if keys and keys[0].label == "Bet placed":
            pit.press("next")
    return pit


# Finnish 27


def five_keys() -> Pit:
    """A pair against a weak dealer: everything that the game knows may be chosen."""
    pit = started("finnish-27", 7, {1: 2500, 3: 5000})
    pit.deal("8c 5d 6h  8d 9s Kh")
    return pit


def split_hands() -> Pit:
    """Seat 1 has split eights and doubled the second hand; the first stands."""
    pit = said(five_keys(), "split")
    pit.deal("Kc")
    said(pit, "stand")
    pit.deal("9h")
    said(pit, "double")
    return pit


def bonus() -> Pit:
    """Seat 1 has made 8-9-10 of spades: it is paid with a bonus, which is announced."""
    pit = started("finnish-27", 7, {1: 100000, 3: 5000})
    pit.deal("8s 5d 6h  9s Ts Kh")
    said(pit, "hit")
    pit.deal("Ts")
    return said(pit, "stand")


def fourteen_hands() -> Pit:
    """Seven seats with two hands each: as full as a felt against the house gets."""
    pit = started("finnish-27", 7, dict.fromkeys(range(1, 8), 100000))
    pit.deal("8c 8d 8h 8s 8c 8d 8h 6d  8h 8c 8s 8d 8h 8c 8s Kc")
    return _all_split(pit)


def fourteen_insured() -> Pit:
    """The same in Blackjack, every box insured besides."""
    pit = started("blackjack", 7, dict.fromkeys(range(1, 8), 100000))
    pit.deal("8c 8d 8h 8s 8c 8d 8h Ad  8h 8c 8s 8d 8h 8c 8s 5c")
    return _all_split(said(pit, *["insurance"] * 7))


def _all_split(pit: Pit) -> Pit:
    """Every pair is split and played, a small card at a time, up to the last hand's choice."""
    small = (rank + suit for _ in range(6) for rank in "234" for suit in "cdhs")
    while True:
        shown = pit.display
        actions = [each.command.get("action") for each in shown.keys]
        if "split" in actions:
            said(pit, "split")
        elif "stand" not in actions:
            pit.deal(next(small))
        elif next(each for each in shown.hands if each.active).total < "hard 15":
            said(pit, "hit")
        elif shown.seat == 7 and shown.hands[-1].active:
            return pit
        else:
            said(pit, "stand")


def fourteen_doubled() -> Pit:
    """Seven seats with two doubled hands each, the dealer bust: every one of them is paid."""
    pit = started("finnish-27", 7, dict.fromkeys(range(1, 8), 100000))
    pit.deal("8c 8d 8h 8s 8c 8d 8h 6d  8h 8c 8s 8d 8h 8c 8s Kc")
    small = (rank + suit for _ in range(6) for rank in "234" for suit in "cdhs")
    while not (shown := pit.display).headline.startswith("Dealer"):
        actions = [each.command.get("action") for each in shown.keys]
        if "split" in actions or "double" in actions:
            said(pit, "split" if "split" in actions else "double")
        else:
            pit.deal(next(small))
    pit.deal("9d")
    return pit


def surrender() -> Pit:
    """Seat 1 has given its hand up: half of its bet is taken."""
    pit = said(five_keys(), "surrender", "hit")
    pit.deal("5c")
    return said(pit, "stand")


# Casino 7-27


def low_or_high() -> Pit:
    """Seat 1 may stay low or high; the dealer's first card is on the felt."""
    pit = started("casino-7-27", 7, {1: 2500, 4: 5000, 7: 1000})
    pit.deal("Ac 5d Ks 3h 4c 9d Kh")
    return pit


def low_cards_raised() -> Pit:
    """The dealer has drawn: the low cards are pushed up."""
    pit = said(low_or_high(), "stay-low")
    said(pit, "stay-high", "stay-high")
    pit.deal("2c 2s Jd")
    return pit


# Blackjack


def insurance() -> Pit:
    """The operator shows an ace: box 1 has insured, box 2 is asked."""
    pit = started("blackjack", 7, {1: 1000, 2: 2500, 5: 5000})
    pit.deal("8h Kc 9d Ah 8s Qc 2s 5c")
    return said(pit, "insurance")


def offered_split() -> Pit:
    """The operator offers the split of 8-8 by name."""
    return said(insurance(), "no-insurance", "no-insurance")


def hidden_card() -> Pit:
    """Every box has acted: the hidden card is to be turned."""
    return said(offered_split(), "stand", "stand", "stand")


def hidden_unread() -> Pit:
    """The hidden card was not read when it was dealt: it is turned and entered."""
    pit = started("blackjack", 7, {1: 1000, 2: 2500})
    pit.deal("8h Kc Th 8s Qc")
    pit.doubt()
    pit.resolve(Resolution.FACE_DOWN)
    return said(pit, "stand", "stand")


def insured() -> Pit:
    """The operator has a blackjack: insurance is paid."""
    pit = started("blackjack", 7, {1: 1000, 2: 2500})
    pit.deal("8h Kc Ah 8s Qc Kd")
    said(pit, "insurance", "no-insurance", "stand", "stand")
    pit.press("next")
    return pit


def fourteen_settling() -> Pit:
    """Seven boxes with two hands each, insured in vain: the insurance is taken first."""
    pit = said(fourteen_insured(), "stand")
    pit.press("next")
    return pit


def peek() -> Pit:
    """The hidden card was not read, and the house looks at it."""
    pit = started("blackjack", 7, {1: 1000, 2: 2500}, peek=True)
    pit.deal("8h Kc Th 8s Qc")
    pit.doubt()
    pit.resolve(Resolution.FACE_DOWN)
    return pit


def hidden_card_missed() -> Pit:
    """The shoe's reader did not tell the hidden card: the table is held."""
    pit = started("blackjack", 7, {1: 1000, 2: 2500})
    pit.deal("8h Kc Th 8s Qc")
    pit.doubt()
    return pit


# Seven Twenty-Seven


def vying(seats: int = 7) -> Pit:
    """A bet and a raise lie there: seat 4 has to answer."""
    pit = started("seven-twenty-seven", seats, dict.fromkeys(range(1, seats + 1), 1000))
    down = ["2c", "3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc", "Jc"][:seats]
    up = ["Kc", "Kd", "5h", "Ah", "As", "4d", "5d", "6d", "9h", "Td"][:seats]
    pit.deal(" ".join(down + up))
    said(pit, "pass")
    pit.say("bet", 2000)
    pit.say("raise", 10000)
    return pit


def four_vying() -> Pit:
    return vying(4)


def ten_vying() -> Pit:
    """Ten seats; one has folded."""
    return said(vying(10), "fold")


def showdown() -> Pit:
    """Three players are left: the first of them shows."""
    pit = said(vying(), "call", "fold", "fold", "fold", "fold", "call")
    for card in ("2d", "3d", "4h"):
        pit.say("card")
        pit.deal(card)
    return said(pit, "pass", "pass", "pass", "no-card", "no-card", "no-card")


def ten_show() -> Pit:
    """Ten hands of five cards at the showdown: the last of them shows."""
    pit = started("seven-twenty-seven", 10, dict.fromkeys(range(1, 11), 1000))
    pack = [each.code for each in game("seven-twenty-seven").pack.cards()]
    pit.deal(" ".join(pack.pop() for _ in range(20)))
    for _ in range(3):
        said(pit, *["pass"] * 10)
        for _ in range(10):
            pit.say("card")
            pit.deal(pack.pop())
    said(pit, *["pass"] * 10)
    for _ in range(2):
        pit.say("card")
        pit.deal(pack.pop())
    said(pit, *["pass"] * 10)
    while pit.display.seat != 10:
        pit.press("next")
    return pit


def from_the_pot() -> Pit:
    """The first winner is paid from the pot."""
    pit = showdown()
    while "shows" in pit.display.headline:
        pit.press("next")
    return pit


# Tables with people


FLOOR = Person(PersonId("0e170001"), Role.FLOOR)
#: The directory of the table.
NAMES = {FLOOR.id: "Eino"}


def with_people(seats: int = 7) -> Pit:
    """A round at a table that knows its people: seat 1 has hard 15 and may choose."""
    pit = Pit(replace(setup(seats), roles=True))
    for hold in pit.state.holds:
        pit.give(Resolve(hold.number, Resolution.COUNT, reason="opening", cards=0), by=(FLOOR,))
    pit.shuffle()
    pit.bet(1, 2500)
    pit.no_more_bets()
    pit.deal("6h 9c 9d 7s")
    return pit


def recount() -> Pit:
    """The service was started again in mid-round: felt and record are compared."""
    pit = with_people()
    pit.start()
    return pit


def wrong_pack() -> Pit:
    """The very card that left before: a card that cannot be."""
    pit = with_people()
    for serial in ("000001", "000002", "000001"):
        pit.deal("2d", serial=serial)
    return pit


def floor_called() -> Pit:
    pit = with_people()
    pit.press("call")
    return pit


# Alarms


def dealer_called() -> Pit:
    """The floor was called 20 seconds ago: the table reminds of it."""
    pit = floor_called()
    pit.wait(20)
    return pit


def nobody_comes() -> Pit:
    """A recount with every way on, for a minute: the floor is called."""
    pit = recount()
    pit.wait(61)
    return pit


def pit_called() -> Pit:
    """Fourteen hands, a card that was not read, and nobody for three minutes."""
    pit = fourteen_hands()
    pit.doubt()
    pit.wait(181)
    return pit


def lights_down() -> Pit:
    """The lights do not work; the game goes on, and the floor is called."""
    pit = with_people()
    pit.give(Health("leds", Condition.DOWN, message("device-stopped", device="leds")))
    pit.wait(61)
    return pit


def lights_down_refused() -> Pit:
    """The same, and a press that the rules do not allow."""
    pit = lights_down()
    pit.press("repeat")
    return pit


def floor_has_seen() -> Pit:
    """The floor knows of it and has not settled it yet."""
    pit = nobody_comes()
    pit.give(Acknowledge(99), by=(FLOOR,))
    return pit


#: Every moment by its name.
MOMENTS: Final[dict[str, Callable[[], Pit]]] = {
    made.__name__: made
    for made in (
        five_keys, split_hands, bonus, surrender, fourteen_hands, fourteen_doubled, low_or_high,
        low_cards_raised, insurance, offered_split, hidden_card, hidden_unread, insured, peek,
        hidden_card_missed, fourteen_insured, fourteen_settling, vying, four_vying, ten_vying,
        showdown, ten_show, from_the_pot, recount, wrong_pack, floor_called, dealer_called,
        nobody_comes, pit_called, lights_down, lights_down_refused, floor_has_seen,
    )
}  # fmt: skip


@cache
def moment(name: str) -> Pit:
    """The moment of that name, to be looked at: whoever plays on makes one of his own."""
    return MOMENTS[name]()


def dealer_view(pit: Pit) -> Picture:
    """The dealer display as the page gets it."""
    return as_json(scene(pit.state, {**NAMES, **pit.names}).dealer)


def players_view(pit: Pit) -> Picture:
    """The players' display as the page gets it."""
    return as_json(scene(pit.state, pit.names).players)


def status_view(pit: Pit) -> Picture:
    """The status page's picture as the page gets it."""
    return as_json(public(pit.state, NAMES)) | {"simulated": False, "notice": []}
