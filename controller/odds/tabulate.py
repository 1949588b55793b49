"""Tabulates a game: asks its live script once about every class of hands, and notes the answers.

Against every state that the dealer may show, the hands that can be reached are walked from the
deal on; each is put to the script once, by the cards and actions that led to it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple

from controller.odds.probe import Move, NoTable, Prober, Stop
from controller.odds.tables import (
    NONE,
    End,
    Ending,
    Node,
    Settled,
    Side,
    SplitHand,
    Tables,
    TakeCard,
    Then,
)
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action
from controller.rules.cards import DECK_52, JOKER, Card, Pack, Rank
from controller.rules.game import Game
from controller.rules.options import plain
from controller.rules.script.felt import Play
from controller.rules.script.steps import Deal

#: More hand states than this cannot be tabulated: the game must say what it tells hands apart by.
MOST_STATES: Final = 20_000

Letters = tuple[tuple[Card, ...], ...]
Shoe = Mapping[Card, int]


def full_shoe(pack: Pack) -> dict[Card, int]:
    """How many of each kind of card the full pack holds."""
    return {kind: pack.times(kind) for kind in pack.kinds()}


def by_rank(shoe: Shoe) -> Letters:
    """The cards of `shoe`, one letter a rank."""
    ranks: dict[Rank, list[Card]] = defaultdict(list)
    for kind, times in shoe.items():
        if times:
            ranks[kind.rank].append(kind)
    return tuple(tuple(cards) for _, cards in sorted(ranks.items()))


def by_card(shoe: Shoe) -> Letters:
    """The cards of `shoe`, a letter each."""
    order = (*DECK_52, JOKER)
    return tuple((kind,) for kind in order if shoe.get(kind))


class Part(NamedTuple):
    """Of the hands that the same letters make those of one class: their chance, and one of them."""

    chance: Fraction
    cards: tuple[Card, ...]


Parts = tuple[Part, ...]


class States:
    """Hand states as they are found: parts by suits, whether split and doubled, what follows."""

    def __init__(
        self, shoe: Shoe, letters: Letters, tell: Callable[[Sequence[Card], bool], Hashable]
    ) -> None:
        self.shoe = shoe
        self.letters = letters
        self.tell = tell
        self.parts: list[Parts] = []
        self.flags: list[tuple[bool, bool]] = []
        self._by_key: dict[Hashable, int] = {}
        self._after: dict[tuple[int, int], int] = {}

    def add(self, parts: Parts, *, split: bool, doubled: bool) -> int:
        """The state of these hands."""
        classes = frozenset((self._class(each.cards, split), each.chance) for each in parts)
        key = (classes, split, doubled)
        if (found := self._by_key.get(key)) is None:
            found = self._by_key[key] = len(self.parts)
            self.parts.append(parts)
            self.flags.append((split, doubled))
            if found > MOST_STATES:
                raise NoTable(f"more than {MOST_STATES} classes of hands: `hand_class` is too fine")
        return found

    def _class(self, cards: tuple[Card, ...], split: bool) -> Hashable:
        return self.tell(cards, split) if cards else None

    def after(self, state: int, letter: int) -> int:
        """The state with one more card."""
        known = self._after.get((state, letter))
        if known is None:
            split, doubled = self.flags[state]
            parts = self.extend(self.parts[state], letter, split=split)
            known = self.add(parts, split=split, doubled=doubled)
            self._after[state, letter] = known
        return known

    def extend(self, parts: Parts, letter: int, *, split: bool) -> Parts:
        """These hands with one more card, joined by class."""
        cards = self.letters[letter]
        if len(parts) == 1 and parts[0].chance == 1:
            held = parts[0].cards
            made = [(*held, each) for each in cards]
            if len({self.tell(each, split) for each in made}) == 1:
                return (Part(Fraction(1), made[0]),)
        found: dict[Hashable, Part] = {}
        for chance, held in parts:
            left = [(each, max(0, self.shoe[each] - held.count(each))) for each in cards]
            if not any(times for _, times in left):
                # Whether a shoe can give this hand is for who counts its cards.
                left = [(each, self.shoe[each]) for each in cards]
            size = sum(times for _, times in left)
            for each, times in left:
                if times > 0:
                    hand = (*held, each)
                    tell = self.tell(hand, split)
                    before = found.get(tell, Part(Fraction(0), hand))
                    more = chance * Fraction(times, size)
                    found[tell] = Part(before.chance + more, before.cards)
        return tuple(found.values())

    def rows(self) -> tuple[tuple[int, ...], ...]:
        """What follows each state that was found, by letter."""
        letters = range(len(self.letters))
        return tuple(
            tuple(self._after.get((state, letter), NONE) for letter in letters)
            for state in range(len(self.parts))
        )


class Way(NamedTuple):
    """How a hand state was reached: the moves, None where a card of the hand is, and its parts."""

    state: int
    moves: tuple[Move | None, ...]
    parts: Parts

    def by(self, part: Part) -> tuple[Move, ...]:
        """The moves with the cards of `part`."""
        cards = iter(part.cards)
        return tuple(next(cards) if move is None else move for move in self.moves)

    @property
    def asked(self) -> bool:
        """Whether anything was chosen on the way."""
        return any(isinstance(move, Action) for move in self.moves)


class _Walk(NamedTuple):
    """The hands against one shown state: those to be walked, and the complete ones that wait."""

    shown: int
    cards: tuple[Card, ...]
    queue: deque[Way]
    met: set[int]
    left: dict[int, Way]


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
        self.empty = self.hands.add((Part(Fraction(1), ()),), split=False, doubled=False)
        self.none = self.dealer.add((Part(Fraction(1), ()),), split=False, doubled=False)
        self.first_cards, self.up, self.hidden = self._deal()
        self.firsts = self._firsts()
        self.finals: dict[tuple[int, Action | None], int] = {}
        self.nodes: dict[int, dict[int, Node]] = {}
        self.fixed: dict[int, dict[int, Ending]] = {}
        self.ends: dict[int, dict[int, Ending]] = defaultdict(dict)
        self.draws: dict[int, bool] = {}
        self.drawn_for: set[int] = set()
        self.naturals: dict[int, frozenset[int]] = {}
        self.natural_ends: dict[int, dict[int, Ending]] = {}
        self.sides: dict[int, Side] = {}
        self.most_hands = 1
        self.capped: dict[int, dict[int, Play[Any, Any] | None]] = defaultdict(dict)

    def tables(self) -> Tables:
        """Everything, in the order in which a round is played."""
        shown = self._shown()
        for state, cards in shown.items():
            left = self._hands_against(state, cards)
            self._dealer_from(state, cards, left)
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
            draws=tuple(self.draws.get(state, False) for state in range(len(self.dealer.parts))),
            shown=tuple(shown),
            nodes=self.nodes,
            fixed=self.fixed,
            ends=self.ends,
            drawn_for=frozenset(self.drawn_for),
            naturals={
                shown: frozenset(at for at, group in enumerate(groups) if group[0] in found)
                for shown, found in self.naturals.items()
            },
            natural_ends=self.natural_ends,
            sides={
                shown: Side(
                    side.play,
                    {
                        action: tuple(nets[group[0]] for group in groups) if nets else ()
                        for action, nets in side.nets.items()
                    },
                )
                for shown, side in self.sides.items()
            },
            most_hands=self.most_hands,
            capped=self.capped,
        )

    def _hides(self, letter: int) -> Hashable:
        """What a letter does as a hidden card, against each shown state."""
        return tuple(
            (
                letter in self.naturals.get(shown, ()),
                tuple(nets[letter] for nets in self.sides[shown].nets.values() if nets)
                if shown in self.sides
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
        for letter in range(len(self.letters)):
            made = self.hands.after(state, letter)
            if made not in met:
                met.add(made)
                parts = self.hands.extend(way.parts, letter, split=split)
                ways.append(Way(made, (*way.moves, None), parts))
        return ways

    def _hands_against(self, shown: int, cards: tuple[Card, ...]) -> dict[int, Way]:
        """Walk every hand against `cards`; the complete ones that wait for the dealer."""
        self.nodes[shown] = {}
        self.fixed[shown] = {}
        self._before_play(shown, cards, self.firsts)
        walk = _Walk(shown, cards, deque(self.firsts), {each.state for each in self.firsts}, {})
        while walk.queue:
            way = walk.queue.popleft()
            self.nodes[shown][way.state] = self._node(walk, way)
        return walk.left

    def _stop(self, shown: int, cards: tuple[Card, ...], moves: Sequence[Move]) -> Stop:
        side = self.sides.get(shown)
        without = None if side is None else _no_bet(side)
        return self.probe.run(moves, cards, side=without)

    def _node(self, walk: _Walk, way: Way) -> Node:
        """What the script asks of the hand, and where each action leads."""
        stop = self._stop(walk.shown, walk.cards, way.by(way.parts[0]))
        if stop.waits != "ask":
            return Node(None, {None: self._then(stop, walk, way, None)})
        play = stop.step.play
        thens: dict[Action | None, Then] = {}
        for action in play.options:
            on = way._replace(moves=(*way.moves, action))
            after = self._stop(walk.shown, walk.cards, on.by(on.parts[0]))
            thens[action] = self._then(after, walk, on, action)
        return Node(play, thens)

    def _then(self, stop: Stop, walk: _Walk, way: Way, action: Action | None) -> Then:
        """Where the hand stands after `action`: it draws, is split, or is complete."""
        if stop.waits in ("ask", "side"):
            raise NoTable(f"{self.game.title} asks more than once before a card is dealt")
        if stop.waits == "card":
            if action is Action.SPLIT:
                return self._split(walk, way)
            split, doubled = stop.hand.split, stop.hand.doubled
            state = self.hands.add(way.parts, split=split, doubled=doubled)
            walk.queue.extend(self._drawn(way, state, walk.met))
            return TakeCard(state)
        final = self.finals.setdefault((way.state, stop.hand.ended), len(self.finals))
        fixed = self.fixed[walk.shown]
        if final not in fixed and final not in walk.left:
            if stop.result is None:
                walk.left[final] = way
            else:
                fixed[final] = self._ending(
                    way, lambda moves: self._stop(walk.shown, walk.cards, moves)
                )
        return End(final)

    def _split(self, walk: _Walk, way: Way) -> Then:
        """Both hands begin with one card; the first is walked on, the other has its like."""
        one, two = way.parts[0].cards[:2]
        begun = self.hands.extend(self.hands.parts[self.empty], self._letter(one), split=True)
        state = self.hands.add(begun, split=True, doubled=False)
        if self.hands.flags[way.state][0]:
            self._resplit(walk, way, one)
        else:
            self.most_hands = max(self.most_hands, 2)
            first = Way(state, (None, two, Action.SPLIT), begun)
            walk.queue.extend(self._drawn(first, state, walk.met))
        return SplitHand(state)

    def _resplit(self, walk: _Walk, way: Way, one: Card) -> None:
        """Splits again and again: how many hands there may be, and what is asked of the last."""
        most = self._count(one)
        moves: tuple[Move, ...] = (one, one)
        for hands in range(2, most + 1):
            moves = (*moves, Action.SPLIT, one)
            stop = self._stop(walk.shown, walk.cards, moves)
            if stop.waits != "ask" or Action.SPLIT not in stop.step.play.options:
                self.most_hands = max(self.most_hands, hands)
                self.capped[walk.shown][way.state] = stop.step.play if stop.waits == "ask" else None
                return
        self.most_hands = max(self.most_hands, most)

    def _count(self, one: Card) -> int:
        return sum(self.shoe[each] for each in self.letters[self._letter(one)])

    def _letter(self, card: Card) -> int:
        return next(at for at, cards in enumerate(self.letters) if card in cards)

    def _ending(self, way: Way, run: Callable[[Sequence[Move]], Stop]) -> Ending:
        ways: dict[tuple[object, int], Fraction] = {}
        settled: dict[tuple[object, int], Settled] = {}
        for part in way.parts:
            stop = run(way.by(part))
            result = stop.result
            assert result is not None, "a complete hand has a result"
            key = (result, stop.times)
            ways[key] = ways.get(key, Fraction(0)) + part.chance
            settled[key] = Settled(ways[key], result, stop.times)
        return tuple(settled.values())

    # -- before play --

    def _before_play(self, shown: int, cards: tuple[Card, ...], firsts: Sequence[Way]) -> None:
        """Side bets, and what a look at the hidden card ends at once."""
        if not self.hidden:
            return
        first = firsts[0].by(firsts[0].parts[0])
        stop = self.probe.run(first, cards)
        if stop.waits == "side":
            play = stop.step.play
            nets = {each: self._side_nets(first, cards, each) for each in play.options}
            self.sides[shown] = Side(play, nets)
        asked = next(
            (
                way
                for way in firsts
                if self._stop(shown, cards, way.by(way.parts[0])).waits == "ask"
            ),
            None,
        )
        if asked is None:
            return
        moves = asked.by(asked.parts[0])
        found = [
            letter
            for letter, kinds in enumerate(self.letters)
            if self._stop(shown, (*cards, kinds[0]), moves).waits != "ask"
        ]
        self.naturals[shown] = frozenset(found)
        if found:
            dealer = (*cards, self.letters[found[0]][0])
            self.natural_ends[shown] = {
                way.state: self._ending(way, lambda each: self._stop(shown, dealer, each))
                for way in firsts
            }

    def _side_nets(
        self, moves: Sequence[Move], cards: tuple[Card, ...], option: Action
    ) -> tuple[Fraction, ...]:
        nets = []
        for kinds in self.letters:
            stop = self.probe.run(moves, (*cards, kinds[0]), side=option, finish=True)
            bets = [each for each in stop.run.felt.hands if each.place.hand == SIDE_BET]
            if not bets:
                return ()
            assert bets[0].net is not None
            nets.append(Fraction(bets[0].net, self.probe.wager))
        return tuple(nets)

    # -- the dealer --

    def _dealer_from(self, shown: int, cards: tuple[Card, ...], left: Mapping[int, Way]) -> None:
        """Walk the dealer's hand from `cards`; settle what is left against each complete one."""
        if not left:
            return
        asked = [way for way in left.values() if way.asked] or list(left.values())
        waiting = asked[0]
        met = {shown: cards}
        queue = deque([shown])
        complete = {}
        while queue:
            state = queue.popleft()
            if state not in self.draws:
                moves = waiting.by(waiting.parts[0])
                self.draws[state] = self._stop(shown, met[state], moves).waits == "dealer"
            if not self.draws[state]:
                complete[state] = met[state]
                continue
            for letter in range(len(self.letters)):
                made = self.dealer.after(state, letter)
                hides = state == shown and letter in self.naturals.get(shown, ())
                if made not in met and not hides:
                    met[made] = (*met[state], self.letters[letter][0])
                    queue.append(made)
        drawing = {state: hand for state, hand in met.items() if self.draws[state]}
        for final, way in left.items():
            if self._draws_for(way, shown, drawing):
                self.drawn_for.add(final)
                settled = complete
            else:
                first = self.up + self.hidden
                whole = {state: hand for state, hand in met.items() if len(hand) == first}
                settled = complete | whole
            for state, hand in settled.items():
                if state not in self.ends[final]:
                    self.ends[final][state] = self._ending(way, partial(self._stop, shown, hand))

    def _draws_for(self, way: Way, shown: int, drawing: Mapping[int, tuple[Card, ...]]) -> bool:
        """Whether the dealer draws for this hand alone; a blackjack needs his first cards only."""
        for hand in drawing.values():
            if len(hand) == self.up + self.hidden:
                return self._stop(shown, hand, way.by(way.parts[0])).waits == "dealer"
        return True


def _no_bet(side: Side) -> Action:
    return next(action for action, nets in side.nets.items() if not nets)
