"""What a game's live script answers: how hands end, side bets, the look before play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from controller.odds.tables.game_tables import Ending, Settled, Side
from controller.odds.tables.probe import Move, Prober, Stop
from controller.odds.tables.states import Letters, Way
from controller.rules.actions import SIDE_BET, Action
from controller.rules.cards import Card


class Asked:
    """The answers of one script: `sides` by shown state; `naturals` and `natural_ends` of a look.

    See `Tables`, but that naturals and nets are by the letters that were asked about.
    """

    def __init__(self, probe: Prober, letters: Letters, hidden: int) -> None:
        self.probe = probe
        self.letters = letters
        self.hidden = hidden
        self.sides: dict[int, Side] = {}
        self.naturals: dict[int, frozenset[int]] = {}
        self.natural_ends: dict[int, dict[int, Ending]] = {}

    def stop(self, shown: int, cards: Sequence[Card], moves: Sequence[Move]) -> Stop:
        """Where the script waits after these moves, without a side bet."""
        side = self.sides.get(shown)
        without = None if side is None else _no_bet(side)
        return self.probe.run(moves, cards, side=without)

    def ending(self, way: Way, run: Callable[[Sequence[Move]], Stop]) -> Ending:
        """How the hands of `way` end, by their suits."""
        return self.ending_by_parts(way, run)[0]

    def ending_by_parts(
        self, way: Way, run: Callable[[Sequence[Move]], Stop], first: Stop | None = None
    ) -> tuple[Ending, list[int]]:
        """The same, and which of its ways each part of `way` ends in.

        `first`: where the run of the first part has come to, if it has been run already.
        """
        if len(way.parts) == 1:
            stop = first or run(way.by(way.parts[0]))
            assert stop.result is not None, "a complete hand has a result"
            return (Settled(way.parts[0].chance, stop.result, stop.times),), [0]
        parts: list[int] = []
        ways: dict[tuple[object, int], Fraction] = {}
        settled: dict[tuple[object, int], Settled] = {}
        for part in way.parts:
            stop = first or run(way.by(part))
            first = None
            result = stop.result
            assert result is not None, "a complete hand has a result"
            key = (result, stop.times)
            ways[key] = ways.get(key, Fraction(0)) + part.chance
            settled[key] = Settled(ways[key], result, stop.times)
            parts.append(list(settled).index(key))
        return tuple(settled.values()), parts

    def before_play(self, shown: int, cards: tuple[Card, ...], firsts: Sequence[Way]) -> None:
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
            (way for way in firsts if self.stop(shown, cards, way.by(way.parts[0])).waits == "ask"),
            None,
        )
        if asked is None:
            return
        moves = asked.by(asked.parts[0])
        found = [
            letter
            for letter, kinds in enumerate(self.letters)
            if self.stop(shown, (*cards, kinds[0]), moves).waits != "ask"
        ]
        self.naturals[shown] = frozenset(found)
        if found:
            dealer = (*cards, self.letters[found[0]][0])
            self.natural_ends[shown] = {
                way.state: self.ending(way, lambda each: self.stop(shown, dealer, each))
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


def _no_bet(side: Side) -> Action:
    return next(action for action, nets in side.nets.items() if not nets)
