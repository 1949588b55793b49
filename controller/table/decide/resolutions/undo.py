"""Judge of an undo: what was chosen last to settle a hold is as it was before, as a fact."""

from __future__ import annotations

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide.corrections import apply
from controller.table.decide.draft import Draft
from controller.table.decide.resolutions.resolve import reason_problem
from controller.table.inputs import Undo
from controller.table.irregularities.edits import EditKind
from controller.table.queries.available import TAKEN_OUT, undoable


def undo(draft: Draft, command: Undo) -> Message | None:
    """Undo the resolution that was chosen last; its hold is open again.

    It takes the same people as the resolution did.
    """
    state = draft.state
    done = undoable(state)
    if done is None or done.hold.number != command.hold:
        return message("nothing-to-undo")
    hold, resolution = done.hold, done.resolution
    wanted = state.procedures.needs(hold.reason, resolution)
    if problem := draft.lacks(wanted) or reason_problem(state, wanted, command.reason):
        return problem
    reason = command.reason.strip()
    draft.add(f.ResolutionUndone(hold.number, resolution, draft.stamp.by, reason))
    if resolution in TAKEN_OUT:
        played = state.in_play
        assert played is not None
        # From the last one back: each edit counts by the list as those before it left it.
        steps = range(len(played.steps) - 1, done.steps - 1, -1)
        edits = [f.Edit(at, EditKind.REMOVE) for at in steps]
        if problem := apply(draft, played.number, edits, reason):
            return problem
    if draft.state.hold(hold.number) is None:
        draft.evidence, draft.order = hold.evidence, hold.order
        draft.hold(
            hold.reason, hold.message, hold.card, hold.source, hold.round, is_open=hold.open
        )  # fmt: skip
    return None
