"""The compiled kernel deals the same rounds as the live scripts, and says how sure it is."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from math import sqrt

import pytest

from controller.odds.simulated.kernel import DealtBlock, ShoeRanOut, deal
from controller.odds.simulated.program import Program, advised, program
from controller.odds.simulated.simulate import LEAST_BLOCKS, SURE, simulate
from controller.odds.tables.game_tables import Tables
from controller.odds.tables.probe import NoTable
from controller.odds.tables.states import by_card
from controller.odds.tables.tabulate import tabulate
from controller.rules.cards import Card
from controller.rules.engine.round import Run
from controller.rules.game import Game
from controller.rules.games.registry import game
from tests.contracts.war import GAME as WAR
from tests.support.forms import quick_first

WAGER = 1_000
GAMES = {
    "21-24-27": game("21-24-27"),
    "finnish-27": game("finnish-27"),
    "casino-7-27": game("casino-7-27"),
    "blackjack": game("blackjack"),
    "blackjack, all splits": game("blackjack").with_options(
        {"peek": True, "double_after_split": True, "resplit": True}
    ),
    "war": WAR,
}
#: Rounds of the quick form: hands that are split, wagers at 7 and at 27, a wager on a tie.
QUICK = ("blackjack, all splits", "casino-7-27", "war")
_tables: dict[str, Tables] = {}


def tables(name: str) -> Tables:
    """A game's tables by card, made once."""
    if name not in _tables:
        _tables[name] = tabulate(GAMES[name], WAGER, letters=by_card)
    return _tables[name]


def program_of(name: str, seats: int = 1) -> Program:
    """A game played by its own advice."""
    return program(GAMES[name], tables(name), advised(GAMES[name], tables(name).cards), seats)


def shoe_of(name: str, dealt: DealtBlock, seed: int) -> list[Card]:
    """Real cards for the letters of a dealt shoe, the next one last."""
    letters = tables(name).letters
    place = {card: letter for letter, cards in enumerate(letters) for card in cards}
    pack = GAMES[name].pack.cards()
    random.Random(seed).shuffle(pack)
    cards: list[list[Card]] = [[] for _ in letters]
    for card in pack:
        cards[place[card]].append(card)
    return [cards[letter].pop() for letter in dealt.pack][::-1]


def live(played: Game, shoe: list[Card], seats: int, cut: int) -> Iterator[list[int]]:
    """What each seat gains in each round, by the live script."""
    size = len(shoe)
    first = played.seats.start
    while size - len(shoe) < cut:
        run = Run(played, tuple((first + at, WAGER) for at in range(seats)))
        felt = run.play_out(shoe.pop, played.advise)
        nets = [0] * seats
        for hand in felt.hands:
            assert hand.net is not None
            nets[hand.place.seat - first] += hand.net
        yield nets


@pytest.mark.parametrize("seats", quick_first((1, 3, 7), (7,)))
@pytest.mark.parametrize("name", quick_first(GAMES, QUICK))
def test_the_same_cards_give_the_same_rounds(name: str, seats: int, *, long_form: bool) -> None:
    """A million rounds of each game in the long form."""
    dealt_by = program_of(name, seats)
    cut = GAMES[name].options.cut_after
    rounds = 0
    for block in range(100_000):
        dealt = deal(dealt_by, cut, shoes=1, seed=1, block=block, trace=len(dealt_by.pack) * seats)
        expected = list(live(GAMES[name], shoe_of(name, dealt, block), seats, cut))
        assert dealt.sums[0] == len(expected)
        assert [
            dealt.nets[at : at + seats].tolist() for at in range(0, len(expected) * seats, seats)
        ] == expected
        rounds += len(expected)
        if rounds >= (350_000 if long_form else 150):
            return


def test_a_seed_gives_the_same_figures_with_any_number_of_threads() -> None:
    with_one = simulate(program_of("21-24-27"), 240, 300_000, seed=5, threads=1)
    assert simulate(program_of("21-24-27"), 240, 300_000, seed=5, threads=3) == with_one
    assert simulate(program_of("21-24-27"), 240, 300_000, seed=6, threads=3).edge != with_one.edge


@pytest.mark.parametrize(
    ("name", "seats", "said"),
    [("21-24-27", 1, "f87c69831d29b067"), ("blackjack", 3, "db17eb546b2d2908")],
)
def test_a_seed_gives_these_rounds_on_every_machine(name: str, seats: int, said: str) -> None:
    """Of every processor and every Python: what each seat gains in each round of two shoes."""
    dealt_by = program_of(name, seats)
    cut = GAMES[name].options.cut_after
    dealt = deal(dealt_by, cut, shoes=2, seed=7, block=3, trace=2 * len(dealt_by.pack) * seats)
    nets = ",".join(map(str, dealt.nets.tolist()))
    assert hashlib.sha256(nets.encode()).hexdigest()[:16] == said


@pytest.mark.long
def test_the_error_is_that_of_repeated_runs() -> None:
    found = [simulate(program_of("blackjack", 7), 312, 1, seed=seed) for seed in range(60)]
    mean = sum(each.edge for each in found) / len(found)
    spread = sqrt(sum((each.edge - mean) ** 2 for each in found) / (len(found) - 1))
    error = sum(each.error for each in found) / len(found)
    # The standard deviation of 60 samples is known to some 9 %.
    assert 0.7 < spread / error < 1.4


def test_it_ends_once_the_edge_is_known_well_enough() -> None:
    found = simulate(program_of("21-24-27"), 240, 10**12, width=0.001)
    assert SURE * found.error <= 0.001
    least = simulate(program_of("21-24-27"), 240, 1).rounds * (LEAST_BLOCKS - 1)
    assert least < found.rounds < 10**8
    low, high = found.interval
    assert low < 0.0104342 < high


def test_every_hand_ends_some_way() -> None:
    found = simulate(program_of("blackjack, all splits", 2), 312, 100_000)
    hands = sum(times for _, times in found.endings)
    assert hands == pytest.approx(found.hands_per_round * found.rounds * 2)
    assert 1.01 < found.hands_per_round < 1.05
    net = sum(times * ending.result.net(WAGER * ending.times) for ending, times in found.endings)
    assert -net / found.rounds / 2 / WAGER == pytest.approx(found.edge)


def test_progress_tells_the_rounds_so_far() -> None:
    reports: list[int] = []
    found = simulate(program_of("21-24-27"), 240, 600_000, progress=reports.append)
    assert reports == sorted(reports)
    assert reports[-1] == found.rounds >= 600_000


@pytest.mark.parametrize(
    ("cut", "rounds", "width", "why"),
    [
        (0, 1, None, "penetration 0: it is 1 to 324 cards"),
        (325, 1, None, "penetration 325: it is 1 to 324 cards"),
        (240, 0, None, "0 rounds: it is at least 1"),
        (240, 1, 0.0, "width 0.0: it is above 0"),
        (240, 1, float("nan"), "width nan: it is above 0"),
    ],
)
def test_what_makes_no_sense_is_refused(
    cut: int, rounds: int, width: float | None, why: str
) -> None:
    with pytest.raises(NoTable, match=why):
        simulate(program_of("21-24-27"), cut, rounds, width=width)


def test_a_shoe_that_runs_out_says_so() -> None:
    with pytest.raises(ShoeRanOut, match="shuffle earlier"):
        simulate(program_of("21-24-27", 7), 320, 1_000)
