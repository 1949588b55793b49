"""A person who deals at the demo's page: sees its picture and the display, draws and presses."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from tests.support.patience import MOST_NOT_SEEN, NOT_SEEN_IN_TIME, PATIENCE_S

LOOK_S = 0.05
#: Long enough for the world to have seen the display, and for a player to have spoken.
SETTLE_S = 0.15


@dataclass
class Trainee:
    """The page of the table, and the keys of the dealer's display in it."""

    page: httpx.Client
    display: httpx.Client
    #: Who stands for what a dealer may not do alone, the floor first; empty without roles.
    people: list[dict[str, str]]
    not_seen: int = 0

    @classmethod
    def at(
        cls, page: str, display: str, token: str, people: Sequence[Mapping[str, str]] = ()
    ) -> Trainee:
        """Somebody at that page; `display` is the address of the service."""
        headers = {"Authorization": f"Bearer {token}"}
        return cls(
            httpx.Client(base_url=page, trust_env=False, timeout=PATIENCE_S, verify=False),
            httpx.Client(
                base_url=display, headers=headers, trust_env=False, timeout=PATIENCE_S, verify=False
            ),
            [
                {"name": each["name"], "pin": each["pin"]}
                for each in sorted(people, key=lambda each: each["role"] != "floor")
            ],
        )

    def close(self) -> None:
        self.page.close()
        self.display.close()

    # Looking

    @property
    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.display.get("/api/v1/scene").json()
        return found

    @property
    def felt(self) -> dict[str, Any]:
        with self.page.stream("GET", "/events") as stream:
            for line in stream.iter_lines():
                if line.startswith("data:") and len(line) > len("data: {}"):
                    found: dict[str, Any] = json.loads(line[5:])
                    return found
        raise AssertionError("no picture of the table")

    def key(self, name: str) -> dict[str, Any] | None:
        """The key of the display by its command, action or resolution."""
        for key in self.view["keys"]:
            command = key["command"]
            if name in (command.get("resolution"), command.get("action"), command["do"]):
                found: dict[str, Any] = command
                return found
        return None

    def missing(self) -> str:
        """The code of the first card that lies on the felt and is not shown."""
        felt, view = self.felt, self.view
        shown = {(each["seat"], each["hand"]): len(each["cards"]) for each in view["hands"]}
        for seat in felt["seats"]:
            for hand in seat["hands"]:
                there = shown.get((seat["seat"], hand["hand"]), 0)
                if len(hand["cards"]) > there:
                    return str(hand["cards"][there])
        there = len(view["dealer"]["cards"]) if view["dealer"] else 0
        return str(felt["dealer_cards"][there])

    @property
    def lying(self) -> int:
        felt = self.felt
        hands = [hand for seat in felt["seats"] for hand in seat["hands"]]
        return len(felt["dealer_cards"]) + sum(len(hand["cards"]) for hand in hands)

    # Doing

    def act(self, **asked: Any) -> None:
        answer = self.page.post("/act", json=asked)
        assert answer.status_code == 200, answer.text

    def send(self, command: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Press a key of the display; what the table answered."""
        stood = self._stood_for(command)
        answer = self.display.post("/api/v1/commands", json={**command, **stood, **more})
        assert answer.status_code in (200, 409), answer.text
        time.sleep(SETTLE_S)
        found: dict[str, Any] = answer.json()
        return found

    def _stood_for(self, command: dict[str, Any]) -> dict[str, Any]:
        """Those who stand for it, where it takes more than a dealer."""
        view = self.view
        keys = [*view["keys"], *(key for hold in view["holds"] for key in hold["resolutions"])]
        who = next((each["who"] for each in keys if each["command"] == command), "")
        if not who or not self.people:
            return {}
        people = self.people if who == "two" else self.people[:1]
        return {"people": people, "reason": "as in training"}

    def draw(self) -> None:
        before = self.view["seq"]
        self.act(do="draw")
        end_s = time.monotonic() + PATIENCE_S
        while self.view["seq"] == before:
            assert time.monotonic() < end_s, "the card never came to the record"
            time.sleep(LOOK_S)
        time.sleep(SETTLE_S)

    def press(self, button: str) -> None:
        self.act(do="press", button=button)
        time.sleep(SETTLE_S)

    def resolve(self, name: str, **more: Any) -> dict[str, Any]:
        command = self.key(name)
        assert command is not None, (name, self.view["headline"], self.view["keys"])
        return self.send(command, **more)

    def enter(self, code: str) -> None:
        """Enter a card by hand: named, and said again."""
        self.resolve("enter_card", card=code)
        self.resolve("enter_card", card=code)

    # Going on

    def step(self) -> None:
        """The one right thing that the display asks for, with what the player says."""
        view = self.view
        if view["holds"] and NOT_SEEN_IN_TIME in view["why"]:
            self.not_seen += 1
            assert self.not_seen <= MOST_NOT_SEEN, view["why"]
            self.enter(self.missing())
            return
        assert not view["holds"], (view["headline"], view["why"])
        commands = [key["command"] for key in view["keys"]]
        enter = next((key for key in view["keys"] if key["key"] == "Enter"), None)
        decides = [each for each in commands if each["do"] == "decide"]
        if view["phase"] == "betting" and not self.key("close_bets"):
            time.sleep(LOOK_S)  # the players are at it
        elif decides:
            self._as_said(decides)
        elif enter is not None and enter["needs"] == "count":
            self.send(enter["command"], left=self.felt["shoe"]["left"])
        elif enter is not None and enter["command"]["do"] == "close_bets":
            self._close(enter["command"])
        elif enter is not None and not enter["needs"]:
            self.send(enter["command"])
        elif turn := next((key for key in view["keys"] if key["command"]["do"] == "turn"), None):
            self._turn(turn)
        else:
            self.draw()

    def _turn(self, key: dict[str, Any]) -> None:
        """Turn the hidden card; one that was not read is entered as it lies there then."""
        command, more = key["command"], {}
        if key["needs"] == "card":
            hands = {(each["seat"], each["hand"]): each for each in self.view["hands"]}
            seat, hand = command["seat"], command["hand"]
            shown = hands[seat, hand] if seat else self.view["dealer"]
            nth = [each["code"] for each in shown["cards"]].index("")
            more = {"card": self._lies(seat, hand)[nth]}
            assert more["card"] != "??"
            self.send(command, **more)
        self.send(command, **more)

    def _lies(self, seat: int, hand: int) -> list[str]:
        felt = self.felt
        if not seat:
            return [str(each) for each in felt["dealer_cards"]]
        hands = next(each["hands"] for each in felt["seats"] if each["seat"] == seat)
        return [str(each) for each in next(one["cards"] for one in hands if one["hand"] == hand)]

    def _close(self, command: dict[str, Any]) -> None:
        """Close the bets once all players have theirs on the table."""
        with_chips = sum(each["bet"] is not None for each in self.felt["seats"])
        if len(self.view["hands"]) < with_chips:
            time.sleep(LOOK_S)
        else:
            self.send(command)

    def said(self) -> tuple[str, int | None]:
        """What the player in turn says, once it is said: an action, with the amount of a bet."""
        seat = next(each["seat"] for each in self.view["hands"] if each["active"])
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            said = next(each["said"] for each in self.felt["seats"] if each["seat"] == seat)
            words, _, amount = said.partition(" ") if said[-1:].isdigit() else (said, "", "")
            name = words.replace(" ", "-")
            options = {key["command"].get("action", "") for key in self.view["keys"]}
            if name and name in options | {"hit", "card"}:
                return name, round(100 * float(amount)) if amount else None
            time.sleep(LOOK_S)
        raise AssertionError("nobody says anything")

    def _as_said(self, decides: list[dict[str, Any]]) -> None:
        name, amount = self.said()
        command = next((each for each in decides if each["action"] == name), None)
        if name in ("hit", "card") or command is None:
            self.draw()
        else:
            self.send(command, **({} if amount is None else {"amount": amount}))
