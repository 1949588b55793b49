# ruff: noqa: E501  (a line each)
"""The house's edges, computed by `tablectl odds`; `python -m tests.odds.edges` computes them anew.

In per cent of the first wager, by game and revision and by the options that are not the default
ones: exact, for one player and a fresh shoe, by the published strategy or else the best one by
totals. A test computes some of them again.
"""

from __future__ import annotations

from typing import Final

from controller.rules.game import Edge
from controller.rules.messages import Amount, Message, message
from controller.rules.options import HouseOptions, plain, plain_text

#: Options that change nothing for one player and a fresh shoe.
WITHOUT_EFFECT: Final = frozenset(
    {
        "min_bet", "max_bet", "smallest_chip",
        "penetration_cards", "burn_after_shuffle", "burn_on_dealer_change",
    }
)  # fmt: skip
EXACT: Final = message("edge-exact")


def exact_at(wager: int) -> Message:
    """Where an edge is from that depends on the wager (minor units)."""
    return message("edge-exact-at", wager=Amount(wager))


def changes(options: HouseOptions, defaults: HouseOptions) -> str:
    """The options with an effect that are not the default ones: `blackjack_pays=6:5 peek=true`."""
    usual = plain(defaults)
    return " ".join(
        f"{name}={plain_text(value)}"
        for name, value in sorted(plain(options).items())
        if value != usual[name] and name not in WITHOUT_EFFECT
    )


def computed(identity: str, options: HouseOptions, defaults: HouseOptions) -> Edge | None:
    """The edge of the game called `identity` (`blackjack/2`); None where it was not computed."""
    per_cent = COMPUTED.get(identity, {}).get(changes(options, defaults))
    return None if per_cent is None else Edge(per_cent, EXACT)


