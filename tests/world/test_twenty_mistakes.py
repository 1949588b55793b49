"""A shift dealt by hand in a browser with twenty deliberate mistakes: nothing stuck, nothing lost.

Run by itself (`python -m tests.world.test_twenty_mistakes blackjack`) it prints the shift as a
table: what the display said, what was touched, how it ended.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import sync_playwright

from controller.record.reading.verify import verify
from tests.pages.conftest import ARGS, BROWSERS
from tests.support.patience import PATIENCE_S
from tests.world.walk import MistakeWalk, WalkedMistake, started

pytestmark = pytest.mark.timeout(1_800)
GAMES: Final = ("blackjack", "finnish-27")


def betting(walk: MistakeWalk) -> bool:
    """Bets are open and lie there."""
    return bool(walk.view["phase"] == "betting" and walk.offers("close_bets"))


def first_pass(walk: MistakeWalk) -> bool:
    """Two cards of the first pass lie there."""
    return walk.view["phase"] == "round" and walk.lying == 2


def asked(walk: MistakeWalk) -> bool:
    return walk.offers("stand") and walk.view["phase"] == "round"


def chips(walk: MistakeWalk) -> bool:
    return walk.offers("settle")


def early_card(walk: MistakeWalk) -> None:
    walk.until(lambda: betting(walk))
    walk.draw()
    said = walk.says
    walk.choose("set_aside")
    walk.wrote("A card drawn before the bets are closed", said)


def early_card_undone(walk: MistakeWalk) -> None:
    walk.until(lambda: betting(walk))
    walk.draw()
    said = walk.says
    walk.choose("set_aside")
    walk.choose("undo")
    assert walk.view["holds"]
    walk.choose("set_aside")
    walk.wrote("The same, put aside, undone and put aside again", said)


def keep_early_card(walk: MistakeWalk) -> None:
    walk.until(lambda: betting(walk))
    walk.draw()
    said = walk.says
    walk.choose("keep")
    walk.until(lambda: asked(walk) or chips(walk))
    lying = [
        card
        for seat in walk.felt_view()["seats"]
        for hand in seat["hands"]
        for card in hand["cards"]
    ]
    assert all(lying), "no later card lies face down"
    walk.touched.append("Keep it as the next card, … Kept card dealt")
    walk.wrote("A card drawn early is kept as the next card", said)


def drawn_for_chips(walk: MistakeWalk) -> None:
    walk.until(lambda: chips(walk))
    at = walk.headline
    walk.draw()
    said = walk.says
    walk.choose("set_aside")
    assert walk.headline == at, "no chips were moved by the card"
    walk.wrote("A card drawn while chips are to move", said)


def drawn_too_often(walk: MistakeWalk) -> None:
    walk.until(lambda: chips(walk))
    walk.draw()
    said = walk.says
    walk.draw()
    assert len(walk.view["holds"]) == 2
    walk.choose("set_aside")
    walk.choose("set_aside")
    walk.wrote("Two cards drawn while chips are to move", said)


def unplugged(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.plug()
    walk.draw()
    said = walk.says
    walk.plug()
    assert "1 card left while the scanner was away" in walk.says
    shown = walk.lying - 1
    walk.choose("count")
    walk.count(shown)
    assert walk.view["holds"], "as many as are shown: the beam says otherwise"
    walk.choose("enter_card")
    walk.enter(walk.missing())
    if walk.view["holds"]:
        walk.choose("count")
        walk.count(*(walk.by_seat() if walk.view["keys"][0]["needs"] == "counts" else [walk.lying]))
    walk.wrote("Scanner unplugged, a card drawn, plugged in, counted as shown", said)


def unplugged_and_counted(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.plug()
    walk.draw()
    walk.plug()
    said = walk.says
    walk.choose("count")
    walk.count(walk.lying)
    walk.choose("enter_card")
    walk.enter(walk.missing())
    walk.wrote("Scanner unplugged, a card drawn, counted rightly", said)


def unplugged_for_nothing(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.plug()
    walk.plug()
    said = walk.says
    walk.choose("count")
    walk.count(walk.lying + 1)
    walk.choose("count")
    walk.count(*walk.by_seat())
    walk.wrote("Scanner unplugged, no card drawn, counted one too many", said)


def ghost(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.choose("call_floor")
    said = walk.says
    gone = walk.view["shoe"]["gone"]
    assert not walk.offers("set_aside"), "nothing is missing: nothing is put aside"
    walk.choose("release")
    assert walk.view["shoe"]["gone"] == gone
    walk.wrote("Floor called, and a card put aside that never left", said)


def ghost_counted(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    gone = walk.view["shoe"]["gone"]
    walk.choose("call_floor")
    said = walk.says
    walk.choose("count")
    walk.count(walk.lying + 1)
    walk.choose("set_aside")
    assert not walk.offers("set_aside"), "one was missing by the count, and one was put aside"
    walk.choose("undo")
    assert walk.view["shoe"]["gone"] == gone
    walk.choose("count")
    walk.count(*walk.by_seat())
    walk.choose("release")
    walk.wrote("Floor called, counted wrongly, put aside, undone", said)


def fault(name: str, what: str) -> Callable[[MistakeWalk], None]:
    def go(walk: MistakeWalk) -> None:
        walk.until(lambda: first_pass(walk))
        walk.at_table(name)
        walk.draw()
        said = walk.says
        if walk.view["holds"]:
            walk.choose("enter_card")
            walk.enter(walk.missing())
        walk.wrote(what, said)

    return go


def wrong_card(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.at_table("Missed code")
    walk.draw()
    said = walk.says
    right = walk.missing()
    wrong = "2c" if right != "2c" else "3c"
    walk.choose("enter_card")
    walk.enter(wrong)
    walk.choose("undo")
    assert walk.view["holds"]
    walk.choose("enter_card")
    walk.enter(right)
    walk.wrote("The wrong card entered by hand, undone, entered again", said)


def not_left(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.at_table("Missed code")
    walk.draw()
    said = walk.says
    walk.choose("no_card")
    walk.choose("undo")
    walk.choose("enter_card")
    walk.enter(walk.missing())
    walk.wrote("'No card left the shoe' touched, although one lies there", said)


def stood_by_mistake(walk: MistakeWalk) -> None:
    walk.until(lambda: asked(walk))
    walk.choose("stand")
    walk.happened("taken_back")
    said = walk.says
    walk.choose("take_back")
    walk.wrote("Stand touched, although the player wants a card", said)


def next_pressed(walk: MistakeWalk) -> None:
    walk.until(lambda: asked(walk))
    walk.press("Next")
    said = walk.line
    assert "Not now" in said
    walk.wrote("Next pressed while a player is asked", said)


def left_out(walk: MistakeWalk) -> None:
    walk.until(lambda: first_pass(walk))
    walk.happened("skipped")
    said = walk.says
    walk.choose("dead_hand")
    dialog = walk.display.locator("#dialog[open]")
    seat = walk.view["hands"][0]["seat"]
    dialog.locator("button", has_text=re.compile(rf"\b{seat}\s*$")).first.click()
    walk.count(1)
    assert "has a card and is not out" in walk.line
    walk.choose("stands")
    walk.wrote("Spot left out called, although a card lies there", said)


def paid_wrongly(walk: MistakeWalk) -> None:
    walk.until(lambda: chips(walk))
    walk.choose("settle")
    walk.happened("payout")
    said = walk.says
    walk.choose("squared")
    walk.wrote("A bet paid wrongly, noticed after Done", said)


def voided(walk: MistakeWalk) -> None:
    walk.until(lambda: asked(walk))
    walk.choose("call_floor")
    said = walk.says
    walk.choose("void")
    assert not walk.offers("undo"), "bets went back: that is not undone"
    if walk.offers("squared"):  # a hand had been settled before the others played
        walk.choose("squared")
    walk.wrote("The round voided by the floor", said)


def miscounted_and_voided(walk: MistakeWalk) -> None:
    """One card too many is counted, and the round voided: no ghost goes on record."""
    walk.until(lambda: asked(walk))
    gone = walk.view["shoe"]["gone"]
    walk.choose("call_floor")
    walk.choose("count")
    walk.count(walk.lying + 1)
    said = walk.says
    assert not walk.offers("void"), "one count alone is no card"
    walk.choose("count")
    walk.count(*walk.by_seat())
    walk.choose("void")
    if walk.offers("squared"):
        walk.choose("squared")
    assert walk.view["shoe"]["gone"] == gone
    walk.wrote("One card too many counted, and the round voided", said)


def kept_over_a_void(walk: MistakeWalk) -> None:
    """The card that lies ready is the first of the next round, by record and on the felt."""
    walk.until(lambda: betting(walk))
    walk.draw()
    walk.choose("keep")
    walk.choose("close_bets")
    walk.choose("call_floor")
    walk.choose("void")
    walk.choose("squared")
    said = walk.says
    assert "1 card lies ready, to be dealt first." in said
    walk.until(lambda: betting(walk))
    walk.choose("close_bets")
    walk.choose("deal_kept")
    seat = walk.view["hands"][0]["seat"]
    dealt = walk.view["hands"][0]["cards"][0]["code"]
    lies = next(each for each in walk.felt_view()["seats"] if each["seat"] == seat)
    assert lies["hands"][0]["cards"] == [dealt]
    walk.wrote("A round voided while a kept card lies ready", said)


def garbled_and_another(walk: MistakeWalk) -> None:
    """Two cards before the deal, the first of them garbled: dealt in the order they left."""
    walk.until(lambda: betting(walk))
    walk.at_table("Garbage")
    walk.draw()
    said = walk.says
    assert "Nobody looks at it" in said
    walk.draw()
    walk.choose("keep")
    walk.choose("keep")
    walk.choose("close_bets")
    walk.choose("deal_kept")
    walk.choose("enter_card")
    walk.enter("4c")
    walk.choose("deal_kept")
    first, second = walk.view["hands"][:2]
    assert [each["code"] for each in first["cards"]] == ["4c"]
    assert len(second["cards"]) == 1
    walk.choose("call_floor")
    walk.choose("void")
    walk.choose("squared")
    walk.wrote("A garbled card and another before the deal", said)


def counted_wrongly(walk: MistakeWalk) -> None:
    """The shoe is over: one card too few is counted, and then rightly."""
    walk.until(lambda: walk.offers("close_shoe"), most=200)
    said = walk.says
    left = walk.left
    assert str(left) not in said
    walk.choose("close_shoe")
    walk.count(left - 1)
    assert walk.view["holds"]
    said += f" {walk.says}"
    walk.choose("count_again")
    walk.choose("close_shoe")
    walk.count(left)
    walk.wrote("The rest of the shoe counted one short", said)


MISTAKES: Final[tuple[Callable[[MistakeWalk], None], ...]] = (
    early_card, early_card_undone, keep_early_card, drawn_for_chips, drawn_too_often, unplugged,
    unplugged_and_counted, unplugged_for_nothing, ghost, ghost_counted,
    fault("Garbage", "The scanner says rubbish"), fault("Double read", "One card read twice"),
    fault("Push back", "A card pushed back and drawn again"), wrong_card, not_left,
    stood_by_mistake, next_pressed, left_out, paid_wrongly, voided,
    miscounted_and_voided, kept_over_a_void, garbled_and_another, counted_wrongly,
)  # fmt: skip
#: In the quick form: one of each kind that the display leads out of in another way.
FEW: Final = (early_card_undone, unplugged, wrong_card, stood_by_mistake, voided)


def shift(
    folder: Path, game: str, mistakes: Sequence[Callable[[MistakeWalk], None]] = MISTAKES
) -> list[WalkedMistake]:
    """The shift with all mistakes; what the display said and how each ended."""
    demo, table, dealer = started(folder, game, 3, "--option=penetration_cards=50")
    address, _, token = dealer.partition("#token=")
    try:
        with sync_playwright() as tool:
            where = next(filter(None, map(shutil.which, BROWSERS)))
            browser = tool.chromium.launch(executable_path=where, args=ARGS)
            felt = browser.new_page(viewport={"width": 1600, "height": 900})
            display = browser.new_page(viewport={"width": 1280, "height": 720})
            felt.goto(table)
            display.goto(dealer)
            headers = {"Authorization": f"Bearer {token}"}
            base = address.removesuffix("/dealer")
            with httpx.Client(
                base_url=base, headers=headers, trust_env=False, timeout=PATIENCE_S
            ) as api:
                display.locator("#headline .lead").wait_for()
                walk = MistakeWalk(felt, display, api)
                felt.locator("#seat").dispatch_event("click")
                felt.locator("button.deal:enabled").first.wait_for()
                try:
                    for mistake in mistakes:
                        mistake(walk)
                    assert "Disagreement" not in felt.locator("#log").inner_text()
                except BaseException:
                    display.screenshot(path=str(folder / "display.png"))
                    felt.screenshot(path=str(folder / "felt.png"))
                    at = (walk.says, *walk.keys, walk.line, *walk.touched)
                    sys.stderr.write("\n".join(at))
                    raise
                finally:
                    browser.close()
    finally:
        os.killpg(demo.process.pid, signal.SIGINT)
        try:
            demo.process.wait(PATIENCE_S)
        finally:
            demo.close()
    return walk.lines


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_twenty_mistakes_and_nothing_is_stuck_or_silently_wrong(game: str, tmp_path: Path) -> None:
    lines = shift(tmp_path, game)
    assert len(lines) == len(MISTAKES) >= 20
    found: Any = verify(tmp_path / "record")
    assert found.good, found.problems


@pytest.mark.long
def test_some_mistakes_and_nothing_is_stuck_or_silently_wrong(tmp_path: Path) -> None:
    assert len(shift(tmp_path, "blackjack", FEW)) == len(FEW)
    found: Any = verify(tmp_path / "record")
    assert found.good, found.problems


if __name__ == "__main__":
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    shift(Path(tempfile.mkdtemp()), sys.argv[1], MISTAKES[first:])
