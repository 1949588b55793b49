# ruff: noqa: E501  (a line each)
"""The house's edges, computed by `tablectl odds`; `python -m tests.odds.edges` computes them anew.

In per cent of the first wager, by game and revision and by the options that are not the default
ones: exact, for one player and a fresh shoe, by the published strategy or else the best one by
totals. A test computes some of them again.
"""

from __future__ import annotations

from typing import Final

from controller.rules.game import Edge
from controller.rules.options import HouseOptions, plain

#: Options that change nothing for one player and a fresh shoe.
WITHOUT_EFFECT: Final = frozenset(
    {
        "min_bet", "max_bet", "smallest_chip",
        "penetration_cards", "burn_after_shuffle", "burn_on_dealer_change",
    }
)  # fmt: skip
EXACT: Final = "exact, best play, one player, fresh shoe"


def changes(options: HouseOptions, defaults: HouseOptions) -> str:
    """The options with an effect that are not the default ones: `blackjack_pays=6:5 peek=true`."""
    usual = plain(defaults)
    return " ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in sorted(plain(options).items())
        if value != usual[name] and name not in WITHOUT_EFFECT
    )


def computed(identity: str, options: HouseOptions, defaults: HouseOptions) -> Edge | None:
    """The edge of the game called `identity` (`blackjack/2`); None where it was not computed."""
    per_cent = COMPUTED.get(identity, {}).get(changes(options, defaults))
    return None if per_cent is None else Edge(round(per_cent * 100), EXACT)


