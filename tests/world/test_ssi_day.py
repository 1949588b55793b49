"""A day of a whole table whose scanner speaks SSI and reads by the beam, on a line that is bad."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from controller.record.journal import Journal
from controller.table import facts as f
from controller.table.irregularities.holds import Reason
from sim_hw.devices.wire.ssi import (
    ACK,
    BY_HOST,
    DECODE_DATA,
    NAK,
    PACKETS,
    PARAM_SEND,
    POWER_EVERY,
    SCAN_ENABLE,
    START_SESSION,
    TRIGGER_MODE,
    RoughSsi,
    ssi_packet,
)  # fmt: skip
from tests.support.dealt.day import day, named
from tests.support.processes.town import Town

SEED, SEATS = 3, 3
GAME = "21-24-27"
#: How late a code may come, in ms: asked for again by a service on a busy machine.
LATE_MS = 400


class SsiTown(Town):
    """A town whose scanner speaks SSI and is triggered by the beam."""

    def __init__(self, folder: Path, *, rough: bool, rounds: int) -> None:
        self._rough = rough
        super().__init__(folder, rounds=rounds, seed=SEED, seats=SEATS, speed=200, game=GAME)

    def prepare(self) -> None:
        text = self.config.read_text()
        kind = '[scanner]\nprotocol = "ssi"\ntrigger = "beam"'
        # A code that was spoilt comes again while the card has left: as at a real table it may.
        text = text.replace("late_code_ms = 0", f"late_code_ms = {LATE_MS}")
        self.config.write_text(text.replace("[scanner]", kind))
        path = self.folder / "world.json"
        more: dict[str, object] = {
            "protocol": "ssi",
            "beam_triggers": True,
            "rough_line": self._rough,
        }
        more["card_gap_ms"] = LATE_MS + 100
        path.write_text(json.dumps({**json.loads(path.read_text()), **more}))


@pytest.mark.long
@pytest.mark.parametrize("rough", [True, False])
def test_a_scanner_by_ssi_and_the_beam_loses_no_card(rough: bool, tmp_path: Path) -> None:
    """Noise on the line holds nothing; lost power is noticed by the next card, and felt compared.

    That the world ends well says that the table counted what lies on the felt, and paid by it.
    """
    rounds = 4
    town = SsiTown(tmp_path, rough=rough, rounds=rounds)
    try:
        assert town.world.finish(300) == 0, town.world.lines
    finally:
        town.service.close()
        town.close()
    reported = [each for each in town.world.lines if each.startswith("round ")]
    undisturbed = [each.line for each in day(named(GAME), SEED, SEATS, rounds)]
    with closing(Journal(tmp_path / "record")) as journal:
        facts = [each.fact for each in journal.newest_day.records()]
    ends = [at for at, each in enumerate(facts) if isinstance(each, f.RoundEnded)]
    # A busy machine loads the pack before the scanner has answered: the felt is compared, lawfully.
    began = next(at for at, each in enumerate(facts) if isinstance(each, f.CardBurned))
    assert set(reasons(facts[:began])) <= {Reason.RECOUNT}
    # The first round is over before the power goes: three spoilt codes, three that came twice.
    assert sum(isinstance(each, f.CardDealt) for each in facts[: ends[0]]) < POWER_EVERY
    assert reported[0] == undisturbed[0]
    assert not reasons(facts[began : ends[0]])
    # What comes after the last round is the world's end.
    played = facts[began : ends[-1]]
    assert len(reported) == len(ends) == rounds
    if not rough:
        assert reported == undisturbed
        assert not reasons(played)
        return
    # The card at which it was noticed is set aside, so that others are dealt from then on.
    lost = [each for each in played if isinstance(each, f.DeviceDown)]
    assert lost
    assert {each.why.code for each in lost} == {"scanner-refuses"}
    assert reasons(played).count(Reason.RECOUNT) == len(lost)
    # Besides: the card in the exit, and a code that was asked for again and came too late for it.
    assert len(reasons(played)) <= 3 * len(lost)
    assert set(reasons(played)) <= {Reason.RECOUNT, Reason.UNEXPECTED, Reason.UNREADABLE}


def reasons(facts: list[f.Fact]) -> list[Reason]:
    """Why the table was held."""
    return [each.reason for each in facts if isinstance(each, f.HoldRaised)]


def test_the_bad_line_spoils_repeats_and_forgets() -> None:
    scanner = RoughSsi()
    scanner.hears(_to(SCAN_ENABLE))
    scanner.hears(_to(PARAM_SEND, bytes((0xFF, PACKETS, 1))))
    whole = ssi_packet(DECODE_DATA, b"\x03AS")
    for number in range(1, POWER_EVERY + 1):
        said = scanner.says(b"AS")
        assert (said == whole) is (number % 4 != 0)
        if said != whole:
            assert scanner.hears(_to(NAK, b"\x01")) == ssi_packet(DECODE_DATA, b"\x03AS", 1)
        answer = scanner.hears(_to(ACK))
        assert bool(answer) is (number % 4 == 2)
        if answer:
            assert scanner.hears(_to(ACK)) == b""
    assert scanner.says(b"AS") == b""
    assert scanner.parameters[TRIGGER_MODE] != BY_HOST
    assert scanner.hears(_to(START_SESSION))[1] == NAK


def _to(opcode: int, data: bytes = b"") -> bytes:
    """A packet of the host; the fake does not look at its sum."""
    return bytes((4 + len(data), opcode, 4, 0)) + data + bytes(2)
