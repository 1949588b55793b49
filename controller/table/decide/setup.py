"""What the table is set up as: at a start, and when the configuration is read anew in between."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.games.registry import game
from controller.rules.messages import Message, message
from controller.rules.options import OptionError
from controller.table import facts as f
from controller.table import inputs as i
from controller.table.decide.draft import Draft
from controller.table.irregularities.procedures import procedures
from controller.table.state.state import State


def table_opened(setup: i.Setup) -> f.TableOpened:
    """The fact that a table runs by `setup` from now on."""
    plays = game(setup.game).with_options(dict(setup.options))
    procedures(setup.procedures, setup.own_procedures)
    return f.TableOpened(setup, plays.pack, plays.options.cut_after)


def as_set_by_pit(configured: i.Setup, before: i.Setup) -> i.Setup:
    """A configuration with the options that the pit had set; where the file has another value than
    it had then, the file is the newer word.
    """
    options = dict(configured.options)
    still_set = tuple(
        each
        for each in before.set_by_pit
        if before.game == configured.game and options.get(each.name) == each.configured
    )
    options |= {each.name: each.value for each in still_set}
    try:
        game(configured.game).with_options(options)
    except OptionError:
        # Beside what the file says now they make no sense.
        return configured
    return replace(configured, options=tuple(sorted(options.items())), set_by_pit=still_set)


def setup_problem(state: State, opening: f.TableOpened) -> Message | None:
    """Why a changed setup cannot be taken over now, if it cannot.

    A round that only another build can play is no reason: it is voided by what is on record.
    """
    waits_for_its_build = state.rounds.script is None and opening.pack == state.shoe.pack
    if state.in_play is not None and not waits_for_its_build:
        return message("round-of-another-setup", round=state.in_play.number, game=state.setup.game)
    if state.betting.wagers:
        return message("bets-of-another-setup", game=state.setup.game)
    return None


def reload(draft: Draft, asked: i.Reload) -> Message | None:
    """Take over a setup and times of alarms while the service runs, between rounds."""
    state = draft.state
    setup = as_set_by_pit(asked.setup, state.setup)
    if state.setup != setup:
        opening = table_opened(setup)
        if problem := setup_problem(state, opening):
            return problem
        draft.add(opening)
    if state.run.alarm_times != asked.alarms:
        draft.add(f.AlarmTimesSet(asked.alarms))
    return None
