"""Tabulates a game: asks its live script once about every class of hands, and notes the answers.

Against every state that the dealer may show, the hands that can be reached are walked from the
deal on; each is put to the script once, by the cards and actions that led to it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Sequence
from typing import Any

from controller.odds.tables.asked import Asked
from controller.odds.tables.dealer_tables import DealerTables
from controller.odds.tables.game_tables import (
    End,
    Ending,
    Node,
    Side,
    SplitHand,
    Suits,
    Tables,
    TakeCard,
    Then,
)
from controller.odds.tables.probe import Move, NoTable, Prober, Stop
from controller.odds.tables.states import NOTHING, Letters, Shoe, States, Way, by_rank, full_shoe
from controller.odds.tables.walk import HandWalk, Left, Met
from controller.rules.actions import DEALER_SEAT, Action
from controller.rules.cards import Card
from controller.rules.game import Game
from controller.rules.options import plain
from controller.rules.script.felt import Play
from controller.rules.script.steps import Deal


def tabulate(
    game: Game, wager: int, shoe: Shoe | None = None, letters: Callable[[Shoe], Letters] = by_rank
) -> Tables:
    """The tables of `game` for one seat that wagers `wager` minor units.

    From a full shoe, unless `shoe` says what it holds. Raises `NoTable` for a game without a
    house, or one whose classes of hands are too many or too coarse.
    """
    return _Tabulation(game, wager, shoe or full_shoe(game.pack), letters).tables()


def _by_total(game: Game) -> Callable[[Sequence[Card], bool], Hashable]:
    return lambda cards, split: (game.total(cards), len(cards))


class _Tabulation:
    """One tabulation in progress."""

    def __init__(
        self, game: Game, wager: int, shoe: Shoe, letters: Callable[[Shoe], Letters]
    ) -> None:
        self.game = game
        self.shoe = shoe
        self.letters = letters(shoe)
        self.probe = Prober(game, wager, [cards[0] for cards in self.letters])
        by_total = _by_total(game)
        dealer = game.dealer_class
        self.hands = States(shoe, self.letters, game.hand_class or by_total)
        self.dealer = States(
            shoe, self.letters, by_total if dealer is None else lambda cards, split: dealer(cards)
        )
        self.empty = self.hands.add(NOTHING, split=False, doubled=False)
        self.none = self.dealer.add(NOTHING, split=False, doubled=False)
        self.first_cards, self.up, self.hidden = self._deal()
        self.asked = Asked(self.probe, self.letters, self.hidden)
        self.settled = DealerTables(self.asked, self.dealer, self.up + self.hidden)
        self.firsts = self._firsts()
        self.finals: dict[tuple[int, Action | None], int] = {}
        self.nodes: dict[int, dict[int, Node]] = {}
        self.fixed: dict[int, dict[int, Ending]] = {}
        self.suits: dict[tuple[int, int], tuple[tuple[tuple[Card, ...], int], ...]] = {}
        self.most_hands = 1
        self.capped: dict[int, dict[int, Play[Any, Any] | None]] = defaultdict(dict)

    def tables(self) -> Tables:
        """Everything, in the order in which a round is played."""
        shown = self._shown()
        for state, cards in shown.items():
            left = self._hands_against(state, cards)
            self.settled.settle(state, cards, left)
        states = range(len(self.hands.parts))
        after, dealer_after = self.hands.rows(), self.dealer.rows()
        alike: dict[Hashable, list[int]] = defaultdict(list)
        for letter in range(len(self.letters)):
            column = (tuple(row[letter] for row in (*after, *dealer_after)), self._hides(letter))
            alike[column].append(letter)
        groups = list(alike.values())
        return Tables(
            identity=self.game.identity,
            options=plain(self.game.options),
            wager=self.probe.wager,
            letters=tuple(
                tuple(card for letter in group for card in self.letters[letter]) for group in groups
            ),
            counts=tuple(
                sum(self.shoe[each] for letter in group for each in self.letters[letter])
                for group in groups
            ),
            first_cards=self.first_cards,
            up=self.up,
            hidden=self.hidden,
            cards=tuple(self.hands.parts[state][0].cards for state in states),
            split=tuple(self.hands.flags[state][0] for state in states),
            doubled=tuple(self.hands.flags[state][1] for state in states),
            after=tuple(tuple(row[group[0]] for group in groups) for row in after),
            dealers=tuple(parts[0].cards for parts in self.dealer.parts),
            dealer_after=tuple(tuple(row[group[0]] for group in groups) for row in dealer_after),
            draws=tuple(
                self.settled.draws.get(state, False) for state in range(len(self.dealer.parts))
            ),
            shown=tuple(shown),
            nodes=self.nodes,
            fixed=self.fixed,
            ends=self.settled.ends,
            drawn_for=frozenset(self.settled.drawn_for),
            naturals={
                shown: frozenset(at for at, group in enumerate(groups) if group[0] in found)
                for shown, found in self.asked.naturals.items()
            },
            natural_ends=self.asked.natural_ends,
            sides={
                shown: Side(
                    side.play,
                    {
                        action: tuple(nets[group[0]] for group in groups) if nets else ()
                        for action, nets in side.nets.items()
                    },
                )
                for shown, side in self.asked.sides.items()
            },
            most_hands=self.most_hands,
            capped=self.capped,
            suits=Suits(self.suits, dict(self.shoe), self.hands.tell),
        )

    def _hides(self, letter: int) -> Hashable:
        """What a letter does as a hidden card, against each shown state."""
        return tuple(
            (
                letter in self.asked.naturals.get(shown, ()),
                tuple(nets[letter] for nets in self.asked.sides[shown].nets.values() if nets)
                if shown in self.asked.sides
                else (),
            )
            for shown in self.nodes
        )

    # -- the deal --

    def _deal(self) -> tuple[int, int, int]:
        """Cards of the player, and of the dealer face up and face down, before all else."""
        counts = {"own": 0, "up": 0, "down": 0}
        filler = [cards[0] for cards in self.letters]
        own: list[Move] = []
        dealer: list[Card] = []
        while True:
            stop = self.probe.run(own, dealer)
            step = stop.step
            if not isinstance(step, Deal) or step.play is not None:
                break
            if step.hand.place.seat == DEALER_SEAT:
                dealer.append(filler[len(dealer) % len(filler)])
                counts["up"] += 1
            elif stop.hand.split:
                break
            else:
                own.append(filler[len(own) % len(filler)])
                counts["own"] += 1
        hidden = stop.run.felt.dealer.down
        return counts["own"], counts["up"], len(hidden) if hidden else 0

    def _shown(self) -> dict[int, tuple[Card, ...]]:
        """Every state that the dealer's cards face up may be in, and cards that make it."""
        found: dict[int, tuple[Card, ...]] = {self.none: ()}
        for _ in range(self.up):
            after: dict[int, tuple[Card, ...]] = {}
            for state, cards in found.items():
                for letter in range(len(self.letters)):
                    made = self.dealer.after(state, letter)
                    after.setdefault(made, (*cards, self.letters[letter][0]))
            found = after
        return found

    # -- the player's hands --

    def _firsts(self) -> list[Way]:
        """Every state of the first cards, once."""
        ways = [Way(self.empty, (), self.hands.parts[self.empty])]
        for _ in range(self.first_cards):
            met: set[int] = set()
            ways = [each for way in ways for each in self._drawn(way, way.state, met)]
        return ways

    def _drawn(self, way: Way, state: int, met: set[int]) -> list[Way]:
        """`way`, then a card in `state`, which has the same cards; states not `met` yet alone."""
        split, _ = self.hands.flags[state]
        ways = []
        for letter, made in enumerate(self.hands.row(state)):
            if made not in met:
                met.add(made)
                parts = self.hands.extend(way.parts, letter, split=split)
                ways.append(Way(made, (*way.moves, None), parts))
        return ways

    def _hands_against(self, shown: int, cards: tuple[Card, ...]) -> dict[int, Left]:
        """Walk every hand against `cards`; the complete ones that wait for the dealer."""
        self.nodes[shown] = {}
        self.fixed[shown] = {}
        self.asked.before_play(shown, cards, self.firsts)
        met = {each.state for each in self.firsts}
        walk = HandWalk(shown, cards, deque(map(Met, self.firsts)), met, {})
        while walk.queue:
            each = walk.queue.popleft()
            self.nodes[shown][each.way.state] = self._node(walk, each)
        return walk.left

    def _node(self, walk: HandWalk, each: Met) -> Node:
        """What the script asks of the hand, and where each action leads."""
        way = each.way
        if each.stop is None:
            stop = self.asked.stop(walk.shown, walk.cards, way.by(way.parts[0]))
        else:
            stop = each.stop.go_on(way.parts[0].cards[-1])
        if stop.waits != "ask":
            return Node(None, {None: self._then(stop, walk, way, None)})
        play = stop.step.play
        thens: dict[Action | None, Then] = {}
        for action in play.options:
            on = way._replace(moves=(*way.moves, action))
            # The run that asked goes on with the first action; the others have one each.
            after = (
                self.asked.stop(walk.shown, walk.cards, on.by(on.parts[0]))
                if thens
                else stop.go_on(action)
            )
            thens[action] = self._then(after, walk, on, action)
        return Node(play, thens)

    def _then(self, stop: Stop, walk: HandWalk, way: Way, action: Action | None) -> Then:
        """Where the hand stands after `action`: it draws, is split, or is complete."""
        if stop.waits in ("ask", "side"):
            raise NoTable(f"{self.game.title} asks more than once before a card is dealt")
        if stop.waits == "card":
            if action is Action.SPLIT:
                return self._split(walk, way, stop)
            state = self.hands.add(way.parts, split=stop.hand.split, doubled=stop.hand.doubled)
            self._meet(walk, way, state, stop)
            return TakeCard(state)
        final = self.finals.setdefault((way.state, stop.hand.ended), len(self.finals))
        fixed = self.fixed[walk.shown]
        if final not in fixed and final not in walk.left:
            if stop.result is None:
                walk.left[final] = Left(way, stop.waits)
            else:
                fixed[final], parts = self.asked.ending_by_parts(
                    way, lambda moves: self.asked.stop(walk.shown, walk.cards, moves), stop
                )
                if len(fixed[final]) > 1:
                    ways = zip((each.cards for each in way.parts), parts, strict=True)
                    self.suits[walk.shown, final] = tuple(ways)
        return End(final)

    def _split(self, walk: HandWalk, way: Way, stop: Stop) -> Then:
        """Both hands begin with one card; the first is walked on, the other has its like."""
        one, two = way.parts[0].cards[:2]
        begun = self.hands.extend(self.hands.parts[self.empty], self._letter(one), split=True)
        state = self.hands.add(begun, split=True, doubled=False)
        if self.hands.flags[way.state][0]:
            self._resplit(walk, way, one)
        else:
            self.most_hands = max(self.most_hands, 2)
            first = Way(state, (None, two, Action.SPLIT), begun)
            self._meet(walk, first, state, stop)
        return SplitHand(state)

    def _meet(self, walk: HandWalk, way: Way, state: int, stop: Stop) -> None:
        """The hands that a card makes of `way` are to be walked, those not met yet.

        The run that waits for that card goes on with the first; the others have one each.
        """
        drawn = self._drawn(way, state, walk.met)
        if drawn and drawn[0].parts[0].cards[:-1] == tuple(stop.hand.cards):
            walk.queue.append(Met(drawn.pop(0), stop))
        walk.queue.extend(map(Met, drawn))

    def _resplit(self, walk: HandWalk, way: Way, one: Card) -> None:
        """Splits again and again: how many hands there may be, and what is asked of the last."""
        most = self._count(one)
        moves: tuple[Move, ...] = (one, one)
        for hands in range(2, most + 1):
            moves = (*moves, Action.SPLIT, one)
            stop = self.asked.stop(walk.shown, walk.cards, moves)
            if stop.waits != "ask" or Action.SPLIT not in stop.step.play.options:
                self.most_hands = max(self.most_hands, hands)
                self.capped[walk.shown][way.state] = stop.step.play if stop.waits == "ask" else None
                return
        self.most_hands = max(self.most_hands, most)

    def _count(self, one: Card) -> int:
        return sum(self.shoe[each] for each in self.letters[self._letter(one)])

    def _letter(self, card: Card) -> int:
        return next(at for at, cards in enumerate(self.letters) if card in cards)
