"""Tables of a sheet, made by asking a game's own deciding functions about every total.

Equal neighbours are folded into ranges. Nothing is written by hand: where a table cannot show all
that a function looks at, `Undecided` is raised instead.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

from controller.rules.actions import DEALER_SEAT, Action, Place
from controller.rules.cards import JOKER, Card, Pack
from controller.rules.hands import Scale
from controller.rules.messages import Message, Seat, Value, Words, message
from controller.rules.script.felt import Hand, Play, Result
from controller.rules.sheets.sheet import (
    KINDS,
    Grid,
    Kind,
    each_rank,
    label,
    must,
    play_text,
    result_text,
    text_of,
    two_cards,
)

T = TypeVar("T", bound=Hashable)
D = TypeVar("D", bound=Hashable)

#: How a player's total stands to the dealer's, in the order in which a table lists it.
_LESS, _EQUAL, _MORE = "less", "equal", "more"
_HOW: Final = (_LESS, _EQUAL, _MORE, "")
_DEALER: Final = Seat(DEALER_SEAT)
_STANDS: Final = {
    _LESS: message("sheet-less", dealer=_DEALER),
    _EQUAL: message("sheet-equal", dealer=_DEALER),
    _MORE: message("sheet-more", dealer=_DEALER),
}
_PLAY: Final = message("sheet-head-play")
_YOUR_TOTAL: Final = message("sheet-head-your-total")
_NO_WORDS: Final = Words()


def _dealer_has(words: Words) -> str:
    return text_of(message("sheet-head-dealer-has", dealer=_DEALER), words)


class Undecided(ValueError):
    """A rule that looks at more than a table shows: the table would not be the rule."""


def _only(cells: dict[T, str], key: T, text: str) -> None:
    """Fill a cell. Raises `Undecided` where it holds another text already."""
    if cells.setdefault(key, text) != text:
        raise Undecided(f"{key}: {cells[key]!r} and {text!r}")


def _alike(keys: Iterable[T], content: Callable[[T], object]) -> list[list[T]]:
    """Keys of equal content together, in order of their first."""
    groups: dict[object, list[T]] = {}
    for key in keys:
        groups.setdefault(content(key), []).append(key)
    return list(groups.values())


def play_grid(
    players: Mapping[T, Kind],
    dealers: Mapping[D, Kind],
    plays: Callable[[T, D], Play[Any, Any]],
    best: int = 0,
) -> Grid:
    """What every player's total may do against every dealer's, as `plays` decides.

    Dealers against whom the player's total alone decides stand together, with ranges; so do those
    against whom it decides how the total stands to theirs, where `best` is a number for itself.
    Raises `Undecided` if `plays` looks at more than the table shows.
    """
    cells: dict[tuple[Kind, Kind], str] = {}
    for player, mine in players.items():
        for dealer, theirs in dealers.items():
            _only(cells, (mine, theirs), play_text(plays(player, dealer)))
    every, against = list(dict.fromkeys(players.values())), list(dict.fromkeys(dealers.values()))
    compared = _compared(cells, every, against, best)
    rows: list[tuple[str, ...]] = []
    columns = {each: tuple(cells[mine, each] for mine in every) for each in against}
    for group in _alike((each for each in against if each not in compared), columns.__getitem__):
        column = dict(zip(every, columns[group[0]], strict=True))
        for kinds in _alike(every, column.__getitem__):
            rows.append((label(group, against), label(kinds, every), column[kinds[0]]))
    for row in _comparisons(cells, every, compared, best):
        rows.append((label(compared, against), *row))
    head = (text_of(_YOUR_TOTAL), text_of(_PLAY))
    whatever = label(against, against)
    if all(row[0] == whatever for row in rows):
        return Grid(head, tuple(row[1:] for row in rows))
    return Grid((_dealer_has(_NO_WORDS), *head), tuple(rows))


def _standing(mine: Kind, theirs: Kind, best: int) -> tuple[str, str]:
    """How a total stands to the dealer's, and what kind of total it is; the best stands alone."""
    if mine[1] == best:
        return "", str(best)
    if mine[1] == theirs[1]:
        return _EQUAL, mine[0]
    return (_LESS if mine[1] < theirs[1] else _MORE), mine[0]


