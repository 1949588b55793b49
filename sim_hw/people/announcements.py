"""What was said in the round in play, and the chips that went with it.

Where nobody but the robot deals, its players are heard: a word counts once the display goes on by
it. Where a visitor may sit in the dealer's seat nobody here hears the players: their words are
read from the service's account of the round.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Final

from controller.rules.felt import Action, Bid
from controller.rules.round import Wagers
from controller.rules.steps import DECLINED, DONE, AddWager, Settle, Step, Vie
from sim_hw.people.display_reader import Display
from sim_hw.people.page_link import Link
from sim_hw.people.players import says
from sim_hw.table.oracle import (
    Asks,
    Disagreement,
    Said,
    Telling,
    Word,
    agrees,
    answers,
    asked_by,
    in_words,
    nobody,
    tell,
    words_of,
)
from sim_hw.table.round_report import compare_settlement, minor_units
from sim_hw.table.world import World

#: A display that cannot be brought together with the felt for so long is not waited for.
PATIENCE_S: Final = 3.0


class Hearing:
    """The words of one round after the other. `astray` says why felt and display differ.

    `strict`: nobody but the robot deals, so that every word is known; what differs raises
    `Disagreement`.
    """

    def __init__(self, world: World, link: Link, *, strict: bool) -> None:
        self.words: list[Said] = []
        self.wagers: Wagers = ()
        self.telling: Telling | None = None
        self.pending: Said | None = None
        self._world = world
        self._link = link
        self._strict = strict
        self._apart_since_s: float | None = None
        self._why = ""

    @property
    def astray(self) -> str:
        """Why the round in play cannot go on as it is, empty where it can."""
        since_s = self._apart_since_s
        return self._why if since_s is not None and _now_s() - since_s > PATIENCE_S else ""

    @property
    def step(self) -> Step | None:
        """What the rules ask next by the felt; None where display and felt are not together."""
        return self.telling.step if self.telling and self._apart_since_s is None else None

    def begin(self, wagers: Wagers) -> None:
        """A round begins with these wagers, in order of play."""
        self.words.clear()
        self.wagers = wagers
        self.pending = self.telling = self._apart_since_s = None

    async def follow(self, display: Display) -> None:
        """Bring cards, words and the display together: what was said counts now.

        Raises `Disagreement`, when strict, where that cannot be.
        """
        if display.holds or display.gone != self._world.shoe.gone:
            return
        try:
            self.telling = self._tell(asked_by(display))
            if not agrees(display, self.telling):
                self.telling = await self._hear_more(self.telling, display, asked_by(display))
            self._check(display, self.telling)
        except Disagreement as error:
            if self._strict:
                raise
            if self._apart_since_s is None:
                self._apart_since_s = _now_s()
            self._why = str(error)
        else:
            self._apart_since_s = None

    async def whole(self, display: Display) -> Telling:
        """The round that is over, to its end. Raises `Disagreement`."""
        telling = self._tell(nobody)
        if telling.step is not None:
            telling = await self._hear_more(telling, display, nobody)
        if telling.step is not None:
            raise Disagreement(f"the display ended the round, the rules ask {_asked(telling)}")
        return telling

    def says(self) -> Word | None:
        """The word of the player who is asked, the same however often it is looked at."""
        if self.step is None or self.telling is None:
            return None
        world = self._world
        name = f"{world.settings.seed}/says/{world.round}/{len(self.words)}"
        place = self.step.hand.place
        again = Said(place, DECLINED) in self.words
        return says(world.settings.game, self.telling.run, Random(name), thought_again=again)

    def _tell(self, asks: Asks) -> Telling:
        world = self._world
        return tell(world.settings.game, self.wagers, self.words, world.felt.dealt, asks)

    async def _hear_more(self, telling: Telling, display: Display, asks: Asks) -> Telling:
        """Take the words that were said since: the one in the air, or those of the account."""
        if self._strict:
            heard = [self.pending] if self.pending and answers(telling.step, self.pending) else []
            self.pending = None if heard else self.pending
        else:
            heard = words_of(await self._link.account(display.round))
            if heard[: len(self.words)] != self.words:
                raise Disagreement(f"there is no account of round {display.round} that fits")
            heard = heard[len(self.words) :]
        for said in heard:
            if not answers(telling.step, said):
                raise Disagreement(
                    f"the account says {in_words(said.word)}, the rules ask {_asked(telling)}"
                )
            self._take(said, telling)
            telling = self._tell(asks)
        return telling

    def _check(self, display: Display, telling: Telling) -> None:
        if not agrees(display, telling):
            raise Disagreement(
                f"by the felt the rules ask {_asked(telling)}, the display: {display.headline}"
            )
        hands = telling.run.felt.hands
        paid = sum(hand.result.share or 0 for hand in hands if hand.settled and hand.result)
        in_pot = sum(hand.wager or 0 for hand in hands) - paid
        if display.pot and minor_units(display.pot) != in_pot:
            raise Disagreement(f"the pot: the felt says {in_pot}, the display {display.pot}")
        if isinstance(telling.step, Settle):
            compare_settlement(telling.step.hand, display.headline, display.why)

    def _take(self, said: Said, telling: Telling) -> None:
        """A word counts: it stands in the player's bubble, and its chips move."""
        self.words.append(said)
        step, felt = telling.step, self._world.felt
        player = felt.players[said.place.seat]
        player.said = in_words(said.word)
        if isinstance(step, AddWager) and said.word is DONE:
            if step.action is Action.SPLIT:
                felt.split(said.place)
                player.split(said.place.hand, step.amount or 0)
            else:
                felt.add(said.place, step.amount or 0)
        elif isinstance(step, Vie):
            more = said.word.amount if isinstance(said.word, Bid) else 0
            if more or said.word is Action.CALL:
                felt.stake(said.place.seat, step.to_call + more)
            player.folded = said.word is Action.FOLD
        self._world.changes.tell()


def _now_s() -> float:
    return asyncio.get_running_loop().time()


def _asked(telling: Telling) -> str:
    step = telling.step
    if step is None:
        return "nothing more"
    what = "settle" if isinstance(step, Settle) else type(step).__name__.lower()
    return f"{what} at seat {step.hand.place.seat} hand {step.hand.place.hand}"
