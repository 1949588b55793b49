"""What was said in the round in play, and the chips that went with it.

Where nobody but the robot deals, its players are heard: a word counts once the display goes on by
it. Where a visitor may sit in the dealer's seat nobody here hears the players: their words are
read from the service's account of the round.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Final

from controller.rules.actions import Action, Bid
from controller.rules.engine.round import Wagers
from controller.rules.script.steps import DECLINED, DONE, AddWager, Settle, Step, Vie
from sim_hw.people.page_link import Link
from sim_hw.people.players import says
from sim_hw.table.display_reader import Display
from sim_hw.table.oracle import (
    Announcement,
    Asks,
    Choice,
    Disagreement,
    RoundProgress,
    agrees,
    announced,
    answers,
    as_speech,
    asked_by,
    nobody,
    play_through,
)
from sim_hw.table.round_report import compare_settlement, minor_units
from sim_hw.table.world import World

#: A display that cannot be brought together with the felt for this long is not waited for.
PATIENCE_S: Final = 3.0


class Announcements:
    """The words of one round after the other. `mismatch` says why felt and display differ.

    `strict`: nobody but the robot deals, so that every word is known; what differs raises
    `Disagreement`.
    """

    def __init__(self, world: World, link: Link, *, strict: bool) -> None:
        self.words: list[Announcement] = []
        self.wagers: Wagers = ()
        self.progress: RoundProgress | None = None
        self.pending: Announcement | None = None
        self._world = world
        self._link = link
        self._strict = strict
        self._apart_since_s: float | None = None
        self._why = ""

    @property
    def mismatch(self) -> str:
        """Why the round in play cannot go on as it is, empty where it can."""
        since_s = self._apart_since_s
        return self._why if since_s is not None and _now_s() - since_s > PATIENCE_S else ""

    @property
    def step(self) -> Step | None:
        """What the rules ask next by the felt; None where display and felt are not together."""
        return self.progress.step if self.progress and self._apart_since_s is None else None

    def begin(self, wagers: Wagers) -> None:
        """A round begins with these wagers, in order of play."""
        self.words.clear()
        self.wagers = wagers
        self.pending = self.progress = self._apart_since_s = None

    async def follow(self, display: Display) -> None:
        """Bring cards, words and the display together: what was said counts now.

        Raises `Disagreement`, when strict, where that cannot be.
        """
        if display.holds or display.gone != self._world.shoe.gone:
            return
        try:
            self.progress = self._play_through(asked_by(display))
            if not agrees(display, self.progress):
                self.progress = await self._take_new(self.progress, display, asked_by(display))
            self._check(display, self.progress)
        except Disagreement as error:
            if self._strict:
                raise
            if self._apart_since_s is None:
                self._apart_since_s = _now_s()
            self._why = str(error)
        else:
            self._apart_since_s = None

    async def complete(self, display: Display) -> RoundProgress:
        """The round that is over, to its end. Raises `Disagreement`."""
        progress = self._play_through(nobody)
        if progress.step is not None:
            progress = await self._take_new(progress, display, nobody)
        if progress.step is not None:
            raise Disagreement(f"the display ended the round, the rules ask {_asked(progress)}")
        return progress

    def says(self) -> Choice | None:
        """The word of the player who is asked, the same however often it is looked at."""
        if self.step is None or self.progress is None:
            return None
        world = self._world
        name = f"{world.settings.seed}/says/{world.round}/{len(self.words)}"
        place = self.step.hand.place
        again = Announcement(place, DECLINED) in self.words
        return says(world.settings.game, self.progress.run, Random(name), asked_again=again)

    def _play_through(self, asks: Asks) -> RoundProgress:
        world = self._world
        return play_through(world.settings.game, self.wagers, self.words, world.felt.dealt, asks)

    async def _take_new(
        self, progress: RoundProgress, display: Display, asks: Asks
    ) -> RoundProgress:
        """Take the words that were said since: the one in the air, or those of the account."""
        if self._strict:
            heard = [self.pending] if self.pending and answers(progress.step, self.pending) else []
            self.pending = None if heard else self.pending
        else:
            heard = announced(await self._link.account(display.round))
            if self._forget_taken_back(heard):
                progress = self._play_through(asks)
            if heard[: len(self.words)] != self.words:
                raise Disagreement(f"there is no account of round {display.round} that fits")
            heard = heard[len(self.words) :]
        for said in heard:
            if not answers(progress.step, said):
                raise Disagreement(
                    f"the account says {as_speech(said.choice)}, the rules ask {_asked(progress)}"
                )
            self._take(said, progress)
            progress = self._play_through(asks)
        return progress

    def _forget_taken_back(self, heard: list[Announcement]) -> bool:
        """Forget the words that the account has no more, if no chips went with them."""
        pairs = zip(self.words, heard, strict=False)
        same = next((at for at, (own, other) in enumerate(pairs) if own != other), None)
        unchanged = min(len(self.words), len(heard)) if same is None else same
        gone = self.words[unchanged:]
        if not gone or not all(_without_chips(each.choice) for each in gone):
            return False
        for each in gone:
            self._world.felt.players[each.place.seat].folded &= each.choice is not Action.FOLD
        del self.words[unchanged:]
        return True

    def _check(self, display: Display, progress: RoundProgress) -> None:
        if not agrees(display, progress):
            raise Disagreement(
                f"by the felt the rules ask {_asked(progress)}, the display: {display.headline}"
            )
        hands = progress.run.felt.hands
        paid = sum(hand.result.share or 0 for hand in hands if hand.settled and hand.result)
        in_pot = sum(hand.wager or 0 for hand in hands) - paid
        if display.pot and minor_units(display.pot) != in_pot:
            raise Disagreement(f"the pot: the felt says {in_pot}, the display {display.pot}")
        if isinstance(progress.step, Settle):
            words = self._world.settings.game.words
            compare_settlement(progress.step.hand, words, display.headline, display.why)

    def _take(self, said: Announcement, progress: RoundProgress) -> None:
        """A word counts: it stands in the player's bubble, and its chips move."""
        self.words.append(said)
        step, felt = progress.step, self._world.felt
        player = felt.players[said.place.seat]
        player.said = as_speech(said.choice)
        if isinstance(step, AddWager) and said.choice is DONE:
            if step.action is Action.SPLIT:
                felt.split(said.place)
                player.split(said.place.hand, step.amount or 0)
            else:
                felt.add(said.place, step.amount or 0)
        elif isinstance(step, Vie):
            more = said.choice.amount if isinstance(said.choice, Bid) else 0
            if more or said.choice is Action.CALL:
                felt.stake(said.place.seat, step.to_call + more)
            player.folded = said.choice is Action.FOLD
        self._world.changes.notify()


def _without_chips(choice: Choice) -> bool:
    return isinstance(choice, Action) and choice is not Action.CALL


def _now_s() -> float:
    return asyncio.get_running_loop().time()


def _asked(progress: RoundProgress) -> str:
    step = progress.step
    if step is None:
        return "nothing more"
    what = "settle" if isinstance(step, Settle) else type(step).__name__.lower()
    return f"{what} at seat {step.hand.place.seat} hand {step.hand.place.hand}"
