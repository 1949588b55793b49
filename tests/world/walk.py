"""A shift dealt by hand in a browser: the drawn table, and the dealer's display beside it.

`MistakeWalk` touches what a dealer touches: keys of the display, the table's *Draw card*, the
reader's plug. What the display said and how it ended is written down, line by line.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Page

from tests.support.patience import MOST_NOT_SEEN, NOT_SEEN_IN_TIME, PATIENCE_S
from tests.support.processes.town import LineProcess, free_pair

LOOK_S = 0.02
#: A person who sees a new picture touches nothing for so long: a page takes what comes sooner for
#: an answer to the picture before it, and for longer where it tells that the table has stopped.
REACTION_S = 0.45
SURPRISE_S = 1.05
#: What a player says who wants nothing more.
QUIET = ("stand", "no-insurance")


class WalkedMistake(NamedTuple):
    """A mistake: what the display said, what was touched, and how it ended."""

    what: str
    said: str
    touched: str
    ended: str


@dataclass
class MistakeWalk:
    """Two windows of one table. `lines` is what happened, mistake by mistake."""

    felt: Page
    display: Page
    api: httpx.Client
    lines: list[WalkedMistake] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    not_seen: int = 0

    # Looking

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.api.get("/api/v1/scene").json()
        return found

    @property
    def headline(self) -> str:
        return str(self.view["headline"])

    def text(self, where: str) -> str:
        return " ".join(self.display.locator(where).inner_text().split())

    @property
    def says(self) -> str:
        """What the dealer reads: the large words and the sentence under them."""
        return f"{self.text('#headline')}. {self.text('#why')}"

    @property
    def line(self) -> str:
        return self.text("#line")

    @property
    def keys(self) -> list[str]:
        found = self.display.locator("#keys .key > span")
        return [" ".join(each.split()) for each in found.all_inner_texts()]

    # Touching

    @property
    def seq(self) -> int:
        return int(self.display.evaluate("Number(document.body.dataset.seq)"))

    def shows(self, seq: int) -> None:
        """Until the display stands on that record, and on the newest one."""
        end = time.monotonic() + PATIENCE_S
        while self.seq < max(seq, int(self.view["seq"])):
            assert time.monotonic() < end, f"the display never came to record {seq}: {self.says}"
            time.sleep(LOOK_S)
        time.sleep(SURPRISE_S if self.view["holds"] else REACTION_S)

    def draw(self) -> None:
        """Draw a card at the table, whatever the display asks for, until that is on record."""
        before = self.seq
        self.at_table("Draw card")
        self.shows(before + 1)

    def press(self, name: str) -> None:
        """A physical button, until that is on record."""
        before = self.seq
        self.at_table(name)
        self.shows(before + 1)

    def at_table(self, name: str) -> None:
        """A button of the drawn table."""
        self.touched.append(name)
        with self.felt.expect_response("**/act"):
            self.felt.get_by_role("button", name=name, exact=True).dispatch_event("click")

    def plug(self) -> None:
        """Pull the reader's plug, or put it back; until the display knows."""
        self.touched.append(self.felt.locator("#plug").inner_text())
        before = self.scanner
        with self.felt.expect_response("**/act"):
            self.felt.locator("#plug").dispatch_event("click")
        end = time.monotonic() + PATIENCE_S
        while self.scanner is before:
            assert time.monotonic() < end, "nobody noticed the plug"
            time.sleep(LOOK_S)
        self.shows(self.seq)

    @property
    def scanner(self) -> bool:
        """Whether the table has its scanner."""
        return all(each["up"] for each in self.view["devices"] if each["name"] == "scanner")

    def touch(self, key: dict[str, Any]) -> None:
        """A key of the display: until its dialog is open, or what it sends is answered."""
        label = str(key["label"])
        self.touched.append(label)
        shown = self.display.locator(
            "#keys .key", has_text=re.compile(f"{re.escape(label)}$", re.IGNORECASE)
        ).last
        if key["needs"]:
            shown.click()
            self.display.locator("#dialog[open]").wait_for()
        else:
            self.sent(shown.click)

    def sent(self, do: Callable[[], object]) -> None:
        """Do what sends a command; until the display shows what became of it."""
        before = self.seq
        with self.display.expect_response("**/commands"):
            do()
        self.shows(before + 1)

    def choose(self, name: str) -> str:
        """A key of the display by what it stands for: a resolution, an action or a command."""
        for key in self.view["keys"]:
            command = key["command"]
            if name in (command.get("resolution"), command.get("action"), command["do"]):
                self.touch(key)
                return str(key["needs"])
        raise AssertionError(f"no key {name}: {self.says} {self.keys}")

    def offers(self, name: str) -> bool:
        """Whether there is such a key."""
        commands = [key["command"] for key in self.view["keys"]]
        return any(
            name in (each.get("resolution"), each.get("action"), each["do"]) for each in commands
        )

    def count(self, *numbers: int) -> None:
        """Type numbers of cards into the pads that ask for them, one after the other."""
        for at, number in enumerate(numbers, start=1):
            self.touched.append(str(number))
            pad = self.display.locator("#dialog[open] .pad").element_handle()
            assert pad is not None
            for digit in str(number):
                self.display.keyboard.press(digit)
            if at == len(numbers):
                self.sent(lambda: self.display.keyboard.press("Enter"))
            else:
                self.display.keyboard.press("Enter")
                self.display.wait_for_function("pad => !pad.isConnected", arg=pad)

    def enter(self, code: str) -> None:
        """Enter a card by the keyboard, and say yes."""
        self.touched.append(code)
        self.display.locator("#dialog[open]").wait_for()
        for letter in code:
            self.display.keyboard.press(letter)
        self.sent(lambda: self.display.keyboard.press("Enter"))
        self.display.locator("#dialog .again").wait_for()
        self.sent(lambda: self.display.keyboard.press("y"))

    def happened(self, what: str) -> None:
        """Say at the display what happened, by the irregularity's name on record."""
        found = next(each for each in self.view["happened"] if each["command"]["what"] == what)
        self.touched.append(f"Something happened: {found['label']}")
        self.display.locator("#happened").click()
        dialog = self.display.locator("#dialog[open]")
        self.sent(dialog.get_by_role("button", name=found["label"]).first.click)

    # Going on

    def step(self) -> str:
        """The one right thing that the display asks for; what it was."""
        keys, now = self.view["keys"], self.headline
        enter = next((key for key in keys if key["key"] == "Enter"), None)
        do = {str(key["command"].get("action", key["command"]["do"])): key for key in keys}
        if self.view["holds"] and NOT_SEEN_IN_TIME in self.says:
            self.not_seen += 1
            assert self.not_seen <= MOST_NOT_SEEN, self.says
            self.choose("enter_card")
            self.enter(self.missing())
            return now
        assert not self.view["holds"], self.says
        if enter is not None and not enter["needs"]:
            self.touch(enter)
        elif enter is not None:
            self.touch(enter)
            self.count(self.left)
        elif "turn" in do:
            self.touch(do["turn"])
        elif decides := [key for key in keys if key["command"]["do"] == "decide"]:
            quiet = [key for key in decides if key["command"]["action"] in QUIET]
            self.touch((quiet or decides)[0])
        elif "peek" in do:
            self.touch(next(key for key in keys if not key["command"].get("natural", 1)))
        else:
            self.draw()
        return now

    def until(self, there: Callable[[], bool], most: int = 60) -> None:
        """Deal as the display says until `there`."""
        for _ in range(most):
            if there():
                self.touched.clear()
                return
            self.step()
        raise AssertionError(f"never got there: {self.says} {self.keys}")

    @property
    def left(self) -> int:
        """How many cards are truly in the shoe."""
        return int(self.felt_view()["shoe"]["left"])

    def felt_view(self) -> dict[str, Any]:
        """The world as the drawn table has it."""
        script = """async () => {
          const reader = (await fetch('/events')).body.getReader();
          let text = '';
          while (!/event: world\\ndata: .*\\n\\n/.test(text)) {
            text += new TextDecoder().decode((await reader.read()).value);
          }
          await reader.cancel();
          return JSON.parse(text.match(/event: world\\ndata: (.*)\\n/)[1]);
        }"""
        found: dict[str, Any] = self.felt.evaluate(script)
        return found

    @property
    def lying(self) -> int:
        """How many cards truly lie at the spots and the dealer's place."""
        view = self.felt_view()
        hands = [hand for seat in view["seats"] for hand in seat["hands"]]
        return len(view["dealer_cards"]) + sum(len(hand["cards"]) for hand in hands)

    def missing(self) -> str:
        """The code of a card that lies on the felt and is not shown."""
        view, world = self.view, self.felt_view()
        shown = {(hand["seat"], hand["hand"]): len(hand["cards"]) for hand in view["hands"]}
        for seat in world["seats"]:
            for number, hand in enumerate(seat["hands"], start=1):
                there = shown.get((seat["seat"], number), 0)
                if len(hand["cards"]) > there:
                    return str(hand["cards"][there])
        there = len(view["dealer"]["cards"]) if view["dealer"] else 0
        return str(world["dealer_cards"][there])

    def by_seat(self) -> list[int]:
        """How many cards truly lie at each seat in play, and then the dealer's."""
        world = self.felt_view()
        lying = {
            each["seat"]: sum(len(hand["cards"]) for hand in each["hands"])
            for each in world["seats"]
        }
        seats = dict.fromkeys(hand["seat"] for hand in self.view["hands"])
        return [*(lying[seat] for seat in seats), len(world["dealer_cards"])]

    def wrote(self, what: str, said: str) -> None:
        """A mistake is over: the table goes on."""
        assert not self.view["holds"], f"{what}: {self.says} {self.keys}"
        self.lines.append(WalkedMistake(what, said, ", ".join(self.touched), self.says))
        sys.stdout.write(f"| {' | '.join(self.lines[-1])} |\n")
        sys.stdout.flush()
        self.touched.clear()


def started(folder: Path, game: str, seats: int, *options: str) -> tuple[LineProcess, str, str]:
    """A demo of that game, and the addresses of its drawn table and of its dealer's display."""
    import sys

    command = [
        sys.executable, "-m", "controller", "demo", "--game", game, "--seats", str(seats),
        "--speed", "10", "--seed", "3", "--dir", str(folder), "--port", str(free_pair()), *options,
    ]  # fmt: skip
    demo = LineProcess(command, BROWSER="true")
    table = demo.until(lambda line: "The table:" in line).split()[-1]
    dealer = demo.until(lambda line: "Dealer:" in line).split()[-1]
    return demo, table, dealer
