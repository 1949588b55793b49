"""A round step by step, as it was recorded: what happened, why, and the felt as it was."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Final

from controller.devices.felt_view import HandView
from controller.devices.scene import Light
from controller.rules.actions import SIDE_BET, Action, Bid, Outcome, Place
from controller.rules.cards import IndexStyle
from controller.rules.frozen import frozen
from controller.rules.games.registry import game as game_called
from controller.rules.messages import Amount, Message, Words, message
from controller.rules.options import Plain
from controller.rules.script.steps import DECLINED, DONE
from controller.table.queries.wagers import move_message, pays_value, wager_value
from controller.table.recorded.card_pictures import Pictured, Pictures
from controller.table.recorded.hands import RecordedFelt
from controller.table.recorded.log_entry import Mark
from controller.table.recorded.round import RecordedRound
from controller.table.recorded.steps import RecordedStep, StepKind, felt_after, first_felt
from controller.table.roles import NOBODY_NAMED, PersonId
from controller.table.state.state import State
from controller.table.views.english import say, show
from controller.table.views.logbook import Badge, LogLine, badges, line
from controller.table.views.parts.hands import Turn, hand_views, one_hand_view


@frozen
class ReplayStep:
    """One thing that happened in a round, at `at_ms`, and the hands after it.

    `seat` and `hand` say whom it was about (seat 0: the dealer). `said` is a player's action, or
    `done` and `declined` where a further wager was asked for, empty for cards and chips; `amount`
    is that of a bet or a raise, in minor units. `picture` names what the camera saw of the card
    that was dealt or turned, empty where there is none or where the card has not been seen.
    `took_ms` is the time since the step before it, or since the round began.
    """

    at_ms: int
    seat: int
    hand: int
    said: str
    amount: int | None
    text: str
    why: str
    hands: tuple[HandView, ...]
    dealer: HandView
    picture: str = ""
    took_ms: int = 0


@frozen
class Replay:
    """A round from its first card to its last chip, and the house options it was played under.

    `rules` are the game and its revision, as on record: `finnish-27/1`.
    `void`: every bet went back. `dummy`: it was played without bets. `log` is what happened in it
    beside its steps and later about it, the oldest first; `badges` counts what it is about.
    `ended_ms` is 0 while it is in play.
    """

    number: int
    game: str
    options: dict[str, Plain]
    steps: tuple[ReplayStep, ...]
    void: bool = False
    dummy: bool = False
    started_ms: int = 0
    ended_ms: int = 0
    log: tuple[LogLine, ...] = ()
    badges: tuple[Badge, ...] = ()
    rules: str = ""


def shown_pictures(state: State) -> frozenset[str]:
    """The names of the pictures that may be shown now."""
    dealt = (each.name for each in state.rounds.pictures if each.shown)
    held = (each.picture for each in state.holds)
    logged = (each.picture for played in known_rounds(state) for each in played.log)
    return frozenset(name for name in (*dealt, *held, *logged) if name)


def known_rounds(state: State) -> tuple[RecordedRound, ...]:
    """The rounds that can be recalled, the oldest first, the one in play included."""
    return state.rounds.past if state.in_play is None else (*state.rounds.past, state.in_play)


def find_round(state: State, number: int) -> RecordedRound | None:
    """The round of that number, if it can still be recalled; the one in play included."""
    return next((each for each in known_rounds(state) if each.number == number), None)


def replay(
    past: RecordedRound,
    pictures: Pictures = (),
    names: Mapping[PersonId, str] = NOBODY_NAMED,
    index: IndexStyle = IndexStyle.FINNISH,
) -> Replay:
    """The round from its record, each dealt or turned card with its picture; people by `names`.

    Cards are named in the style `index`.
    """
    shown = _ShownPictures(past.number, pictures)
    game = game_called(past.game)
    words = game.words._replace(index_style=index)
    felt = first_felt(past.wagers, past.opening)
    steps: list[ReplayStep] = []
    before_ms = past.started_ms
    for step, following in zip_longest(past.steps, past.steps[1:]):
        felt = felt_after(felt, step)
        turn = turn_before(following) if following else None
        text, why = step_text(words, step, felt)
        steps.append(
            ReplayStep(
                step.at_ms, step.seat, step.hand, *_said(step), text, why,
                hand_views(felt, turn, index), one_hand_view(felt.dealer, turn, index),
                shown.at(step), step.at_ms - before_ms,
            )
        )  # fmt: skip
        before_ms = step.at_ms
    return Replay(
        past.number, game.title, dict(past.options), tuple(steps), past.void, past.dummy,
        past.started_ms, past.ended_ms, tuple(line(each, words, names) for each in past.log),
        round_badges(past, pictures), past.rules,
    )  # fmt: skip


def round_badges(past: RecordedRound, pictures: Pictures = ()) -> tuple[Badge, ...]:
    """What a round is to be noticed for, pictures of its cards included."""
    pictured = sum(
        bool(each.name) and each.shown and each.round == past.number for each in pictures
    )
    found = {each.mark: each.count for each in badges(past.log)}
    if pictured:
        found[Mark.PICTURE.value] = found.get(Mark.PICTURE.value, 0) + pictured
    if not found:
        return ()
    return tuple(Badge(each.value, found[each.value]) for each in Mark if each.value in found)


class _ShownPictures:
    """The pictures of a round's cards, hand by hand, in the order of the deal."""

    def __init__(self, number: int, pictures: Pictures) -> None:
        self._dealt: defaultdict[tuple[int, int], deque[Pictured]] = defaultdict(deque)
        self._down: defaultdict[tuple[int, int], deque[Pictured]] = defaultdict(deque)
        for each in pictures:
            if each.round == number:
                self._dealt[each.seat, each.hand].append(each)

    def at(self, step: RecordedStep) -> str:
        """The name of what may be shown of the card of that step; empty without one."""
        place = (step.seat, step.hand)
        if step.kind is StepKind.DEAL:
            waiting = self._dealt[place]
        elif step.kind is StepKind.TURN:
            waiting = self._down[place]  # turned in the order in which they were dealt
        else:
            return ""
        if not waiting:
            return ""
        picture = waiting.popleft()  # also one that is not shown: the next is of the next card
        if step.card is None:
            self._down[place].append(picture)
        return picture.name if picture.shown else ""