COMPUTED: Final = {
    "21-24-27/1": {
        "": 1.043423518135026,
    },
    "finnish-27/1": {
        "": 0.6607127390755444,
        "forced_play=after_hit": 0.6607127390755444,
        "double_after_split=false": 0.8401308649652883,
        "double_after_split=false forced_play=after_hit": 0.8401308649652883,
    },
    "casino-7-27/1": {
        "": -20.92791984729975,
        "low_pays=1:1": -4.258677675305459,
        "low_pays=3:2": -8.22773685563694,
        "low_pays=2:1": -12.225482250325227,
        "low_pays=4:1": -30.189201719611823,
        "low_pays=1:1 seven_27_pays=5:1": -1.3684972205818549,
        "low_pays=1:1 seven_27_pays=10:1": -1.8086593686426617,
        "low_pays=1:1 seven_27_pays=15:1": -2.6197584735042216,
        "low_pays=1:1 seven_27_pays=20:1": -3.434879912884063,
        "low_pays=2:1 seven_27_pays=5:1": -10.641802535959677,
        "low_pays=2:1 seven_27_pays=10:1": -10.889797909567534,
        "low_pays=2:1 seven_27_pays=15:1": -11.147463113368932,
        "low_pays=2:1 seven_27_pays=20:1": -11.55232804182042,
        "seven_27_pays=5:1": -19.931152323850693,
        "seven_27_pays=10:1": -20.16427280625304,
        "seven_27_pays=15:1": -20.413829749244243,
        "seven_27_pays=20:1": -20.666759914958423,
        "low_pays=1:1 seven_27_pays=1:1": -1.1777680133175705,
        "high_pays=1:2 low_pays=1:1 seven_27_pays=1:1": 17.81964337679383,
        "low_pays=3:2 seven_27_pays=1:1": -5.821998846736489,
        "high_pays=1:2 low_pays=3:2 seven_27_pays=1:1": 13.180311291386873,
        "low_pays=2:1 seven_27_pays=1:1": -10.466322948616058,
        "high_pays=1:2 low_pays=2:1 seven_27_pays=1:1": 8.540841913267332,
        "seven_27_pays=1:1": -19.754971152375198,
        "high_pays=1:2 seven_27_pays=1:1": -0.7409664882907204,
        "low_pays=4:1 seven_27_pays=1:1": -29.044209498998054,
        "high_pays=1:2 low_pays=4:1 seven_27_pays=1:1": -10.030316276181736,
    },
    "blackjack/2": {
        "": 0.7177183580133338,
        "offers=only": 1.4357913562102254,
        "double_after_split=true": 0.5978251893563256,
        "double_after_split=true offers=only": 1.4235833581341921,
        "peek=true": 0.6091031607221322,
        "offers=only peek=true": 1.327176158919024,
        "double_after_split=true peek=true": 0.4876748223247517,
        "double_after_split=true offers=only peek=true": 1.3134329911026184,
        "blackjack_pays=6:5": 2.0757023195789026,
        "blackjack_pays=6:5 offers=only": 2.7937753177757942,
        "blackjack_pays=6:5 double_after_split=true": 1.9558091509218944,
        "blackjack_pays=6:5 double_after_split=true offers=only": 2.781567319699761,
        "blackjack_pays=6:5 peek=true": 1.967087122287701,
        "blackjack_pays=6:5 offers=only peek=true": 2.685160120484593,
        "blackjack_pays=6:5 double_after_split=true peek=true": 1.8456587838903207,
        "blackjack_pays=6:5 double_after_split=true offers=only peek=true": 2.6714169526681872,
        "blackjack_pays=1:1": 2.981024960622615,
        "blackjack_pays=1:1 offers=only": 3.699097958819506,
        "blackjack_pays=1:1 double_after_split=true": 2.8611317919656067,
        "blackjack_pays=1:1 double_after_split=true offers=only": 3.686889960743473,
        "blackjack_pays=1:1 peek=true": 2.8724097633314134,
        "blackjack_pays=1:1 offers=only peek=true": 3.5904827615283055,
        "blackjack_pays=1:1 double_after_split=true peek=true": 2.7509814249340327,
        "blackjack_pays=1:1 double_after_split=true offers=only peek=true": 3.5767395937118995,
        "resplit=true": 0.684396896371495,
        "offers=only resplit=true": 1.417639385219709,
        "double_after_split=true resplit=true": 0.5446609405776753,
        "double_after_split=true offers=only resplit=true": 1.403439179881069,
        "peek=true resplit=true": 0.5740045703817719,
        "offers=only peek=true resplit=true": 1.3072470592299859,
        "double_after_split=true peek=true resplit=true": 0.4324777257948197,
        "double_after_split=true offers=only peek=true resplit=true": 1.2912559650982136,
        "blackjack_pays=6:5 resplit=true": 2.042380857937064,
        "blackjack_pays=6:5 offers=only resplit=true": 2.7756233467852773,
        "blackjack_pays=6:5 double_after_split=true resplit=true": 1.9026449021432443,
        "blackjack_pays=6:5 double_after_split=true offers=only resplit=true": 2.7614231414466377,
        "blackjack_pays=6:5 peek=true resplit=true": 1.9319885319473409,
        "blackjack_pays=6:5 offers=only peek=true resplit=true": 2.6652310207955545,
        "blackjack_pays=6:5 double_after_split=true peek=true resplit=true": 1.7904616873603885,
        "blackjack_pays=6:5 double_after_split=true offers=only peek=true resplit=true": 2.6492399266637823,
        "blackjack_pays=1:1 resplit=true": 2.9477034989807764,
        "blackjack_pays=1:1 offers=only resplit=true": 3.68094598782899,
        "blackjack_pays=1:1 double_after_split=true resplit=true": 2.8079675431869564,
        "blackjack_pays=1:1 double_after_split=true offers=only resplit=true": 3.66674578249035,
        "blackjack_pays=1:1 peek=true resplit=true": 2.837311172991053,
        "blackjack_pays=1:1 offers=only peek=true resplit=true": 3.5705536618392673,
        "blackjack_pays=1:1 double_after_split=true peek=true resplit=true": 2.695784328404101,
        "blackjack_pays=1:1 double_after_split=true offers=only peek=true resplit=true": 3.554562567707495,
        "max_hands=3 resplit=true": 0.6891978372964265,
        "max_hands=3 offers=only resplit=true": 1.4202434482030304,
        "double_after_split=true max_hands=3 resplit=true": 0.5523364457248465,
        "double_after_split=true max_hands=3 offers=only resplit=true": 1.4063288753163115,
        "max_hands=3 peek=true resplit=true": 0.5790616476969718,
        "max_hands=3 offers=only peek=true resplit=true": 1.3101072586035762,
        "double_after_split=true max_hands=3 peek=true resplit=true": 0.4404465932649747,
        "double_after_split=true max_hands=3 offers=only peek=true resplit=true": 1.29443902285644,
        "blackjack_pays=6:5 max_hands=3 resplit=true": 2.0471817988619954,
        "blackjack_pays=6:5 max_hands=3 offers=only resplit=true": 2.7782274097685993,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 resplit=true": 1.9103204072904154,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 offers=only resplit=true": 2.7643128368818806,
        "blackjack_pays=6:5 max_hands=3 peek=true resplit=true": 1.9370456092625408,
        "blackjack_pays=6:5 max_hands=3 offers=only peek=true resplit=true": 2.668091220169145,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 peek=true resplit=true": 1.7984305548305435,
        "blackjack_pays=6:5 double_after_split=true max_hands=3 offers=only peek=true resplit=true": 2.652422984422009,
        "blackjack_pays=1:1 max_hands=3 resplit=true": 2.9525044399057077,
        "blackjack_pays=1:1 max_hands=3 offers=only resplit=true": 3.683550050812311,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 resplit=true": 2.8156430483341275,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 offers=only resplit=true": 3.6696354779255924,
        "blackjack_pays=1:1 max_hands=3 peek=true resplit=true": 2.8423682503062526,
        "blackjack_pays=1:1 max_hands=3 offers=only peek=true resplit=true": 3.5734138612128574,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 peek=true resplit=true": 2.7037531958742558,
        "blackjack_pays=1:1 double_after_split=true max_hands=3 offers=only peek=true resplit=true": 3.557745625465721,
    },
}
