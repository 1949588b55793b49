"""Computes `controller/rules/games/edges.py` anew: `python -m tests.odds.edges` (some minutes)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Final

from controller.odds.exact.exact_odds import Sd, exact_odds
from controller.rules.game import Game
from controller.rules.games.edges import changes
from controller.rules.games.registry import GAMES

FILE: Final = Path(__file__).parents[2] / "controller" / "rules" / "games" / "edges.py"
#: Pays of Casino 7-27 that a house may try instead of the printed ones.
LOW: Final = ("1:1", "3:2", "2:1", "4:1")
#: Pays than which few houses pay less: a set-up that was not computed loses at least what these do.
FLOORS: Final = ({"seven_27_pays": "1:1"}, {"high_pays": "1:2", "seven_27_pays": "1:1"})
BOTH: Final = tuple(product(("1:1", "2:1", "3:1"), ("5:1", "10:1", "15:1", "20:1")))


def set_ups(game: Game) -> Iterator[dict[str, object]]:
    """The options that are computed for every page, beside those that are asked for."""
    names: tuple[str, ...]
    tried: tuple[tuple[object, ...], ...]
    if game.name == "blackjack":
        names = ("blackjack_pays", "peek", "double_after_split", "offers")
        tried = (("3:2", "6:5", "1:1"), (False, True), (False, True), ("prompt", "only"))
        again: tuple[dict[str, object], ...]
        again = ({}, {"resplit": True}, {"resplit": True, "max_hands": 3})
        yield from (
            {**dict(zip(names, values, strict=True)), **hands}
            for hands, *values in product(again, *tried)
        )
        return
    elif game.name == "finnish-27":
        names = ("double_after_split", "forced_play")
        tried = ((True, False), ("hit_or_stand", "after_hit"))
    elif game.name == "casino-7-27":
        yield {}
        for low in LOW:
            yield {"low_pays": low}
        for low, both in BOTH:
            yield {"low_pays": low, "seven_27_pays": both}
        for low in ("1:1", "3:2", "2:1", "3:1", "4:1"):
            for floor in FLOORS:
                yield {"low_pays": low, **floor}
        return
    else:
        yield {}
        return
    for values in product(*tried):
        yield dict(zip(names, values, strict=True))


def main() -> None:
    """Write the figures of every game with a house."""
    lines = ["COMPUTED: Final = {"]
    for game in GAMES.values():
        if game.vying:
            continue
        lines.append(f'    "{game.identity}": {{')
        for chosen in set_ups(game):
            made = game.with_options(chosen)
            edge = 100 * exact_odds(made, sd=Sd.NEAR).edge
            lines.append(f'        "{changes(made.options, game.options)}": {edge!r},')
        lines.append("    },")
    text = re.sub(r"(?ms)^COMPUTED: Final = \{.*\Z", "", FILE.read_text())
    FILE.write_text(text + "\n".join([*lines, "}", ""]))


if __name__ == "__main__":
    main()
