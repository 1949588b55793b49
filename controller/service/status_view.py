"""The table's public status, as the status page shows it and the bus sends it."""

from __future__ import annotations

from dataclasses import fields

from controller.devices.displays import Tone
from controller.devices.felt_view import GameWords
from controller.devices.safe import safe_scene
from controller.devices.scene import Scene
from controller.rules.frozen import frozen
from controller.service.ports import ConfigNotice, Desk, DirectoryView
from controller.table.state.state import State
from controller.table.views.english import say
from controller.table.views.ledger_view import LedgerView
from controller.table.views.public import StatusView, public


@frozen
class Status(StatusView):
    """The status of the table; `simulated`: its devices are not real.

    `notice` is what the technician has to know of the configuration: a sentence, then its detail
    line by line; empty where there is nothing. `house_loses` says so where it does by the options,
    `edge_note` why the house's edge is not known (yet); empty elsewhere. `directory`: the pit's
    directory of people that is in force, null where people are the table's own.
    """

    simulated: bool
    notice: tuple[str, ...]
    house_loses: str
    edge_note: str
    directory: DirectoryView | None


def shown_state(desk: Desk) -> State | None:
    """The state that may be shown: None while the table shows the SAFE scene."""
    return None if desk.scene.dealer.tone is Tone.SAFE else desk.state


def status(desk: Desk) -> Status:
    """The view of the status page; its SAFE view while the record is not available."""
    state = shown_state(desk)
    view = safe_status(desk.scene) if state is None else public(state, desk.names)
    shown = {each.name: getattr(view, each.name) for each in fields(view)}
    plays, beside = None if state is None else state.game, desk.beside
    return Status(
        **shown, simulated=desk.simulated, notice=_notice(beside.notice),
        house_loses="" if plays is None else beside.edges.loses(plays),
        edge_note="" if plays is None else beside.edges.note(plays), directory=beside.directory,
    )  # fmt: skip


def _notice(notice: ConfigNotice | None) -> tuple[str, ...]:
    return () if notice is None else (say(notice.said), *notice.detail.splitlines())


def safe_status(scene: Scene) -> StatusView:
    """The status page's view of the SAFE scene: nothing in it comes from a fact."""
    seats = len(scene.lights)
    dealer = safe_scene(seats).dealer
    why = f"{dealer.why} {scene.dealer.refusal}".rstrip()
    return StatusView(
        seq=dealer.seq, table="", game="", software="", phase=dealer.phase,
        waiting_for=dealer.headline, why=why, who="floor", since_ms=0, tone=Tone.SAFE, round=0,
        hands=(), dealer=None, shoe=dealer.shoe, devices=(), holds=(), rounds_per_hour=None,
        rounds_played=0, rounds=(), limits="", rule="", seats=seats, pot="",
        button=0, words=GameWords(), ledger=LedgerView("off"), roles=False, alarms=(), day=None,
        wrong_pins=(), closed=False, notes=0, pit_acts=(), options=(), set_by_pit=(), window=None,
        deals="", stakes=(0, 0),
    )  # fmt: skip
