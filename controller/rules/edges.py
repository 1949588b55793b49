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
    """The edge of the game called `identity` (`blackjack/1`); None where it was not computed."""
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
    "blackjack/1": {
        "": 0.7177183580130556,
        "offers=only": 1.4357913562099585,
        "double_after_split=true": 0.5978251893560471,
        "double_after_split=true offers=only": 1.4235833581339252,
        "peek=true": 0.6091031607220662,
        "offers=only peek=true": 1.32717615891897,
        "double_after_split=true peek=true": 0.48767482232468595,
        "double_after_split=true offers=only peek=true": 1.313432991102564,
        "blackjack_pays=6:5": 2.0757023195786246,
        "blackjack_pays=6:5 offers=only": 2.7937753177755273,
        "blackjack_pays=6:5 double_after_split=true": 1.9558091509216158,
        "blackjack_pays=6:5 double_after_split=true offers=only": 2.781567319699494,
        "blackjack_pays=6:5 peek=true": 1.9670871222876352,
        "blackjack_pays=6:5 offers=only peek=true": 2.6851601204845386,
        "blackjack_pays=6:5 double_after_split=true peek=true": 1.8456587838902547,
        "blackjack_pays=6:5 double_after_split=true offers=only peek=true": 2.671416952668133,
        "blackjack_pays=1:1": 2.981024960622337,
        "blackjack_pays=1:1 offers=only": 3.6990979588192396,
        "blackjack_pays=1:1 double_after_split=true": 2.8611317919653283,
        "blackjack_pays=1:1 double_after_split=true offers=only": 3.6868899607432066,
        "blackjack_pays=1:1 peek=true": 2.8724097633313472,
        "blackjack_pays=1:1 offers=only peek=true": 3.5904827615282513,
        "blackjack_pays=1:1 double_after_split=true peek=true": 2.750981424933967,
        "blackjack_pays=1:1 double_after_split=true offers=only peek=true": 3.5767395937118454,
    },
}
