"""What another revision of the table decided is not judged by this one's, and that is said.

The same wrong fact is wrong to the revision that decided it. The rules of the games have revisions
of their own: by those a record of any build of the table is judged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from controller.rules.actions import Action
from controller.rules.cards import card
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.judge import Judged, judge
from controller.table.evolve.evolve import evolve
from controller.table.irregularities.edits import EditKind
from controller.table.recorded.hands import FeltChange, HandStatus
from controller.table.revision import TABLE_REVISION
from controller.table.state.state import State
from tests.support.pit import Pit
from tests.table.decide.test_judge import (
    corrected,
    dummy,
    fact_of,
    half_voided,
    in_play,
    new_dealer,
    other_options,
    scanned,
    settled,
    tampered,
    voided_later,
)
from tests.table.decide.test_windows import studio
from tests.table.money.cage import AINO, buy_in, chips, fill, rack_table, sign


def racked() -> Pit:
    """A rack was opened, filled and closed; a player bought chips, and a slip is void."""
    pit = rack_table(buy_ins=True)
    sign(pit, i.OpenRack(chips(30, 30, 30)))
    fill(pit, 4)
    sign(pit, i.ChangeBox("A7"))
    buy_in(pit, 4)
    sign(pit, i.CloseRack(chips(30, 30, 30), roll=True, box="A8"))
    sign(pit, i.CountBox(pit.state.money.slips - 1, 12_300))
    fill(pit, 2)
    sign(pit, i.VoidSlip(pit.state.money.slips, "never came"))
    return pit


#: What would be wrong if this revision had decided it.
DECIDED: list[tuple[Callable[[], Pit], type[f.Fact], dict[str, Any]]] = [
    (in_play, f.BetsClosed, {"number": 2}),
    (in_play, f.BetsClosed, {"wagers": ((1, 2_000),)}),
    (in_play, f.BetsClosed, {"setup": 2}),
    (in_play, f.BetsClosed, other_options(in_play())),
    (dummy, f.DummyBegan, {"number": 7}),
    (settled, f.RoundEnded, {"net": 0}),
    (half_voided, f.RoundVoided, {"owed": ()}),
    (half_voided, f.RoundVoided, {"number": 7}),
    (voided_later, f.SettledRoundVoided, {"owed": ((1, 999),)}),
    (corrected, f.RoundCorrected, {"number": 7}),
    (corrected, f.RoundCorrected, {"net": 0}),
    (corrected, f.RoundCorrected, {"owed": ()}),
    (corrected, f.RoundCorrected, {"shoe": f.ShoeChange(gone=1)}),
    (corrected, f.RoundCorrected, {"taken_out": (card("Ks"),)}),
    (corrected, f.RoundCorrected, {"edits": (f.Edit(99, EditKind.REPLACE, card("Ks")),)}),
    (studio, f.WindowOpened, {"length_ms": 9_000}),
    (racked, f.RackOpened, {"difference": chips(1)}),
    *[
        (racked, kind, {"by": (AINO,)})
        for kind in (
            f.RackOpened, f.RackClosed, f.SlipSigned, f.ChipsBought, f.DropBoxChanged,
            f.SoftCounted, f.SlipVoided,
        )
    ],
    (in_play, f.PackLoaded, {"cards": 51}),
    (new_dealer, f.DealerChanged, {"burns": 0}),
    (scanned, f.ShoeReconciled, {"left": 7}),
]  # fmt: skip


def judged(records: list[f.Record], decisions: int) -> Judged:
    """What is said of the last record if that revision of the table decided it."""
    *before, last = records
    state: State | None = None
    for record in before:
        state = evolve(state, record, judge(state, record).script)
    assert state is not None
    assert state.run.decisions == TABLE_REVISION
    run = replace(state.run, decisions=decisions, software="9.9")
    return judge(replace(state, run=run), last)


@pytest.mark.parametrize(("made", "kind", "changes"), DECIDED)
def test_what_another_revision_decided_is_not_judged_and_that_is_said(
    made: Callable[[], Pit], kind: type[f.Fact], changes: dict[str, Any]
) -> None:
    records = tampered(made(), kind, **changes)
    assert judged(records, TABLE_REVISION).wrong is not None
    for other in (TABLE_REVISION - 1, TABLE_REVISION + 1):
        found = judged(records, other)
        assert found.wrong is None
        assert found.not_carried == (f"table/{other}", "9.9")


@pytest.mark.parametrize(
    ("made", "kind", "changes"),
    [
        (in_play, f.BetsClosed, {"felt": FeltChange(hands=(HandStatus(1, 1, wager=999),))}),
        (settled, f.Decided, {"action": Action.DOUBLE}),
        (settled, f.HandSettled, {"net": 1_000}),
        (corrected, f.RoundCorrected, {"wagers": ((2, 1_000),)}),
    ],
)
def test_the_rules_of_the_game_are_judged_whichever_revision_of_the_table_asked_them(
    made: Callable[[], Pit], kind: type[f.Fact], changes: dict[str, Any]
) -> None:
    records = tampered(made(), kind, **changes)
    assert judged(records, TABLE_REVISION - 1).wrong is not None


def test_a_correction_by_another_revision_comes_to_a_round_that_the_game_plays() -> None:
    pit = corrected()
    steps = fact_of(pit, f.RoundCorrected).steps
    assert judged(tampered(pit, f.RoundCorrected), TABLE_REVISION - 1).wrong is None
    for at, each in enumerate(steps):
        otherwise = each._replace(forced=not each.forced)
        changed = (*steps[:at], otherwise, *steps[at + 1 :])
        records = tampered(pit, f.RoundCorrected, steps=changed)
        assert judged(records, TABLE_REVISION - 1).wrong is not None
