"""The dealer at work: looks, decides (`sim_hw.people.dealer_intent.intend`), acts, and looks again.

Nothing is done twice because the answer is slow: after an act the dealer waits for another picture
before the next one, and only a picture that stays the same for long is acted on again.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from sim_hw.devices.shoe import ShoeState
from sim_hw.people.announcements import Announcements
from sim_hw.people.aside import bring_back, put_aside
from sim_hw.people.dealer_book import Book
from sim_hw.people.dealer_intent import Act, DrawCard, Observation, Send, Wait, intend
from sim_hw.people.page_link import Link, NotReached
from sim_hw.people.players import bets
from sim_hw.people.rack_work import RackWork
from sim_hw.people.shift_change import ShiftChange
from sim_hw.people.standstill import LOOK_S, ConditionTimer, Puzzle, Standstill, Stuck
from sim_hw.people.trainer import Trainer
from sim_hw.people.visitor_hands import pull_next, turn_or_look
from sim_hw.table.changes import Changes
from sim_hw.table.display_reader import Command, Display
from sim_hw.table.oracle import Disagreement, as_speech
from sim_hw.table.world import CHIPS_MS, World

REACT_MS: Final = 450
THINK_MS: Final = 1100
#: How long the floor takes to come, look, and give name and PIN.
FLOOR_MS: Final = 6000
#: The reason that the floor of this world gives.
FLOOR_SAYS: Final = "Looked at the felt"
#: A picture that did not change for this long after an act: act again, as a person would.
AGAIN_S: Final = 2.0
#: A card that the display does not show for this long was not read: the floor is called.
OVERDUE_S: Final = 5.0
#: What the display says of a card that passed the camera too quickly for the machine that reads.
TOO_QUICK: Final = "saw too little of the card"


class Dealer:
    """The dealer's seat. While `robot` is False a visitor sits there and only bets are entered.

    `report_line` is called with one line for every round that ended. `strict` ends the play where
    the table is stuck or the display disagrees with the felt; else both are only reported.
    """

    def __init__(
        self,
        world: World,
        link: Link,
        changes: Changes,
        report_line: Callable[[str], None],
        *,
        strict: bool,
    ) -> None:
        self.world = world
        self.link = link
        self.changes = changes
        self.robot = True
        self.paused = False
        self.book = Book(world, report_line, strict=strict)
        self.announcements = Announcements(world, link, strict=strict)
        self._shift = ShiftChange(world, link, changes)
        self._rack = RackWork(world, link, self._shift)
        self.trainer: Trainer | None = None
        self._strict = strict
        self._phase = ""
        self._bets_for = 0
        self._standstill = Standstill(world.speed)
        self._puzzle = Puzzle()
        self._short = ConditionTimer()

    async def play(self, rounds: int = 0) -> None:
        """Deal `rounds` rounds, or for ever if 0.

        Raises `Stuck` if the table does not go on, `Disagreement` if it went wrong, when strict.
        """
        while not rounds or self.book.tally.rounds < rounds:
            count = self.changes.count
            display = self.link.display
            if display is not None:
                await self._follow(display)
                works = self.robot and not self.paused
                if works and (await self._shift.look(display) or await self._rack.look(display)):
                    continue
            act = intend(display, self._observe(display))
            self._show_speech(act)
            if self.trainer is not None and display is not None:
                self.trainer.see(display, act)
            counts = self.robot and self._strict and not self.paused
            self._standstill.check(display, act, self.link.problem, counts=counts)
            self._puzzle.look(display, act, counts=self.robot and not self._strict)
            if self.paused or isinstance(act, Wait) or not (self.robot or _for_players(act)):
                await self.changes.wait(LOOK_S, count)
            elif display is not None:
                await self._act(act, display)

    # Looking

    def _observe(self, display: Display | None) -> Observation:
        world = self.world
        players = world.felt.players.values()
        return Observation(
            gone=world.shoe.gone,
            left=world.shoe.left,
            lying=Counter(each.place.seat for each in world.felt.dealt),
            dealt=tuple(each.face for each in world.felt.dealt),
            unentered_bets={
                each.seat: each.bet for each in players if each.bet and not each.entered
            },
            chips=frozenset(each.seat for each in players if each.bets),
            lit={each.seat: world.board.perceived(each.seat) for each in players},
            draw_means_hit=world.settings.draw_means_hit,
            step=self.announcements.step,
            says=self.announcements.says(),
            mismatch=self.announcements.mismatch or self._puzzle.why,
            overdue=self._overdue(display),
            players_elsewhere=world.settings.players_elsewhere,
        )

    def _overdue(self, display: Display | None) -> bool:
        """Whether a card has been out for long that the live display does not show."""
        short = display is not None and not display.holds and display.gone < self.world.shoe.gone
        return self._short.look(short) > OVERDUE_S

    async def _follow(self, display: Display) -> None:
        """Let the felt and the tally follow what the display says has happened."""
        if display.safe:
            return  # the record is away for a moment: it says nothing, and nothing has happened
        world = self.world
        self._note_holds(display)
        before, self._phase = self._phase, display.phase
        if display.phase != "shuffle":
            await self._keep_shoe(display)
        if display.phase == "round":
            if before != "round":
                self.announcements.begin(self.book.begin(display))
            if display.gone >= world.shoe.gone:
                put_aside(world, display)
                bring_back(world, display)
            await self.announcements.follow(display)
            if not self.robot:
                turn_or_look(world, self.announcements.step, display)
            self.book.see(display)
        elif before == "round":
            await self._end(display)
        if display.phase == "betting":
            self._bet(display)

    def _bet(self, display: Display) -> None:
        """Chips for the next round: those of the world's players, or as the display has them."""
        world, settings, number = self.world, self.world.settings, self.world.round + 1
        if self._bets_for != number:
            self._bets_for = number
            seats = range(1, settings.seats + 1)
            own = bets(settings.seed, number, seats, settings.game)
            placed = {} if settings.players_elsewhere else own
            world.place_bets(placed, card_ready=display.kept_cards > 0)
        if settings.players_elsewhere:
            self.book.show_bets(display)

    def _note_holds(self, display: Display) -> None:
        """Count the holds; whoever drew too quickly for the camera draws more slowly after it."""
        known = self.book.tally.holds
        new = [each for each in display.holds if each.number not in known]
        known.update(each.number for each in new)
        if self.world.camera is not None and any(TOO_QUICK in each.text for each in new):
            self.world.camera.slow_down()

    async def _end(self, display: Display) -> None:
        """A round is over."""
        try:
            if display.dealer is None:
                self.book.end_void()
            else:
                self.book.end(await self.announcements.complete(display), display)
        except Disagreement as error:
            if self._strict:
                raise
            self.world.say(f"Disagreement: {error}.")
        if self.trainer is not None:
            self.trainer.round_ended(void=display.dealer is None)
        self.world.end_round()

    async def _keep_shoe(self, display: Display) -> None:
        """The shoe is handled as was entered at the display, by a visitor too."""
        world = self.world
        if display.shoe > world.shoe.number:
            await world.load()
        if display.phase != "cut" and world.shoe.state is ShoeState.LOADED:
            await world.cut()
        if display.shoe != world.shoe.number:
            raise Stuck(
                f"the display is at shoe {display.shoe}, the table at {world.shoe.number}: the"
                " service goes on with the record of another world; start both afresh"
            )
        if not display.holds and display.gone < world.shoe.gone and not world.shoe.left:
            await world.refill()

    def _show_speech(self, act: Act) -> None:
        """A player's word stands in the bubble until the next one."""
        said = None if isinstance(act, Wait) else act.said
        if said is not None:
            player = self.world.felt.players[said.place.seat]
            if player.said != as_speech(said.choice):
                player.said = as_speech(said.choice)
                self.changes.notify()

    # Acting

    async def _act(self, act: DrawCard | Send, display: Display) -> None:
        world = self.world
        await world.people_take(THINK_MS if act.said else REACT_MS)
        now = self.link.display
        if now is None or now.meaning != display.meaning:
            return
        if act.said is not None:
            self.announcements.pending = act.said
        if isinstance(act, DrawCard):
            await world.draw(act.to, down=act.down)
        else:
            await self._prepare(act)
            try:
                await self._send(self._with_card(act), display)
            except NotReached as error:
                world.say(str(error))
        await self._another_picture(display)

    async def _prepare(self, act: Send) -> None:
        """What hands do before the key is pressed."""
        if act.do == "load_pack":
            await self.world.load()
        elif act.do == "cut":
            await self.world.cut()
        elif act.do in ("settle", "place_wager", "confirm_wager"):
            await self.world.people_take(CHIPS_MS)
        elif act.command.get("resolution") == "refilled":
            await self.world.refill()

    def _with_card(self, act: Send) -> Send:
        """Turn the hidden card, or look under its corner, and put into the command what it says."""
        felt = self.world.felt
        if act.turns is not None:
            card = felt.turn(*act.turns)
            self.changes.notify()
            return replace(act, command={**act.command, "card": card.code}) if act.reads else act
        if act.looks is not None:
            natural = act.looks.natural(felt.look(act.looks.hand.place))
            return replace(act, command={**act.command, "natural": natural})
        return act

    async def _send(self, act: Send, display: Display) -> None:
        if act.button is not None:
            await self.world.board.press(act.button)
            return
        wager = act.do == "place_wager"
        stood = await self._stood_for(display.who(act.command))
        # A wager is true whatever the picture; anything else is meant for the picture that is seen.
        command = {**act.command, **stood}
        answer = await self.link.send(command, None if wager else display.seq)
        if answer.accepted and command.get("card"):
            # It has been named; it is entered once the same is said again.
            answer = await self.link.send(command, display.seq)
        if not answer.accepted:
            self.world.say(f"Refused: {answer.refused}.")
        elif wager:
            self.world.felt.players[int(act.command["seat"])].entered = True

    async def _stood_for(self, who: str) -> Command:
        """Those who have to stand for something come and say why; nobody without roles."""
        known = self.world.settings.people
        floor = [each for each in known if each.role == "floor"][:1]
        if not who or not floor:
            return {}
        self.world.say("The floor comes to the table.")
        await self.world.people_take(FLOOR_MS)
        seated = self._shift.seated
        others = [seated] if seated else [each for each in known if each not in floor][:1]
        people = [*floor, *others] if who == "two" else floor
        proofs = [{"name": each.name, "pin": each.pin} for each in people]
        return {"people": proofs, "reason": FLOOR_SAYS}

    async def _another_picture(self, before: Display) -> None:
        loop = asyncio.get_running_loop()
        deadline_s = loop.time() + AGAIN_S
        while (left_s := deadline_s - loop.time()) > 0:
            count, now = self.changes.count, self.link.display
            if now is None or now.meaning != before.meaning:
                return
            await self.changes.wait(left_s, count)

    # A visitor in the seat

    async def visitor_draws(self) -> None:
        """The visitor pulls the next card, once the display has taken the one before."""
        await pull_next(self.world, self.announcements, self.link, AGAIN_S)


def _for_players(act: Act) -> bool:
    """Whether the act is the players' business, whoever deals: their chips are entered."""
    return isinstance(act, Send) and act.do == "place_wager"
