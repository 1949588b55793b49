"""No answer to the pit tells a card that lies face down, at any moment of a round of any game."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.bus.commands import CommandAnswer, signed_answer
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.inputs.pit import PIT_ACTS
from controller.table.roles import pit_person
from controller.table.views.english import say
from tests.support.dealt.croupier import Croupier, tells
from tests.support.forms import quick_first
from tests.support.pit import Pit, setup

ACTS: list[i.PitAct] = [
    i.CloseTable(), i.OpenTable(), i.SetOptions((("max_bet", "5000"),)),
    i.SetOptions((("x", "y"),)), i.ChangeDealer(""), i.SendNote("hello"), i.AskFill(500),
    i.AskFill(501), i.SilenceAlarms(1),
]  # fmt: skip


def sign(_: bytes) -> bytes:
    """A signature without a digit: a true one has digits enough to be a card's number by chance."""
    return b"\xaa" * 64


def answers(pit: Pit) -> str:
    """What the table would answer to each act now, taken or refused, as it goes over the bus."""
    state, sent = pit.state, []
    now_ms = state.clock.at_ms
    for act in ACTS:
        for expires_ms in (now_ms + 10_000, now_ms - 20_000):
            asked = i.FromPit(act, pit_person(17), "pit_boss", "0f1e2d3c", now_ms, expires_ms)
            stamp = i.Stamp(now_ms, state.clock.mono_ns, "test:0", bytes(16), None, ())
            done = decide(state, asked, stamp)
            code = done.refused.code if done.refused else ""
            said = say(done.refused, state.game.words)
            answer = CommandAnswer("0f" * 16, "T1", not said, done.seq, code, said, now_ms)
            sent.append(signed_answer(sign, b"asked", answer).decode())
    return " ".join(sent)


@pytest.mark.parametrize("seed", quick_first(range(8), range(1)))
@pytest.mark.parametrize("name", GAMES)
def test_no_answer_tells_a_card_that_lies_face_down(name: str, seed: int) -> None:
    pit = Pit(replace(setup(5, name), pit_acts=PIT_ACTS))
    croupier = Croupier(pit, random.Random(seed))
    croupier.open_bets()
    hidden = 0

    def look() -> None:
        nonlocal hidden
        text = answers(pit)
        for place, cards in croupier.down.items():
            for each in cards:
                hidden += 1
                assert not (leak := tells(text, each)), f"{place} is told by {leak}"

    croupier.round(dict.fromkeys(range(1, 6), 1_000), look)
    assert bool(hidden) is pit.state.game.hides
