"""A live table against its odds: luck is told from a leak, by a test that seldom errs."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from controller.odds.live import leak_watch
from controller.odds.live.compute import expectations, placed_wagers
from controller.odds.live.expectations import Expectations, as_data, from_data
from controller.odds.live.files import FOLDER, delivered, read_expectations
from controller.odds.live.held import HeldRound, Holder
from controller.odds.live.leak_watch import ALARM, LeakWatch
from controller.rules.actions import Action, Move, Outcome
from controller.rules.cards import Card
from controller.rules.engine.round import Run
from controller.rules.game import Game
from controller.rules.games.edges import COMPUTED
from controller.rules.games.registry import GAMES, game
from controller.rules.script.felt import Felt, Play

HOUSE = sorted(name for name, each in GAMES.items() if not each.vying)
Chooser = Callable[[Play[Any, Any], Sequence[Card]], Move]
Paid = Callable[[Felt], int]


def by_the_rules(felt: Felt) -> int:
    return sum(each.net or 0 for each in felt.hands)


def pays_pushes(felt: Felt) -> int:
    """A dealer who pays pushes as if they had won."""
    pushed = (
        each.wager or 0
        for each in felt.hands
        if each.result and each.result.outcome is Outcome.PUSH
    )
    return by_the_rules(felt) + sum(pushed)


def rounds(
    plays: Game,
    choose: Chooser,
    number: int,
    *,
    seats: int = 3,
    seed: int = 1,
    paid: Paid = by_the_rules,
    found: Expectations | None = None,
) -> Iterator[HeldRound]:
    """Rounds from shuffled shoes, dealt to the cut, wagers by chance, held against expectation."""
    found = found or read_expectations(FOLDER / f"{plays.name}.json")
    holder = Holder(found, plays)
    chance = random.Random(seed)
    pack = [kind for kind in plays.pack.kinds() for _ in range(plays.pack.times(kind))]
    shoe: list[Card] = []
    for _ in range(number):
        if len(pack) - len(shoe) >= plays.options.cut_after or not shoe:
            shoe = chance.sample(pack, len(pack))
        wagers = tuple((seat, chance.choice((1_000, 2_500))) for seat in range(1, seats + 1))
        run = Run(plays, wagers)
        net = paid(run.play_out(shoe.pop, choose))
        held = holder.held(run, wagers, net)
        assert held is not None
        yield held


@pytest.mark.parametrize("name", HOUSE)
def test_the_delivered_figures_are_those_of_the_rules_that_run(name: str) -> None:
    plays = game(name)
    path = delivered(plays)
    assert path is not None
    found = read_expectations(path)
    assert (found.identity, found.changes) == (plays.identity, "")
    assert found.facts["edge_per_cent"] == pytest.approx(found.facts["edges"]["1000"] * 100)
    if not plays.published:  # whose edge is not that of the best play
        assert found.facts["edge_per_cent"] == pytest.approx(COMPUTED[plays.identity][""], abs=1e-9)
    assert found.value.on(1_000) / 1_000 == pytest.approx(-found.facts["edges"]["1000"], abs=1e-7)
    assert from_data(as_data(found)) == found


def test_another_set_of_options_has_no_delivered_figures() -> None:
    assert delivered(game("blackjack").with_options({"peek": True})) is None
    assert delivered(game("blackjack").with_options({"max_bet": 5_000})) is not None
    # A fixed bonus is worth less, the larger the wager is.
    assert delivered(game("finnish-27").with_options({"min_bet": 2_000})) is None


@pytest.mark.parametrize("name", HOUSE)
def test_every_decision_of_a_live_round_has_its_figure(name: str) -> None:
    plays = game(name)
    chance = random.Random(3)
    anything: Chooser = lambda play, cards: chance.choice(play.options)  # noqa: E731
    for choose in (plays.advise, anything):
        assert sum(each.unknown for each in rounds(plays, choose, 60)) == 0


@pytest.mark.long
def test_a_table_that_splits_again_has_its_figures() -> None:
    """Of every decision; and who never splits again is not below what he is expected to have."""
    usual = game("blackjack")
    plays = usual.with_options({"resplit": True, "peek": True})
    found = expectations(plays, usual)

    def once(play: Play[Any, Any], cards: Sequence[Card]) -> Move:
        again = Action.SPLIT in play.options and Action.DOUBLE not in play.options
        options = tuple(each for each in play.options if each is not Action.SPLIT)
        move: Move = plays.advise(play._replace(options=options) if again else play, cards)
        return move

    chance = random.Random(3)
    anything: Chooser = lambda play, cards: chance.choice(play.options)  # noqa: E731
    for choose in (plays.advise, anything, once):
        held = list(rounds(plays, choose, 4_000, found=found))
        assert sum(each.unknown for each in held) == 0
        off = sum(each.net - each.expected for each in held) / sum(each.wagered for each in held)
        assert abs(off) < 4 * 1.3 / 4_000**0.5


def test_a_mistake_costs_what_the_strategy_card_says_and_a_gift_is_no_leak() -> None:
    """Whoever always stands, or surrenders all, gives away what the expectation says."""
    stands: Chooser = lambda play, cards: play.options[0]  # noqa: E731
    held = list(rounds(game("blackjack"), stands, 1_500))
    wagered = sum(each.wagered for each in held)
    assert sum(each.expected for each in held) / wagered < -0.10
    off = sum(each.net - each.expected for each in held) / wagered
    assert abs(off) < 4 * 1.2 / 1_500**0.5
    test = LeakWatch()
    for each in held:
        test = test.after(each)
    assert test.level < ALARM


@pytest.mark.parametrize("name", ["blackjack"])
def test_pushes_that_are_paid_are_found_within_stated_rounds(name: str) -> None:
    """Three seats: 8.8 % of the wagers leak; within 4,000 rounds, some three days."""
    plays = game(name)
    test = LeakWatch()
    for number, each in enumerate(rounds(plays, plays.advise, 4_000, paid=pays_pushes), 1):
        assert number == test.rounds + 1
        test = test.after(each, "aino")
        if test.level >= ALARM:
            break
    assert test.level >= ALARM
    assert test.for_players


@pytest.mark.long
@pytest.mark.parametrize("name", HOUSE)
def test_fair_tables_warn_no_more_often_than_stated(name: str) -> None:
    """A warning at 2,000 instead of 5 million: no more than one in so many rounds on average."""
    plays, alarms, number, test = game(name), 0, 60_000, LeakWatch()
    for each in rounds(plays, plays.advise, number, seats=2, seed=11):
        test = test.after(each)
        if test.level >= 2_000.0:
            alarms, test = alarms + 1, LeakWatch()
    assert alarms <= number / 2_000.0


def test_the_bets_gain_nothing_on_average_at_a_fair_table() -> None:
    """The mean of the sum after n rounds is n, whatever the excess is distributed like."""
    chance, ends, length = random.Random(2), [], 40
    for _ in range(400):
        test = LeakWatch()
        for _ in range(length):
            won = chance.random() < 0.1
            test = test.after(HeldRound(100, 900 if won else -100, 0.0, 0.0, 1, 0, 1.0, 9.0), "a")
        ends.append(test.level / (0.5 + 3 / 3.141592653589793**2))
    assert sum(ends) / len(ends) == pytest.approx(length, rel=0.15)


def test_no_bet_can_lose_more_than_there_is() -> None:
    worst = HeldRound(100, -100, 0.0, 0.0, 1, 0, 1.0, 900.0)
    best = HeldRound(100, 90_000, 0.0, 0.0, 1, 0, 1.0, 900.0)
    test = LeakWatch().after(worst).after(best).after(worst)
    assert all(each > 0 for sums in test.sums.values() for each in sums)


def test_a_dealer_whose_rounds_leak_is_named() -> None:
    leak = HeldRound(100, 50, 0.0, 0.0, 1, 0, 1.0, 3.0)
    fair = (
        HeldRound(100, 100, 0.0, 0.0, 1, 0, 1.0, 3.0),
        HeldRound(100, -100, 0.0, 0.0, 1, 0, 1.0, 3.0),
    )
    test = LeakWatch()
    for at in range(600):
        test = test.after(fair[at % 2], "eino").after(fair[at % 2], "kaisa").after(leak, "aino")
        if test.level >= ALARM:
            break
    assert test.level >= ALARM
    assert test.about == "aino"
    assert LeakWatch.from_data(test.as_data()) == test


def test_sums_of_another_test_are_refused() -> None:
    with pytest.raises(ValueError, match="another test"):
        LeakWatch.from_data({"rounds": 1, "sums": {"": [0.0] * (len(leak_watch.SHARES))}})


def test_insurance_is_a_decision_with_its_price() -> None:
    found = read_expectations(FOLDER / "blackjack.json")
    costs = [each.costs for spot, each in found.lines.items() if spot.player == "insurance?"]
    assert len(costs) == 1
    # 2 to 1 on half the wager, 128 of the 415 other cards count ten.
    assert costs[0][Action.INSURANCE].share == pytest.approx(0.5 * (1 - 3 * 128 / 415), abs=1e-8)


@pytest.mark.parametrize("name", HOUSE)
def test_figures_are_of_wagers_that_the_table_takes(name: str) -> None:
    """A limit may be an amount that no chips make, or on which a bonus of 1 to 2 cannot be paid."""
    plays = game(name).with_options({"max_bet": 200_025, "smallest_chip": 5, "min_bet": 1_005})
    least, most = placed_wagers(plays)
    assert plays.wager_problem(least) is None
    assert plays.wager_problem(most) is None
    refused = [*range(1_005, least, 5), *range(most + 5, 200_026, 5)]
    assert all(map(plays.wager_problem, refused)), "no smaller or larger one is taken"
    assert placed_wagers(game(name)) == game(name).options.wager_bounds
