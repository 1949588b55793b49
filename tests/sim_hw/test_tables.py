"""All five games at the simulated table: the dealer deals them, and the witness agrees."""

import asyncio
import json
from dataclasses import replace

import pytest

from controller.devices.safe import safe_scene
from controller.rules.actions import Place
from controller.rules.games.registry import GAMES
from controller.table.facts import CardDealtDown, DealerPeeked, DiscardsReturned, RoundVoided
from controller.web.json_views import encode
from sim_hw.devices.faults import Fault, FaultKind, Faults
from sim_hw.table.display_reader import read_display
from sim_hw.table.oracle import Disagreement
from tests.support.dealt.day import day, named
from tests.support.dealt.indoors import Indoors, at_random
from tests.support.forms import quick_first
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.anyio
SEATS = 5
#: Games in which cards lie face down.
HIDING = ("blackjack", "seven-twenty-seven")


@pytest.mark.parametrize("name", quick_first(GAMES, ["finnish-27", "seven-twenty-seven"]))
@pytest.mark.parametrize("seed", [39, pytest.param(7, marks=pytest.mark.long)])
async def test_the_robot_deals_the_seeds_day_to_the_card(
    name: str, seed: int, long_form: bool
) -> None:
    rounds = 8 if long_form else 2
    table = Indoors(name, SEATS, seed)
    lines = [each.line for each in day(named(name), seed, SEATS, rounds)]
    assert await table.play(rounds) == lines


async def test_a_safe_picture_in_mid_round_is_waited_out() -> None:
    """It stands outside the record: shoe 0, no round; a dealer leaves everything as it lies."""
    table = Indoors("blackjack", SEATS, 7)
    picture, shown = table.link.picture, [0]

    def sometimes_safe() -> None:
        picture()
        shown[0] += 1
        if shown[0] % 9 == 0:
            safe = json.loads(encode(safe_scene(SEATS).dealer))
            table.link.display = read_display(safe)
            table.changes.notify()
            asyncio.get_running_loop().call_later(0.01, picture)

    table.link.picture = sometimes_safe  # type: ignore[method-assign]
    assert await table.play(2) == [each.line for each in day(named("blackjack"), 7, SEATS, 2)]
    assert shown[0] > 9


async def test_a_round_that_ends_with_the_hidden_card_agrees() -> None:
    """Every box is bust and taken: turning the hidden card ends the round in one stroke."""
    table = Indoors("blackjack", SEATS, 1)
    assert await table.play(1) == [each.line for each in day(named("blackjack"), 1, SEATS, 1)]
    assert all(hand.settled for hand in table.pit.state.hands)


@pytest.mark.parametrize("name", quick_first(GAMES, ["casino-7-27", "blackjack"]))
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
async def test_what_a_visitor_decides_on_the_page_is_taken_from_the_service(
    name: str, seed: int, long_form: bool
) -> None:
    rounds = 8 if long_form else 2
    table = Indoors(name, SEATS, seed, visitor=True)
    book = await table.visit(rounds, at_random(seed))
    # A round that the witness disagrees with is not told.
    assert [line.split()[1] for line in book] == [str(n) for n in range(1, rounds + 1)]
    assert table.link.accounts


async def test_a_hasty_visitor_lays_no_hidden_card_face_up() -> None:
    """The display takes its time: the next card waits until it is known how it is to lie."""
    table = Indoors("blackjack", 2, 3, visitor=True)
    picture, loop = table.link.picture, asyncio.get_running_loop()

    def late() -> None:
        loop.call_later(0.02, picture)

    await table.visit(1, at_random(3))
    playing = asyncio.ensure_future(table.dealer.play(2))
    async with asyncio.timeout(PATIENCE_S):
        while len(table.pit.state.betting.wagers) < 2:
            await table.changes.wait(0.1)
        table.pit.no_more_bets()
        picture()
        table.link.picture = late  # type: ignore[method-assign]
        for _ in range(6):
            await table.dealer.visitor_draws()
    playing.cancel()
    await asyncio.wait([playing])
    assert [each.down for each in table.world.felt.dealt] == [False] * 5 + [True]
    assert [each.place.seat for each in table.world.felt.dealt] == [1, 2, 0, 1, 2, 0]


