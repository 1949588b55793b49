"""A croupier for tests: deals whole rounds of any game at a table, by lawful random choices.

Every choice comes from one `random.Random`, every card from one shoe with serial numbers.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from controller.devices.inputs import Doubt, Reading
from controller.rules.actions import Action
from controller.rules.cards import Card, IndexStyle
from controller.rules.script.steps import AddWager, Ask, Deal, Peek, Reveal, Step, Vie
from controller.rules.sealed import Sealed
from controller.table import inputs as i
from controller.table.state.phases import Phase
from tests.support.pit import SCANNER, Pit

#: No round of any game takes more steps than this at a table of seven.
ROUND_BOUND = 3_000


@dataclass(eq=False)
class Physical:
    """A card of cardboard: its kind and its serial number, which is no other card's."""

    kind: Card
    serial: str


@dataclass
class Croupier:
    """Deals at `pit`. `down` are the cards that lie face down and were never turned.

    `unread`: how likely the reader cannot tell a card that goes face down. `calm`: how likely a
    player of a vying game neither bets nor raises.
    """

    pit: Pit
    mixed: random.Random
    serials: bool = True
    unread: float = 0.0
    calm: float = 0.7
    shoe: list[Physical] = field(default_factory=list)
    down: dict[tuple[int, int], list[Physical]] = field(default_factory=dict)

    def copied(self) -> Croupier:
        """The same table, its cards and what chance brings, to go on another way."""
        mixed = random.Random()
        mixed.setstate(self.mixed.getstate())
        down = {place: [*map(replace, cards)] for place, cards in self.down.items()}
        return replace(
            self, pit=self.pit.copied(), mixed=mixed, shoe=[*map(replace, self.shoe)], down=down
        )

    def open_bets(self) -> None:
        """Load, cut and burn, where that is due."""
        pit = self.pit
        if pit.state.phase is Phase.SHUFFLE:
            kinds = pit.state.game.pack.cards()
            self.mixed.shuffle(kinds)
            numbers = self.mixed.sample(range(100_000, 999_999), len(kinds))
            self.shoe = [Physical(*each) for each in zip(kinds, map(str, numbers), strict=True)]
            pit.give(i.LoadPack())
            pit.give(i.CutShoe())
        while pit.state.phase is Phase.BURN:
            burned = self.shoe.pop()
            self.down.setdefault((0, 0), []).append(burned)
            self.read(burned)

    def read(self, drawn: Physical) -> None:
        """The reader tells the card, and the beam that it is another one."""
        serial = drawn.serial if self.serials else ""
        self.pit.give(Reading(SCANNER, Sealed(drawn.kind, serial), apart=True))

    def round(
        self, wagers: Mapping[int, int | None], each: Callable[[], None] = lambda: None
    ) -> None:
        """One whole round; `each` is called after every step."""
        pit = self.pit
        self.down.clear()
        self.open_bets()
        for seat, amount in wagers.items():
            assert not pit.bet(seat, amount).refused
        assert not pit.no_more_bets().refused
        each()
        for _ in range(ROUND_BOUND):
            step = pit.state.step
            if step is None:
                return
            self.answer(step)
            assert not pit.state.holds, pit.display
            assert pit.last is not None
            assert not pit.last.refused, pit.last.refused
            each()
        raise AssertionError("a round ends within its bound")

    def answer(self, step: Step) -> None:
        """A lawful answer to `step`, as the table takes it."""
        pit, (seat, hand) = self.pit, step.hand.place
        if isinstance(step, Deal):
            self.deal(step)
        elif isinstance(step, Ask):
            pit.say(self.mixed.choice(step.play.options).value)
        elif isinstance(step, Vie):
            self.vie(step)
        elif isinstance(step, AddWager):
            placed = self.mixed.random() < 0.9
            pit.give(i.ConfirmWager(seat, hand) if placed else i.DeclineWager(seat, hand))
        elif isinstance(step, Reveal):
            turned = self.down[seat, hand].pop(0)
            code = None if step.card.known else turned.kind.code
            turned_now = i.TurnCard(seat, hand, code)
            pit.enter(turned_now) if code else pit.give(turned_now)
        elif isinstance(step, Peek):
            pit.give(i.ReportPeek(step.natural(self.down[0, 1][0].kind)))
        else:
            pit.press("next")

    def deal(self, step: Deal) -> None:
        """The next card of the shoe, face up or down."""
        drawn = self.shoe.pop()
        if step.down:
            self.down.setdefault(step.hand.place, []).append(drawn)
            if self.mixed.random() < self.unread:
                self.pit.give(Reading(SCANNER, None, Doubt.NO_CODE, apart=True))
                return
        self.read(drawn)

    def vie(self, step: Vie) -> None:
        """A move of a betting round; raises become rare, so that rounds are not long."""
        quiet = [each for each in step.play.options if each not in (Action.BET, Action.RAISE)]
        loud = [each for each in step.play.options if each not in quiet]
        if not loud or self.mixed.random() < self.calm:
            self.pit.say(self.mixed.choice(quiet).value)
            return
        chips = self.mixed.randint(step.low // step.chip, step.high // step.chip)
        self.pit.say(loud[0].value, max(step.low, chips * step.chip))


def tells(text: str, drawn: Physical) -> str:
    """By which of its names `text` tells a card; empty if by none."""
    kind = drawn.kind
    if kind.name in text:
        return kind.name
    # As a number of its own: a time in milliseconds has any six digits in it some day.
    for at in _places(drawn.serial, text) if drawn.serial else ():
        end = at + len(drawn.serial)
        if not (text[at - 1 : at].isdigit() or text[end : end + 1].isdigit()):
            return drawn.serial
    for label in map(kind.label, IndexStyle):
        # The Finnish index of a queen is 12, which is no 2.
        if any(not text[at - 1 : at].isdigit() for at in _places(label, text)):
            return label
    # As a code of its own: "As" may be part of a word, "9d" of a digest.
    for at in _places(kind.code, text):
        end = at + len(kind.code)
        if not _ALNUM.match(text[at - 1 : at]) and not _ALNUM.match(text[end : end + 1]):
            return text[max(0, at - 20) : end + 20]
    return ""


_ALNUM: Final = re.compile("[A-Za-z0-9]")


def _places(word: str, text: str) -> Iterator[int]:
    """Where `word` begins in `text`; a regular expression with a condition before the word looks
    at every letter, which took a fortieth of the tests of the core.
    """
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
