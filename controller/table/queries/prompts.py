"""Prompts: the one next thing that the table waits for, why, and who has to do it."""

from __future__ import annotations

from collections.abc import Callable

from controller.devices.displays import Tone
from controller.rules.messages import Message, message
from controller.rules.script.steps import Deal, Step
from controller.table.irregularities.holds import Hold, Reason
from controller.table.queries.bet_spots import bets_differ
from controller.table.queries.hold_prompts import asked_at, settled_by_dealer, to_do
from controller.table.queries.prompt import DEALER, FLOOR, PIT_BOSS, PLAYERS, Prompt, both, touch
from controller.table.queries.step_prompts import step_prompt, told
from controller.table.queries.windows import bets_to_open
from controller.table.state.phases import Phase
from controller.table.state.state import State


def prompt(state: State) -> Prompt:
    """What the table waits for now."""
    return _prompt(state, told)


def _prompt(state: State, step_of: Callable[[Step], Prompt]) -> Prompt:
    if state.holds:
        hold = state.holds[0]
        title = state.procedures.rows[hold.reason].title
        who = who_clears(state, hold)
        return Prompt(
            Tone.HELD, title, hold.message, who, asked_at(hold), detail=to_do(state, hold)
        )
    if state.phase is Phase.ROUND:
        step = state.step
        if step is None:
            raise AssertionError("a round in play always waits for something")
        found = step_of(step)
        if state.remote.window is not None and state.remote.window.expired:
            found = found._replace(why=both(message("time-is-over"), found.why or found.headline))
        if state.aftermath.kept_cards and isinstance(step, Deal):
            dealt = touch(message("key-kept-card-dealt"))
            take = message("deal-the-kept-card", then=dealt)
            if len(state.aftermath.kept_cards) > 1:
                take = message("deal-the-first-kept", then=dealt)
            return found._replace(why=both(found.why, take))
        return found
    return _between(state)


def who_clears(state: State, hold: Hold) -> Message:
    """Who must act on a hold: the floor, unless the dealer alone may settle it."""
    if hold.reason is Reason.FLOOR or not (settled_by_dealer(state, hold) or not state.setup.roles):
        return FLOOR
    return DEALER


def _between(state: State) -> Prompt:
    found = _between_rounds(state)
    lies = _lies_ready(state)
    return found if lies is None else found._replace(why=both(found.why, lies))


def _lies_ready(state: State) -> Message | None:
    """What becomes of cards that were kept before the next round; None where none was."""
    cards = len(state.aftermath.kept_cards)
    if not cards or state.phase is Phase.BURN:
        return None
    if state.phase is Phase.SHUFFLE:
        return message("kept-cards-go-away", cards=cards)
    return message("kept-cards-lie-ready", cards=cards)


def _between_rounds(state: State) -> Prompt:
    if state.ledger.scanning or state.must_close:
        return _close(state)
    if state.phase is Phase.SHUFFLE:
        return _shuffle(state)
    if state.phase is Phase.CUT:
        then = touch(message("key-cut-made"))
        cut = message("cut-card-goes-in", cards=state.options.cut_after)
        why = then if state.game.vying else both(cut, then)
        return Prompt(Tone.SHUFFLE, message("cut-the-pack"), why)
    if state.phase is Phase.BURN and state.aftermath.kept_cards:
        aside = message("put-the-kept-card-aside-then", then=touch(message("key-kept-card-burned")))
        return Prompt(Tone.SHUFFLE, message("burn-the-kept-card"), aside)
    if state.phase is Phase.BURN:
        cards = state.shoe.to_burn
        headline = message("burn-a-card") if cards == 1 else message("burn-cards", cards=cards)
        return Prompt(Tone.SHUFFLE, headline, message("draw-and-put-aside"))
    if state.pit.closed:
        return Prompt(Tone.CALM, message("table-closed"), message("pit-opens-it"), PIT_BOSS)
    return _bets(state)


def _bets(state: State) -> Prompt:
    vying = state.game.vying
    number = len(state.betting.wagers)
    over = state.remote.window is not None and state.remote.window.expired
    headline = message("place-antes") if vying else message("place-bets")
    placed = message("antes-placed", antes=number) if vying else message("bets-placed", bets=number)
    if bets_to_open(state):
        opens = touch(message("key-open-bets"))
        why = both(placed, opens) if number else opens
        return Prompt(Tone.ACT, message("open-the-bets"), why)
    if not number:
        why = message("time-is-over-without-bets") if over else limits(state)
        return Prompt(Tone.CALM, headline, why, PLAYERS)
    if over:
        headline = message("no-more-bets-now")
    elif state.remote.window is not None and state.remote.window.last_called:
        headline = message("last-bets")
    if differ := bets_differ(state):
        return Prompt(Tone.CALM, headline, both(placed, differ), PLAYERS)
    more = state.game.seats.start - number
    if over:
        placed = both(message("time-is-over"), placed)
    then = message("more-to-play", more=more) if more > 0 else touch(message("key-no-more-bets"))
    return Prompt(Tone.CALM, headline, both(placed, then), PLAYERS)


def _shuffle(state: State) -> Prompt:
    shoe = state.shoe
    load = message("load-a-shuffled-pack", cards=shoe.pack.size)
    if not shoe.number:
        return Prompt(Tone.SHUFFLE, message("load-the-shoe"), load)
    if state.game.vying:
        return Prompt(Tone.SHUFFLE, message("shuffle-for-the-next-round"), load)
    if shoe.due:
        gone = message("cards-are-gone", gone=shoe.gone, cards=shoe.pack.size)
        return _shuffling(both(gone, load), message("cut-reached"))
    return _shuffling(load, message("new-pack"))


def _shuffling(why: Message, detail: Message) -> Prompt:
    return Prompt(Tone.SHUFFLE, message("shuffle"), why, detail=detail)


def _close(state: State) -> Prompt:
    scanned = len(state.ledger.rest)
    if state.ledger.scans_pack:
        gone = message("pack-went-through", scanned=scanned, cards=state.shoe.pack.size)
        return Prompt(Tone.SHUFFLE, message("scan-the-pack"), gone)
    blind = state.setup.blind_counts
    expected = None if blind else message("cards-should-be-left", left=state.shoe.left)
    if state.ledger.scanning:
        gone = message("rest-went-through", scanned=scanned)
        why = gone if expected is None else both(gone, expected)
        return Prompt(Tone.SHUFFLE, message("scan-the-rest"), why)
    if state.setup.reconcile == "scan" and not state.run.blind:
        scan = touch(message("key-run-the-rest-through"))
        why = scan if expected is None else both(scan, expected)
        return Prompt(Tone.SHUFFLE, message("shoe-is-over"), why)
    count = message("count-the-rest")
    why = message("count-and-type-what-is-left") if expected is None else expected
    return Prompt(Tone.SHUFFLE, message("shoe-is-over"), why, detail=count)


def waits(state: State) -> Message:
    """The refusal of something that is not in turn: what the table waits for instead."""
    now = _prompt(state, step_prompt)
    if now.why is None:
        return message("not-now", next=now.headline)
    return message("not-now-because", next=now.headline, why=now.why)


def limits(state: State) -> Message:
    """The table's limits, for displays."""
    return message("table-limits", limits=state.options.limits, currency=state.setup.currency)
