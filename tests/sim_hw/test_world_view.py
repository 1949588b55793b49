"""What a camera above the table shows: hands, chips and backs, and never a hidden card."""

import pytest

from controller.rules.actions import Place
from sim_hw.table.world import World
from sim_hw.table.world_view import SeatView, world_view
from tests.support.dealt.day import lay
from tests.support.dealt.indoors import Indoors, at_random
from tests.support.forms import long_only

pytestmark = pytest.mark.anyio


def table(name: str) -> World:
    world: World = Indoors(name, 5, 7).world
    world.place_bets({1: 1_000, 2: 1_000})
    return world


def seat(world: World, number: int) -> SeatView:
    return world_view(world)["seats"][number - 1]


def test_a_split_hand_lies_beside_the_first_and_later_hands_move_up() -> None:
    world = table("blackjack")
    felt, player = world.felt, world.felt.players[2]
    player.put_down(1_000)
    felt.dealt = lay("2:8h 0:Ks 2:8c 0:7d-")
    felt.split(Place(2))
    player.split(1, 1_000)
    felt.put(lay("2:8s")[0].card, Place(2))
    felt.split(Place(2))
    player.split(1, 1_000)
    felt.add(Place(2, 3), 1_000)
    assert seat(world, 2)["hands"] == [
        {"hand": 1, "cards": ["8h"], "bet": 1_000, "doubled": False},
        {"hand": 2, "cards": ["8s"], "bet": 1_000, "doubled": False},
        {"hand": 3, "cards": ["8c"], "bet": 2_000, "doubled": True},
    ]
    assert world_view(world)["dealer_cards"] == ["Ks", "??"]


def test_insurance_lies_beside_and_a_settled_hand_takes_its_chips_along() -> None:
    world = table("blackjack")
    player = world.felt.players[2]
    player.put_down(1_000)
    world.felt.add(Place(2, 0), 500)
    assert (seat(world, 2)["side"], seat(world, 2)["bet"]) == (500, 1_000)
    bank = player.bank
    world.settle(Place(2, 0), 1_000)
    world.settle(Place(2), -500)
    view = seat(world, 2)
    assert (view["side"], view["bet"], view["hands"], view["bank"]) == (0, None, [], bank + 500)


def test_the_dealers_low_cards_are_pushed_up() -> None:
    """C727-A7: the low is the run of first cards of 7 or less."""
    world = table("casino-7-27")
    world.felt.dealt = lay("0:Ah 0:5s 0:9c")
    assert world_view(world)["low_cards"] == 2
    assert world_view(table("21-24-27"))["low_cards"] == 0


def test_antes_and_bids_lie_in_the_pot_and_the_deal_passes_left() -> None:
    world = table("seven-twenty-seven")
    for player in world.felt.players.values():
        player.put_down(1_000 if player.seat != 3 else None)
    world.begin_round()
    world.felt.stake(2, 2_000)
    view = world_view(world)
    assert (view["pot"], view["button"], view["vying"]) == (6_000, 5, True)
    assert [each["bet"] for each in view["seats"]] == [None] * 5
    world.settle(Place(2), 6_000 - 3_000)
    assert world_view(world)["pot"] == 0
    world.end_round()
    for player in world.felt.players.values():
        player.put_down(1_000)
    world.begin_round()
    assert world_view(world)["button"] == 1


def test_a_player_without_chips_buys_some() -> None:
    world = table("21-24-27")
    world.felt.players[1].bank = -1_000
    world.felt.players[2].bank = 1
    world.place_bets({1: 1_000, 2: 1_000})
    assert (world.felt.players[1].bank, world.felt.players[2].bank) == (99_000, 1)
    assert "Aino buys chips." in world.log


def test_the_games_words_are_in_the_picture() -> None:
    assert world_view(table("blackjack"))["words"] == {"dealer": "operator", "seat": "box"}


@pytest.mark.parametrize(
    ("visitor", "name"),
    [
        (True, "blackjack"),
        (False, "seven-twenty-seven"),
        long_only(False, "blackjack"),
        long_only(True, "seven-twenty-seven"),
    ],
)
async def test_no_picture_and_no_line_ever_shows_a_card_that_lies_face_down(
    name: str, visitor: bool, long_form: bool
) -> None:
    room = Indoors(name, 5, 11, visitor=visitor)
    tell, looks, backs = room.changes.notify, [0], [0]

    def look() -> None:
        view = world_view(room.world)
        shown = {
            Place(each["seat"], hand["hand"]): hand["cards"]
            for each in view["seats"]
            for hand in each["hands"]
        }
        shown[Place(0)] = view["dealer_cards"]
        for place, lying in room.world.felt.hands().items():
            looks[0] += 1
            backs[0] += lying.count(None)
            assert [code == "??" for code in shown[place]] == [each is None for each in lying]
        tell()

    room.changes.notify = look  # type: ignore[method-assign]
    rounds = 4 if long_form else 2
    if visitor:
        await room.visit(rounds, at_random(5))
    else:
        await room.play(rounds)
    assert looks[0] > 100
    assert backs[0] > 10
    folded = [line for line in room.lines if " fold " in line]
    assert all("??" in line for line in folded)
