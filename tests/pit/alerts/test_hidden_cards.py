"""No alert, message to a receiver or line of the log tells a card that lies face down."""

from __future__ import annotations

import logging
import random
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Engine, select

from controller.devices.inputs import Condition, Health
from controller.pit.alerts.schema import DELIVERIES
from controller.pit.alerts.settings import Webhook
from controller.pit.wall.status import read_news
from controller.rules.games.registry import GAMES
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.inputs import TableInput
from controller.table.views.public import public
from tests.pit.alerts.alerting import Alerting
from tests.support.dealt.croupier import Croupier, Physical, tells
from tests.support.pit import SCANNER, UNPLUGGED, Pit, setup

pytestmark = pytest.mark.anyio


def troubled(pit: Pit) -> bytes:
    """What the table would send if the dealer called the floor now, and the scanner went away."""
    state, now_ms = pit.state, pit.state.clock.at_ms
    asked: tuple[TableInput, ...] = (
        i.CallFloor(), Health(SCANNER, Condition.DOWN, UNPLUGGED),
    )  # fmt: skip
    for what in asked:
        stamp = i.Stamp(now_ms, state.clock.mono_ns, "test:0", bytes(16))
        state = decide(state, what, stamp).state
    sent = {"table": "T1", "seq": state.seq, "at_ms": now_ms, "status": public(state)}
    return msgspec.json.encode(sent)


@pytest.mark.parametrize("name", sorted(each for each in GAMES if GAMES[each].hides))
async def test_no_alert_tells_a_card_that_lies_face_down(
    engine: Engine, tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pit = Pit(setup(5, name))
    croupier = Croupier(pit, random.Random(3))
    croupier.open_bets()
    moments: list[tuple[bytes, list[Physical]]] = []

    def look() -> None:
        hidden = [each for cards in croupier.down.values() for each in cards]
        moments.append((troubled(pit), hidden))

    croupier.round(dict.fromkeys(range(1, 6), 1_000), look)
    assert any(hidden for _, hidden in moments)
    hook = Webhook("pager", "https://pager.example/in", Path("secret"))
    house = Alerting(engine, tmp_path, held_s=1, alarm_s=1, webhooks=(hook,))
    for body, hidden in moments:
        house.wall.hear(read_news(body))
        await house.after(2)
        with engine.begin() as connection:
            sent = " ".join(connection.scalars(select(DELIVERIES.c.body)))
            connection.execute(DELIVERIES.delete())
        said = " ".join(each.text for each in house.rows())
        for each in hidden:
            assert not tells(f"{said} {sent} {caplog.text}", each)
    assert {each.kind for each in house.rows()} >= {"held", "alarm"}