def turn_before(step: RecordedStep) -> Turn:
    """Whose turn it was until that step, by what happened then."""
    place = Place(step.seat, step.hand)
    if step.kind in (StepKind.DECIDE, StepKind.WAGER):
        return Turn(place, Light.CHOOSE)
    if step.kind is StepKind.SETTLE:
        return Turn(place, None)
    return Turn(place, Light.FORCED if step.forced else Light.CARD)


def _said(step: RecordedStep) -> tuple[str, int | None]:
    """What a player said, and the amount of a bet or a raise."""
    if step.kind is StepKind.DECIDE and step.action is not None:
        return step.action.value, step.amount
    if step.kind is StepKind.WAGER:
        return (DONE if step.confirmed else DECLINED).value, None
    return "", None


def step_text(words: Words, step: RecordedStep, felt: RecordedFelt) -> tuple[str, str]:
    """What happened and why, in words; `felt` is the one after it."""
    happened = _EVENTS[step.kind](Place(step.seat, step.hand), step, felt)
    why = step.why
    if step.kind is StepKind.WAGER and step.action is not None:
        why = message("replay-for", action=step.action)
    return say(happened, words), "" if why is None else show(why, words)


def _dealt(who: Place, step: RecordedStep, felt: RecordedFelt) -> Message:
    if step.card is None:
        return message("replay-dealt-down", hand=who)
    return message("replay-dealt", hand=who, card=step.card)


def _turned(who: Place, step: RecordedStep, felt: RecordedFelt) -> Message:
    assert step.card is not None
    return message("replay-turned", hand=who, card=step.card)


def _peeked(who: Place, step: RecordedStep, felt: RecordedFelt) -> Message:
    if step.natural:
        return message("replay-blackjack", hand=who)
    return message("replay-no-blackjack", hand=who)


def _decided(who: Place, step: RecordedStep, felt: RecordedFelt) -> Message:
    move = step.answer
    assert isinstance(move, Action | Bid)
    return message("replay-decided", hand=who, move=move_message(move))


def _further_wager(who: Place, step: RecordedStep, felt: RecordedFelt) -> Message:
    if not step.confirmed:
        return message("replay-no-further-bet", hand=who)
    rest = message("as-much-again") if step.hand != SIDE_BET else message("half-the-bet")
    more = rest if step.amount is None else Amount(step.amount)
    return message("replay-further-bet", hand=who, amount=more)


def _settled(who: Place, step: RecordedStep, felt: RecordedFelt) -> Message:
    hand = felt.at(step.seat, step.hand)
    assert hand is not None
    assert hand.result is not None, "a hand is settled by its result"
    outcome = hand.result.outcome
    if hand.wager == 0:
        return message("replay-no-chips", hand=who)
    if outcome is Outcome.WIN:
        return message("replay-paid", hand=who, amount=pays_value(hand))
    wager = wager_value(hand)
    if outcome is Outcome.LOSE:
        return message("replay-taken", hand=who, amount=wager)
    if outcome is Outcome.SURRENDER:
        return message("replay-halved", hand=who, amount=wager)
    return message("replay-stays", hand=who, amount=wager)


_EVENTS: Final[dict[StepKind, Callable[[Place, RecordedStep, RecordedFelt], Message]]] = {
    StepKind.DEAL: _dealt,
    StepKind.TURN: _turned,
    StepKind.PEEK: _peeked,
    StepKind.DECIDE: _decided,
    StepKind.WAGER: _further_wager,
    StepKind.SETTLE: _settled,
}