async def test_the_robot_goes_on_with_the_round_that_a_visitor_left() -> None:
    table = Indoors("blackjack", SEATS, 3, visitor=True)
    assert len(await table.visit(1, at_random(3))) == 1
    table.dealer.robot = True
    assert len(await table.play(2)) == 2


def missed_everywhere() -> Faults:
    """The scanner misses every card of six rounds."""
    planned = ((number, nth) for number in range(1, 7) for nth in range(1, 40))
    return Faults(Fault(number, nth, FaultKind.MISS_CODE) for number, nth in planned)


@pytest.mark.parametrize("name", quick_first(GAMES, HIDING))
async def test_cards_that_were_not_read_are_entered_hidden_ones_when_they_are_turned(
    name: str, long_form: bool
) -> None:
    rounds = 4 if long_form else 1
    table = Indoors(name, SEATS, 5, faults=missed_everywhere())
    assert await table.play(rounds) == [each.line for each in day(named(name), 5, SEATS, rounds)]
    assert table.dealer.book.tally.holds
    hidden = [fact.card for fact in table.pit.facts if isinstance(fact, CardDealtDown)]
    assert bool(hidden) is (name in HIDING)
    assert not any(card.known for card in hidden)


async def test_the_dealer_lifts_the_corner_of_a_hidden_card_that_was_not_read(
    long_form: bool,
) -> None:
    rounds = 6 if long_form else 1
    table = Indoors("blackjack", SEATS, 1, faults=missed_everywhere(), peek=True)
    plays = named("blackjack", peek=True)
    assert await table.play(rounds) == [each.line for each in day(plays, 1, SEATS, rounds)]
    assert any(isinstance(fact, DealerPeeked) for fact in table.pit.facts)


async def test_a_display_that_tells_a_hidden_card_is_found_out() -> None:
    table = Indoors("blackjack", SEATS, 7)
    picture = table.link.picture

    def leaky() -> None:
        picture()
        shown = table.link.display
        assert shown is not None
        if shown.dealer is not None and "" in shown.dealer.cards:
            cards = tuple(code or "As" for code in shown.dealer.cards)
            table.link.display = replace(shown, dealer=replace(shown.dealer, cards=cards))

    table.link.picture = leaky  # type: ignore[method-assign]
    with pytest.raises(Disagreement, match="the dealer: the display shows a card that is hidden"):
        await table.play(1)


async def test_a_display_that_asks_what_the_rules_do_not_ask_is_found_out() -> None:
    table = Indoors("finnish-27", SEATS, 7)
    picture = table.link.picture

    def without_double() -> None:
        picture()
        shown = table.link.display
        assert shown is not None
        keys = tuple(key for key in shown.keys if key.command.get("action") != "double")
        table.link.display = replace(shown, keys=keys)

    table.link.picture = without_double  # type: ignore[method-assign]
    with pytest.raises(Disagreement, match="by the felt the rules ask ask at seat"):
        await table.play(8)


async def test_a_round_that_a_visitor_led_astray_is_voided_by_the_robot() -> None:
    """A card lies at another box than the one it was read for: the floor is called."""
    table = Indoors("blackjack", SEATS, 3, visitor=True)
    table.dealer.robot = True
    draw, wrong = table.world.draw, iter([True])

    async def draw_astray(to: Place | None, *, down: bool = False) -> bool:
        drawn = await draw(to, down=down)
        if table.world.playing and next(wrong, False):
            table.world.felt.dealt[-1].to = Place(4)
        return drawn

    table.world.draw = draw_astray  # type: ignore[method-assign]
    book = await table.play(1)
    assert "void" in book[0]
    assert any(isinstance(fact, RoundVoided) for fact in table.pit.facts)


@pytest.mark.long
async def test_the_shoe_runs_out_in_mid_round_and_the_round_goes_on() -> None:
    """F27-A16: the discards are shuffled and loaded; cards on the felt stay, hidden ones too."""
    table = Indoors("blackjack", 7, 5, penetration_cards=415)
    assert len(await table.play(26)) == 26
    assert any(isinstance(fact, DiscardsReturned) for fact in table.pit.facts)