COMPUTED: Final = {
    "21-24-27/1": {
        "": 1.0434235181668778,
    },
    "finnish-27/1": {
        "": 0.6607127390755652,
        "forced_play=after_hit": 0.6607127390755652,
        "double_after_split=false": 0.8401308649653083,
        "double_after_split=false forced_play=after_hit": 0.8401308649653083,
    },
    "casino-7-27/1": {
        "": -20.927919847297513,
        "low_pays=1:1": -4.258677675302657,
        "low_pays=3:2": -8.227736855634168,
        "low_pays=2:1": -12.225482250322456,
        "low_pays=4:1": -30.189201719609926,
        "low_pays=1:1 seven_27_pays=5:1": -1.3684972205799668,
        "low_pays=1:1 seven_27_pays=10:1": -1.8086593686399193,
        "low_pays=1:1 seven_27_pays=15:1": -2.6197584735014514,
        "low_pays=1:1 seven_27_pays=20:1": -3.434879912881262,
        "low_pays=2:1 seven_27_pays=5:1": -10.641802535957991,
        "low_pays=2:1 seven_27_pays=10:1": -10.88979790956564,
        "low_pays=2:1 seven_27_pays=15:1": -11.147463113366694,
        "low_pays=2:1 seven_27_pays=20:1": -11.552328041817733,
        "seven_27_pays=5:1": -19.931152323849005,
        "seven_27_pays=10:1": -20.16427280625118,
        "seven_27_pays=15:1": -20.413829749242346,
        "seven_27_pays=20:1": -20.66675991495642,
        "low_pays=1:1 seven_27_pays=1:1": -1.1777680133175685,
        "high_pays=1:2 low_pays=1:1 seven_27_pays=1:1": 17.819643376793834,
        "low_pays=3:2 seven_27_pays=1:1": -5.8219988467364825,
        "high_pays=1:2 low_pays=3:2 seven_27_pays=1:1": 13.180311291386879,
        "low_pays=2:1 seven_27_pays=1:1": -10.466322948616053,
        "high_pays=1:2 low_pays=2:1 seven_27_pays=1:1": 8.54084191326734,
        "seven_27_pays=1:1": -19.75497115237519,
        "high_pays=1:2 seven_27_pays=1:1": -0.7409664882907122,
        "low_pays=4:1 seven_27_pays=1:1": -29.044209498998047,
        "high_pays=1:2 low_pays=4:1 seven_27_pays=1:1": -10.030316276181725,
    },
    "blackjack/2": {
        "": 0.717718358013346,
        "offers=only": 1.4357913562102378,
        "double_after_split=true": 0.5978251893563381,
        "double_after_split=true offers=only": 1.4235833581342043,
        "peek=true": 0.6091031607221482,
        "offers=only peek=true": 1.3271761589190403,
        "double_after_split=true peek=true": 0.4876748223247672,
        "double_after_split=true offers=only peek=true": 1.3134329911026346,
        "blackjack_pays=6:5": 2.075702319578915,
        "blackjack_pays=6:5 offers=only": 2.7937753177758067,
        "blackjack_pays=6:5 double_after_split=true": 1.9558091509219069,
        "blackjack_pays=6:5 double_after_split=true offers=only": 2.781567319699773,
        "blackjack_pays=6:5 peek=true": 1.967087122287717,
        "blackjack_pays=6:5 offers=only peek=true": 2.685160120484609,
        "blackjack_pays=6:5 double_after_split=true peek=true": 1.8456587838903364,
        "blackjack_pays=6:5 double_after_split=true offers=only peek=true": 2.6714169526682032,
        "blackjack_pays=1:1": 2.9810249606226273,
        "blackjack_pays=1:1 offers=only": 3.6990979588195194,
        "blackjack_pays=1:1 double_after_split=true": 2.8611317919656196,
        "blackjack_pays=1:1 double_after_split=true offers=only": 3.6868899607434855,
        "blackjack_pays=1:1 peek=true": 2.87240976333143,
        "blackjack_pays=1:1 offers=only peek=true": 3.590482761528322,
        "blackjack_pays=1:1 double_after_split=true peek=true": 2.7509814249340487,
        "blackjack_pays=1:1 double_after_split=true offers=only peek=true": 3.576739593711916,
        "resplit=true": 0.6843968963715076,
        "offers=only resplit=true": 1.417639385219721,
        "double_after_split=true resplit=true": 0.5446609405776879,
        "double_after_split=true offers=only resplit=true": 1.4034391798810812,
        "peek=true resplit=true": 0.5740045703817882,
        "offers=only peek=true resplit=true": 1.307247059230002,
        "double_after_split=true peek=true resplit=true": 0.4324777257948354,
        "double_after_split=true offers=only peek=true resplit=true": 1.2912559650982294,
        "blackjack_pays=6:5 resplit=true": 2.0423808579370766,
        "blackjack_pays=6:5 offers=only resplit=true": 2.77562334678529,
        "blackjack_pays=6:5 double_after_split=true resplit=true": 1.9026449021432568,
        "blackjack_pays=6:5 double_after_split=true offers=only resplit=true": 2.76142314144665,
        "blackjack_pays=6:5 peek=true resplit=true": 1.931988531947357,
        "blackjack_pays=6:5 offers=only peek=true resplit=true": 2.665231020795571,
        "blackjack_pays=6:5 double_after_split=true peek=true resplit=true": 1.7904616873604042,
        "blackjack_pays=6:5 double_after_split=true offers=only peek=true resplit=true": 2.6492399266637987,
        "blackjack_pays=1:1 resplit=true": 2.9477034989807893,
        "blackjack_pays=1:1 offers=only resplit=true": 3.6809459878290025,
        "blackjack_pays=1:1 double_after_split=true resplit=true": 2.8079675431869693,
        "blackjack_pays=1:1 double_after_split=true offers=only resplit=true": 3.6667457824903624,
        "blackjack_pays=1:1 peek=true resplit=true": 2.8373111729910696,
        "blackjack_pays=1:1 offers=only peek=true resplit=true": 3.5705536618392832,
        "blackjack_pays=1:1 double_after_split=true peek=true resplit=true": 2.695784328404117,
        "blackjack_pays=1:1 double_after_split=true offers=only peek=true resplit=true": 3.554562567707511,
        "max_hands=3 resplit=true": 0.6891978372964389,
        "max_hands=3 offers=only resplit=true": 1.4202434482030428,
        "double_after_split=true max_hands=3 resplit=true": 0.552336445724859,
        "double_after_split=true max_hands=3 offers=only resplit=true": 1.4063288753163241,
        "max_hands=3 peek=true resplit=true": 0.5790616476969881,
        "max_hands=3 offers=only peek=true resplit=true": 1.3101072586035922,
        "double_after_split=true max_hands=3 peek=true resplit=true": 0.44044659326499025,
        "double_after_split=true max_hands=3 offers=only peek=true resplit=true": 1.2944390228564562,
        "blackjack_pays=6:5 max_hands=3 resplit=true": 2.047181798862008,
        "blackjack_pays=6:5 max_hands=3 offers=only resplit=true": 2.7782274097686117,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 resplit=true": 1.9103204072904278,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 offers=only resplit=true": 2.764312836881893,
        "blackjack_pays=6:5 max_hands=3 peek=true resplit=true": 1.9370456092625568,
        "blackjack_pays=6:5 max_hands=3 offers=only peek=true resplit=true": 2.668091220169161,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 peek=true resplit=true": 1.798430554830559,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 offers=only peek=true resplit=true": 2.652422984422025,
        "blackjack_pays=1:1 max_hands=3 resplit=true": 2.9525044399057205,
        "blackjack_pays=1:1 max_hands=3 offers=only resplit=true": 3.6835500508123245,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 resplit=true": 2.8156430483341404,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 offers=only resplit=true": 3.6696354779256057,
        "blackjack_pays=1:1 max_hands=3 peek=true resplit=true": 2.8423682503062695,
        "blackjack_pays=1:1 max_hands=3 offers=only peek=true resplit=true": 3.5734138612128734,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 peek=true resplit=true": 2.7037531958742718,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 offers=only peek=true resplit=true": 3.557745625465738,
    },
}
