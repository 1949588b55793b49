"""Hidden cards in every game: none is disclosed before its reveal, and none can be swapped."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given

from controller.rules.actions import Action
from controller.rules.cards import card
from controller.rules.engine.round import Round, Run, peeked
from controller.rules.game import Game
from controller.rules.script.felt import Felt
from controller.rules.script.steps import Answer, Deal, Misfit, Peek, Reveal
from controller.rules.sealed import Sealed
from tests.contracts.rounds import RandomPlayers, as_told, fits, leaks, play, random_wagers
from tests.contracts.test_games import ROUND_BOUND, every_game, random_round, seeds
from tests.support.forms import examples


@every_game
@examples(6, long=150)
@given(seed=seeds)
def test_no_word_of_a_hidden_card_before_it_is_turned_and_never_of_a_folded_one(
    plays: Game, seed: int
) -> None:
    """Code, label, name and serial number, in all that a run prints and refuses."""

    def listen(run: Run) -> None:
        assert leaks(run.felt, as_told(run)) == []

    plays, played = random_round(plays, seed, listen)
    value = Round(1, plays, played.wagers, played.answers)
    assert leaks(value.felt, as_told(value.run(), value)) == []
    for hand in value.felt.hands:
        if hand.ended is Action.FOLD:
            assert hand.down, "a folded card was turned"


@every_game
@examples(4, long=120)
@given(seed=seeds)
def test_nothing_that_is_seen_depends_on_a_hidden_card(plays: Game, seed: int) -> None:
    """The same round with other cards face down says word for word the same, until one turns."""
    plays, played = random_round(plays, seed)
    kinds = list(plays.pack.kinds())
    mixed = random.Random(seed)
    one, other = Run(plays, played.wagers), Run(plays, played.wagers)
    for answer in played.answers:
        if isinstance(one.step, Reveal):
            break
        swapped: Answer = answer
        if isinstance(answer, Sealed):
            swapped = Sealed(mixed.choice([*kinds, None]), "another")
        if isinstance(other.step, Peek) and peeked(other.step) not in (None, answer):
            # What a look at the card says is the one thing that the rules let out.
            break
        one.feed(answer)
        other.feed(swapped)
        assert as_told(one) == as_told(other)


@every_game
@examples(12, long=300)
@given(seed=seeds)
def test_the_card_that_was_sealed_is_the_one_that_is_turned(plays: Game, seed: int) -> None:
    def turn(run: Run) -> None:
        step = run.step
        if not isinstance(step, Reveal):
            return
        known = step.card.open()
        for kind in plays.pack.kinds():
            lawful = known in (None, kind) and not (step.refuse and step.refuse(kind))
            assert fits(step, kind) is lawful
            if known is not None and kind is not known:
                with pytest.raises(Misfit) as misfit:
                    run.feed(kind)
                assert leaks(run.felt, str(misfit.value)) == []

    plays, played = random_round(plays, seed, turn)
    run = Run(plays, played.wagers)
    for answer in played.answers:
        step = run.step
        turned = step.card.open() if isinstance(step, Reveal) else None
        run.feed(answer)
        assert turned in (None, answer)


@every_game
def test_a_card_that_could_not_be_read_can_turn_out_to_be_any(plays: Game) -> None:
    mixed = random.Random(11)
    wagers = random_wagers(plays, mixed, plays.seats.start)
    player = RandomPlayers(plays, mixed, unread=1)
    answers = play(plays, wagers, player, ROUND_BOUND).answers
    run = Run(plays, wagers)
    for at, answer in enumerate(answers):
        step = run.step
        if isinstance(step, Reveal):
            assert not step.card.known
            before = answers[:at]
            could_be = [k for k in plays.pack.kinds() if not (step.refuse and step.refuse(k))]
            assert len(could_be) > 1
            for kind in could_be:
                turned = Round(1, plays, wagers, [*before, kind])
                assert kind in next(h for h in hands_of(turned) if h.place == step.hand.place).cards
        run.feed(answer)
    dealt_down = any(isinstance(each, Sealed) for each in answers)
    assert dealt_down is plays.hides


def hands_of(value: Round) -> list[Any]:
    return [*value.felt.hands, value.felt.dealer]


@every_game
@examples(8, long=200)
@given(seed=seeds)
def test_a_game_that_hides_no_card_deals_none_face_down(plays: Game, seed: int) -> None:
    down: list[bool] = []
    random_round(plays, seed, lambda run: down.append(isinstance(run.step, Deal) and run.step.down))
    assert any(down) is plays.hides


@every_game
@examples(8, long=200)
@given(seed=seeds)
def test_a_look_at_the_hidden_card_binds_what_it_can_be(plays: Game, seed: int) -> None:
    """Whatever the dealer says of an unread card, the card that is turned bears it out."""
    said: list[Peek] = []

    def listen(run: Run) -> None:
        step = run.step
        if isinstance(step, Peek):
            said.append(step)
        if isinstance(step, Reveal) and said:
            peeked = said[-1]
            truth = {peeked.natural(k) for k in plays.pack.kinds() if fits(step, k)}
            assert len(truth) == 1

    random_round(plays, seed, listen)


def test_a_word_that_tells_a_hidden_card_would_be_noticed() -> None:
    felt = Felt([(1, 1_000)])
    felt.hands[0].lay_down(Sealed(card("As"), "SN42"))
    assert leaks(felt, "Ask(hand of seat 1)") == []
    for word in ("As", "A♠", "Ace of spades", "SN42"):
        assert leaks(felt, f"it is <{word}>.") == [word]
    felt.hands[0].cards.append(card("As"))
    assert leaks(felt, "As lies there, A♠") == []