def _compared(
    cells: Mapping[tuple[Kind, Kind], str],
    players: Sequence[Kind],
    dealers: Sequence[Kind],
    best: int,
) -> list[Kind]:
    """The dealers, largest first, against whom it decides how a total stands to theirs."""
    known: dict[tuple[str, str], str] = {}
    found: list[Kind] = []
    for theirs in sorted(dealers, key=lambda each: -each[1]):
        here: dict[tuple[str, str], str] = {}
        try:
            for mine in players:
                _only(here, _standing(mine, theirs, best), cells[mine, theirs])
        except Undecided:
            continue
        if all(known.get(key, text) == text for key, text in here.items()):
            known |= here
            found.append(theirs)
    columns = {tuple(cells[mine, theirs] for mine in players) for theirs in found}
    return sorted(found, key=dealers.index) if len(columns) > 1 else []


def _comparisons(
    cells: Mapping[tuple[Kind, Kind], str],
    players: Sequence[Kind],
    dealers: Sequence[Kind],
    best: int,
) -> list[tuple[str, str]]:
    """Rows of how a total stands to the dealer's, and what it may do."""
    plays = {
        _standing(mine, theirs, best): cells[mine, theirs] for theirs in dealers for mine in players
    }
    order = sorted(plays, key=lambda each: (_HOW.index(each[0]), each[1]))
    rows = []
    for group in _alike(order, lambda each: plays[each]):
        parts: list[Value] = []
        for how in dict.fromkeys(how for how, _ in group):
            if not how and _STANDS[_MORE] in parts:
                continue
            kinds = [kind for each, kind in group if each == how]
            whole = not how or len(kinds) == sum(each == how for each, _ in plays)
            for kind in kinds[:1] if whole else kinds:
                parts.append(_stands(how, kind, whole=whole))
        rows.append((", ".join(map(text_of, parts)), plays[group[0]]))
    return rows


def _stands(how: str, kind: str, *, whole: bool) -> Value:
    if not how:
        return kind
    stands = _STANDS[how]
    return stands if whole else message("sheet-kind-stands", kind=KINDS[kind], how=stands)


def draw_grid(
    totals: Mapping[T, Kind],
    draws: Callable[[T], Play[Any, Any] | None],
    over: Callable[[T], bool],
    words: Words = _NO_WORDS,
) -> Grid:
    """The dealer's own play on every total that can come up, as `draws` decides."""
    stands, busts = must(Action.STAND), text_of(message("sheet-has-too-many"))
    cells: dict[Kind, str] = {}
    for total, kind in totals.items():
        play = draws(total)
        done = busts if over(total) else stands
        _only(cells, kind, done if play is None else play_text(play))
    every = list(totals.values())
    groups = _alike(dict.fromkeys(every), lambda kind: cells[kind])
    rows = tuple((label(group, every), cells[group[0]]) for group in groups)
    return Grid((_dealer_has(words), text_of(_PLAY)), rows)


def settle_grid(
    players: Mapping[T, int],
    dealers: Mapping[D, int],
    outcome: Callable[[T, D], Result],
    limit: int,
    words: Words = _NO_WORDS,
) -> Grid:
    """Who wins, from every total of a player who has not bust against every one of the dealer's."""
    order: dict[str, Message] = {how: _STANDS[how] for how in (_MORE, _EQUAL, _LESS)}
    order[""] = message("sheet-dealer-is-over", dealer=_DEALER, limit=limit)
    cells: dict[str, str] = {}
    for player, mine in players.items():
        for total, theirs in dealers.items():
            how = _LESS if mine < theirs else _EQUAL if mine == theirs else _MORE
            _only(cells, "" if theirs > limit else how, result_text(outcome(player, total)))
    rows = ((text_of(name, words), cells[how]) for how, name in order.items() if how in cells)
    return Grid((text_of(_YOUR_TOTAL), text_of(message("sheet-head-your-wager"))), tuple(rows))


