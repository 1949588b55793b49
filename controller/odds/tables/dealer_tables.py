"""The dealer's hand in tables: where he draws, and how hands that waited for him end."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping
from functools import partial

from controller.odds.tables.asked import Asked
from controller.odds.tables.game_tables import Ending
from controller.odds.tables.states import States, Way
from controller.odds.tables.walk import Left
from controller.rules.cards import Card


class DealerTables:
    """The dealer's part of `Tables`: `draws`, `ends`, `drawn_for`. `first_cards`: those dealt."""

    def __init__(self, asked: Asked, states: States, first_cards: int) -> None:
        self.asked = asked
        self.states = states
        self.first_cards = first_cards
        self.ends: dict[int, dict[int, Ending]] = defaultdict(dict)
        self.draws: dict[int, bool] = {}
        self.drawn_for: set[int] = set()

    def settle(self, shown: int, cards: tuple[Card, ...], left: Mapping[int, Left]) -> None:
        """Walk the dealer's hand from `cards`; settle what is left against each complete one."""
        if not left:
            return
        ways = [each.way for each in left.values()]
        waiting = next((way for way in ways if way.asked), ways[0])
        met = {shown: cards}
        queue = deque([shown])
        complete = {}
        while queue:
            state = queue.popleft()
            if state not in self.draws:
                moves = waiting.by(waiting.parts[0])
                self.draws[state] = self.asked.stop(shown, met[state], moves).waits == "dealer"
            if not self.draws[state]:
                complete[state] = met[state]
                continue
            for letter in range(len(self.asked.letters)):
                made = self.states.after(state, letter)
                hides = state == shown and letter in self.asked.naturals.get(shown, ())
                if made not in met and not hides:
                    met[made] = (*met[state], self.asked.letters[letter][0])
                    queue.append(made)
        drawing = {state: hand for state, hand in met.items() if self.draws[state]}
        for final, (way, waits) in left.items():
            if self._draws_for(way, waits, shown, drawing):
                self.drawn_for.add(final)
                settled = complete
            else:
                whole = {
                    state: hand for state, hand in met.items() if len(hand) == self.first_cards
                }
                settled = complete | whole
            for state, hand in settled.items():
                if state not in self.ends[final]:
                    self.ends[final][state] = self.asked.ending(
                        way, partial(self.asked.stop, shown, hand)
                    )

    def _draws_for(
        self, way: Way, waits: str, shown: int, drawing: Mapping[int, tuple[Card, ...]]
    ) -> bool:
        """Whether the dealer draws for this hand alone; a blackjack needs his first cards only."""
        for state, hand in drawing.items():
            if len(hand) == self.first_cards:
                if state != shown:  # else the hand was played against these very cards
                    waits = self.asked.stop(shown, hand, way.by(way.parts[0])).waits
                return waits == "dealer"
        return True
