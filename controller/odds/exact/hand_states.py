"""What the tables say of a hand state against any dealer: where it draws, is split, or ends."""

from __future__ import annotations

from collections import defaultdict

from controller.odds.tables.game_tables import End, Ending, SplitHand, Tables, TakeCard


def targets(tables: Tables) -> dict[int, set[int]]:
    """For each hand state the states in which it may draw, against any dealer."""
    found: dict[int, set[int]] = defaultdict(set)
    for nodes in tables.nodes.values():
        for state, node in nodes.items():
            for then in node.then.values():
                if isinstance(then, TakeCard):
                    found[state].add(then.state)
    return found


def splits(tables: Tables) -> dict[int, set[int]]:
    """For each first hand state that may be split, the state of the hands it becomes."""
    found: dict[int, set[int]] = defaultdict(set)
    for nodes in tables.nodes.values():
        for state, node in nodes.items():
            for then in node.then.values():
                if isinstance(then, SplitHand):
                    found[state].add(then.state)
    return found


def sinks(tables: Tables) -> dict[int, int]:
    """Hand states that end at once, alike against every dealer and whatever their suits: the
    ending of each.
    """
    found: dict[int, int] = {}
    other: set[int] = set()
    for shown, nodes in tables.nodes.items():
        for state, node in nodes.items():
            then = node.then.get(None)
            if (
                not isinstance(then, End)
                or then.final not in tables.fixed[shown]
                or found.setdefault(state, then.final) != then.final
            ):
                other.add(state)
    by_final: dict[int, set[Ending]] = defaultdict(set)
    for fixed in tables.fixed.values():
        for final, ending in fixed.items():
            by_final[final].add(ending)
    return {
        state: final
        for state, final in found.items()
        if state not in other
        and len(by_final[final]) == 1
        and final not in tables.ends
        and all(len(ending) == 1 for ending in by_final[final])
    }


def without_effect(tables: Tables) -> frozenset[int]:
    """Letters that change no hand and no dealer in play: whoever draws one simply draws again.

    The order of the other cards does not depend on where these lie, so that they are left out.
    """
    found = set(range(len(tables.counts)))
    for nodes in tables.nodes.values():
        for node in nodes.values():
            for then in node.then.values():
                if isinstance(then, TakeCard):
                    found = {at for at in found if tables.after[then.state][at] == then.state}
                elif isinstance(then, SplitHand):
                    return frozenset()
    drawing = [state for state, draws in enumerate(tables.draws) if draws]
    return frozenset(
        at
        for at in found
        if not tables.hidden and all(tables.dealer_after[state][at] == state for state in drawing)
    )