def value_grid(pack: Pack, value: Callable[[Card], str]) -> Grid:
    """What each rank counts, as `value` says of a card; ranks that count alike stand together."""
    number = text_of(message("sheet-number-of-the-card"))

    def counted(card: Card) -> str:
        numbered = card.rank_name == str(int(card.rank)) == value(card)
        return number if numbered else value(card)

    rows = []
    for group in _alike(each_rank(pack), counted):
        whole = len(group) > 2 and int(group[-1].rank) - int(group[0].rank) == len(group) - 1
        text = (
            text_of(message("sheet-ranks", first=group[0], last=group[-1]))
            if whole
            else ", ".join(text_of(message("sheet-rank", card=card)) for card in group)
        )
        rows.append((text, counted(group[0])))
    head = (text_of(message("sheet-head-card")), text_of(message("sheet-head-counts")))
    return Grid(head, tuple(rows))


def scale_grid(pack: Pack, scale: Scale, joker: str = "") -> Grid:
    """What each rank counts on a scale of hard and soft; `joker` where the Joker is not on it."""

    def value(card: Card) -> str:
        counted = scale.total((card,))
        if card is JOKER and joker:
            return joker
        if not counted.soft:
            return str(counted.points)
        low = counted.points - scale.ace_gain
        return text_of(message("sheet-ace-counts", high=counted.points, low=low, limit=scale.limit))

    return value_grid(pack, value)


def laid(cards: Iterable[Card], *, split: bool = False) -> Hand:
    """A hand of these cards, face up, for functions that ask for a hand."""
    hand = Hand(Place(1), None)
    hand.cards.extend(cards)
    hand.split = split
    return hand


def sorts(pack: Pack, sort: Callable[[tuple[Card, ...]], T]) -> dict[T, list[tuple[Card, ...]]]:
    """Every hand of two cards by its sort."""
    found: dict[T, list[tuple[Card, ...]]] = {}
    for cards in two_cards(pack):
        found.setdefault(sort(cards), []).append(cards)
    return found


def hand_names(hands: Sequence[Sequence[Card]], pack: Pack) -> str:
    """Hands of two cards in words: `two Jokers`, `Ace and King`, `Joker and any other card`."""
    others = len(each_rank(pack)) - 1
    common = set(hands[0]).intersection(*hands)
    if len(hands) == others > 1 and common:
        return text_of(message("sheet-and-any-other", card=common.pop()))
    return "; ".join(
        text_of(
            message("sheet-two-of-a-rank", card=one)
            if one is two
            else message("sheet-two-ranks", one=one, two=two)
        )
        for one, two in hands
    )


def first_grid(names: Mapping[T, str], outcome: Callable[[T, T], Result | None]) -> Grid:
    """What each sort of first hands settles at once against each, as `outcome` decides."""
    rows = []
    played = text_of(message("sheet-is-played"))
    for mine, name in names.items():
        results = [outcome(mine, theirs) for theirs in names]
        rows.append((name, *(result_text(each) if each else played for each in results)))
    heads = (
        text_of(message("sheet-head-dealers-first", dealer=_DEALER, hand=each))
        for each in names.values()
    )
    return Grid((text_of(message("sheet-head-first-two")), *heads), (*rows,))


def joined(grids: Mapping[str, Grid], head: str) -> Grid:
    """Tables of one form as one, the name of each before its rows; equal ones stand together."""
    rows: list[tuple[str, ...]] = []
    for names in _alike(grids, lambda name: grids[name].rows):
        rows += [("; ".join(names), *row) for row in grids[names[0]].rows]
    return Grid((head, *next(iter(grids.values())).head), tuple(rows))
