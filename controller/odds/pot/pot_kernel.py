"""The compiled loop that deals rounds for a pot, by `PotTables`. It knows no rule."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from controller.odds.pot.pot_tables import PotTables
from controller.odds.simulated.kernel import draw_card, seeded

#: What the first player does with the hand that is looked at; afterwards as everybody.
REFUSES: Final = 0
TAKES: Final = 1
#: Half of the rounds each, by turns.
BY_TURNS: Final = 2
#: As everybody from the beginning.
AS_ADVISED: Final = 3


class PotBlock(NamedTuple):
    """Rounds that were dealt.

    `ends[group, w0, w1, n0, n1]` counts hands that came to a showdown, by their points, by which
    parts they won and how many won each. `held[hand, does]` are the rounds in which the first
    player had that hand of the first cards (or the one that was asked for) and did that with it,
    what he got of pots of 1, and its squares.
    """

    ends: NDArray[np.int64]
    held: NDArray[np.float64]


def deal_pots(
    tables: PotTables, shares: NDArray[np.float64], players: int, rounds: int, seed: int,
    block: int, *, hand: tuple[int, ...] = (), does: int = AS_ADVISED,
) -> PotBlock:  # fmt: skip
    """Deal `rounds` rounds to `players` players; the first may be given `hand` (letters), and does
    with it what is said. Nobody bets or folds: everybody is there at the showdown.

    The same seed and block give the same rounds on every machine.
    """
    groups = len(tables.points)
    ends = np.zeros((groups, 2, 2, players + 1, players + 1), dtype=np.int64)
    held = np.zeros((len(tables.size), 2, 3))
    _deal(
        tables.pack.copy(), seeded(seed, block), rounds, players, tables.first_cards,
        tables.after, tables.takes, tables.group, tables.order, shares,
        np.array(hand, dtype=np.int64), does, ends, held,
    )  # fmt: skip
    return PotBlock(ends, held)


@njit(nogil=True, cache=True)
def _deal(
    pack, rng, rounds, players, first_cards, after, takes, group, order, shares, fixed, does, ends,
    held,
):  # fmt: skip
    states = np.zeros(players, dtype=np.int64)
    for number in range(rounds):
        gone = 0
        states[:] = 0
        for letter in fixed:
            gone = _take_out(pack, gone, letter)
            states[0] = after[states[0], letter]
        for _ in range(first_cards):
            for player in range(players):
                if player == 0 and fixed.size:
                    continue
                card = draw_card(pack, rng, gone)
                gone += 1
                states[player] = after[states[player], card]
        start = states[0]
        act = number & 1 if does == BY_TURNS else does
        if does == AS_ADVISED:
            act = TAKES if takes[start] else REFUSES
        took, opening = True, True
        while took and gone < pack.size:
            took = False
            for player in range(players):
                if gone == pack.size:
                    break
                state = states[player]
                wants = takes[state]
                if player == 0 and state == start:
                    wants = act == TAKES and opening
                if wants:
                    card = draw_card(pack, rng, gone)
                    gone += 1
                    states[player] = after[state, card]
                    took = True
            opening = False
        got = _showdown(states, players, group, order, shares, ends)
        held[start, act, 0] += 1
        held[start, act, 1] += got
        held[start, act, 2] += got * got


@njit(nogil=True, cache=True)
def _take_out(pack, gone, letter):
    """Take a card of that letter from what is left; how many are gone."""
    for at in range(gone, pack.size):
        if pack[at] == letter:
            pack[at] = pack[gone]
            pack[gone] = letter
            return gone + 1
    return gone


@njit(nogil=True, cache=True)
def _showdown(states, players, group, order, shares, ends):
    """Count how each hand ended; what the first player gets."""
    best = np.full(2, 1 << 30, dtype=np.int64)
    many = np.zeros(2, dtype=np.int64)
    for part in range(2):
        for player in range(players):
            place = order[part, group[states[player]]]
            if place < 0 or place > best[part]:
                continue
            if place < best[part]:
                best[part] = place
                many[part] = 0
            many[part] += 1
    got = 0.0
    for player in range(players):
        points = group[states[player]]
        low = 1 if order[0, points] == best[0] else 0
        high = 1 if order[1, points] == best[1] else 0
        ends[points, low, high, many[0], many[1]] += 1
        if player == 0:
            got = shares[low, high, many[0], many[1]]
    return got
