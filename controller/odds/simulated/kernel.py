"""The compiled loop that deals rounds from shuffled shoes, by a `Program`. It knows no rule.

Random numbers are xoshiro256** of Blackman and Vigna (public domain, prng.di.unimi.it), seeded by
splitmix64; cards are drawn by Fisher and Yates, one at a time. So a seed gives the same cards on
every machine.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from controller.odds.simulated.program import DRAW, HIDDEN, SETTLE, WAIT, Program
from controller.odds.tables.probe import NoTable

_U = np.uint64
_LOW_32 = _U(0xFFFFFFFF)

#: The places in `DealtBlock.sums`; money in minor units.
ROUNDS: Final = 0
NET: Final = 1
NET_SQUARED: Final = 2
SHOE_NET_SQUARED: Final = 3
SHOE_ROUNDS_SQUARED: Final = 4
SHOE_PRODUCT: Final = 5
SUMS: Final = 6


class ShoeRanOut(NoTable):
    """A round needed more cards than the shoe held: the cut card lies too deep."""

    def __init__(self, cut: int) -> None:
        super().__init__(
            f"with a penetration of {cut} cards a shoe ran out in its last round: shuffle earlier"
        )


def seeded(seed: int, block: int) -> NDArray[np.uint64]:
    """The generator's state at the start of a block of shoes."""
    state = (seed * 0x9E3779B97F4A7C15 + block * 0xD1B54A32D192ED03) % 2**64
    words = []
    for _ in range(4):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = state
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB % 2**64
        words.append(mixed ^ (mixed >> 31))
    return np.array(words, dtype=np.uint64)


@njit(nogil=True, cache=True, inline="always")
def _below(rng, size):
    """A random number from 0 to `size` - 1, all alike (Lemire, with rejection)."""
    threshold = (_U(0x100000000) - size) % size
    while True:
        s1 = rng[1]
        scaled = s1 * _U(5)
        word = ((scaled << _U(7)) | (scaled >> _U(57))) * _U(9)
        t = s1 << _U(17)
        rng[2] ^= rng[0]
        rng[3] ^= rng[1]
        rng[1] ^= rng[2]
        rng[0] ^= rng[3]
        rng[2] ^= t
        rng[3] = (rng[3] << _U(45)) | (rng[3] >> _U(19))
        product = (word >> _U(32)) * size
        if (product & _LOW_32) >= threshold:
            return product >> _U(32)


@njit(nogil=True, cache=True, inline="always")
def draw_card(pack, rng, gone):
    """The next card of a shoe of which some are gone already; it moves to its place among them."""
    at = gone + np.int64(_below(rng, _U(pack.size - gone)))
    card = pack[at]
    pack[at] = pack[gone]
    pack[gone] = card
    return card


@njit(nogil=True, cache=True)
def _deal(
    pack, rng, shoes, cut, order, seats, after, dealer_after, draws, shown_rows, kind, to,
    last_kind, last_to, most_hands, natural, natural_to, side, ends, waits, nets,
    counted, sums, trace,
):  # fmt: skip
    """Deal `shoes` shoes; see `deal`. False if one ran out in the middle of a round."""
    size = pack.size
    states = np.zeros(seats, dtype=np.int64)
    gain = np.zeros(seats, dtype=np.int64)
    split = np.zeros(most_hands + 1, dtype=np.int64)
    final = np.zeros(seats * most_hands, dtype=np.int64)
    whose = np.zeros(seats * most_hands, dtype=np.int64)
    hides = order[order.size - 1] == HIDDEN
    traced = 0
    for _ in range(shoes):
        gone, shoe_net, shoe_rounds = 0, 0, 0
        while gone < cut:
            if size - gone < order.size:
                return False
            states[:] = 0
            gain[:] = 0
            dealer, hidden = 0, 0
            for player in order:
                card = draw_card(pack, rng, gone)
                gone += 1
                if player >= 0:
                    states[player] = after[states[player], card]
                elif player == HIDDEN:
                    hidden = card
                else:
                    dealer = dealer_after[dealer, card]
            row = shown_rows[dealer]
            waiting, needed = 0, False
            for player in range(seats):
                gain[player] += side[row, hidden]
                if natural[row, hidden]:
                    ending = natural_to[row, states[player]]
                    counted[ending] += 1
                    gain[player] += nets[ending]
                    continue
                state = states[player]
                hands, later = 1, 0
                while True:
                    if hands < most_hands:
                        done, where = kind[row, state], to[row, state]
                    else:
                        done, where = last_kind[row, state], last_to[row, state]
                    if done == SETTLE:
                        counted[where] += 1
                        gain[player] += nets[where]
                    elif done == WAIT:
                        final[waiting] = where
                        whose[waiting] = player
                        waiting += 1
                        needed = needed or waits[where]
                    elif done != DRAW:
                        hands += 1
                        split[later] = where
                        later += 1
                    if done in (SETTLE, WAIT):
                        if later == 0:
                            break
                        later -= 1
                        where = split[later]
                    if gone == size:
                        return False
                    state = after[where, draw_card(pack, rng, gone)]
                    gone += 1
            if hides:
                dealer = dealer_after[dealer, hidden]
            complete = dealer
            while needed and draws[complete]:
                if gone == size:
                    return False
                complete = dealer_after[complete, draw_card(pack, rng, gone)]
                gone += 1
            for each in range(waiting):
                ending = ends[final[each], complete if waits[final[each]] else dealer]
                counted[ending] += 1
                gain[whose[each]] += nets[ending]
            for player in range(seats):
                net = gain[player]
                shoe_net += net
                sums[NET_SQUARED] += float(net) * float(net)
                if traced < trace.size:
                    trace[traced] = net
                    traced += 1
            shoe_rounds += 1
        sums[ROUNDS] += shoe_rounds
        sums[NET] += shoe_net
        sums[SHOE_NET_SQUARED] += float(shoe_net) * float(shoe_net)
        sums[SHOE_ROUNDS_SQUARED] += float(shoe_rounds) * float(shoe_rounds)
        sums[SHOE_PRODUCT] += float(shoe_net) * float(shoe_rounds)
    return True


class DealtBlock(NamedTuple):
    """What a block of shoes gave: how often each ending came up, and sums over rounds and shoes.

    `pack` is the shoe as it was dealt last, in order; `nets` what each seat gained in each round,
    as far as it was traced.
    """

    counted: NDArray[np.int64]
    sums: NDArray[np.float64]
    pack: NDArray[np.uint8]
    nets: NDArray[np.int64]


def deal(
    program: Program, cut: int, shoes: int, seed: int, block: int, trace: int = 0
) -> DealtBlock:
    """Deal a block of full shoes, each until `cut` cards are gone and the round is over.

    Raises `ShoeRanOut` where a shoe does not hold the cards of its last round.
    """
    dealt = DealtBlock(
        np.zeros(len(program.endings), dtype=np.int64),
        np.zeros(SUMS),
        program.pack.copy(),
        np.zeros(trace, dtype=np.int64),
    )
    each = program
    if not _deal(
        dealt.pack, seeded(seed, block), shoes, cut, each.order, each.seats, each.after,
        each.dealer_after, each.draws, each.shown, each.kind, each.to, each.last_kind,
        each.last_to, each.most_hands, each.natural, each.natural_to, each.side, each.ends,
        each.waits, each.nets, dealt.counted, dealt.sums, dealt.nets,
    ):  # fmt: skip
        raise ShoeRanOut(cut)
    return dealt
