"""A day at the simulated table without a table: shoes, bets and words of a seed, played out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from controller.rules.actions import Place
from controller.rules.cards import card
from controller.rules.engine.round import Round, known_answer
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.options import Plain
from controller.rules.script.steps import DECLINED, Answer, Deal, Reveal
from controller.rules.sealed import Sealed
from sim_hw.devices.shoe import PhysicalCard, PhysicalShoe
from sim_hw.people.players import bets, says
from sim_hw.table.felt import Dealt
from sim_hw.table.oracle import Announcement, RoundProgress
from sim_hw.table.round_report import line, played


@dataclass
class DayRound:
    """One round of a day: its cards as they were dealt, its words, and the round as a value."""

    round: Round
    dealt: list[Dealt] = field(default_factory=list)
    words: list[Announcement] = field(default_factory=list)
    line: str = ""


def named(name: str, **options: Plain) -> Game:
    """The game of that name with these options."""
    return game(name).with_options(options)


def day(plays: Game, seed: int, seats: int, rounds: int) -> Iterator[DayRound]:
    """The rounds of a seed, one after the other."""
    shoe = PhysicalShoe(plays.pack, seed)
    button = net = 0
    _fresh(shoe, plays)
    for number in range(1, rounds + 1):
        wagers = bets(seed, number, range(1, seats + 1), plays)
        if plays.vying:
            button = _next_button(button, list(wagers))
        order = sorted(wagers, key=lambda seat: (seat <= button, seat))
        found = DayRound(Round(number, plays, tuple((seat, wagers[seat]) for seat in order)))
        while found.round.step is not None:
            found.round = found.round.feed(_answer(found, shoe, seed))
        each = played(plays, RoundProgress(found.round.run(), 0))
        net += each.net
        found.line = line(plays, number, each, net)
        yield found
        if shoe.gone >= plays.options.cut_after:
            _fresh(shoe, plays)


def _answer(found: DayRound, shoe: PhysicalShoe, seed: int) -> Answer:
    each, run = found.round, found.round.run()
    step = run.step
    assert step is not None
    place = step.hand.place
    if isinstance(step, Deal):
        card = shoe.draw()
        found.dealt.append(Dealt(place, card, step.down))
        return Sealed(card.kind) if step.down else card.kind
    chance = Random(f"{seed}/says/{each.number}/{len(found.words)}")
    again = Announcement(place, DECLINED) in found.words
    word = says(each.game, run, chance, asked_again=again)
    if word is not None:
        found.words.append(Announcement(place, word))
        return word
    if isinstance(step, Reveal):
        assert step.hand.down is not None
        turn(found.dealt, place, min(step.hand.down))
    return known_answer(step)


def turn(dealt: list[Dealt], place: Place, nth: int) -> None:
    """Turn a card as the felt of the world does."""
    [each for each in dealt if each.place == place][nth].down = False


def lay(text: str) -> list[Dealt]:
    """Cards as they were dealt: `1:Kc 0:8d 0:7d-`, the last one face down."""
    found = []
    for each in text.split():
        seat, _, code = each.partition(":")
        kind = card(code.removesuffix("-"))
        found.append(Dealt(Place(int(seat)), PhysicalCard(kind, 0), code.endswith("-")))
    return found


def _fresh(shoe: PhysicalShoe, plays: Game) -> None:
    shoe.load()
    shoe.cut()
    for _ in range(plays.options.burns(dealer_change=False)):
        shoe.draw()


def _next_button(button: int, seats: list[int]) -> int:
    after = [seat for seat in seats if seat > button]
    return (min(after) if after else min(seats)) if button else max(seats)
