"""A strategy by totals as a CSV file: written out, edited, and read again to be judged.

One line for each place on the strategy card, the columns in any order:

- `game`: name and revision of the rules, as `blackjack/2`.
- `dealer`: what the dealer shows, as reports have it; of cards that count alike, one stands there.
- `player`: the hand's total as reports have it; of a side bet, what is asked.
- `pair`: `yes` for two cards that may be split, or could be, were they not of a split hand.
- `open`: the actions that are allowed, in any order. Hands of a split pair have lines of their own
  where other actions are open to them: with `split` among them the line says whether the pair is
  split again, without it how it is played once it may not be.
- `action`: the one that is taken.
- `chance` and `costs`, which are not read: how often the line comes up in a round, and what each
  other action costs in first wagers, on average over the hands with which a player of this strategy
  meets it. A chance of 0: he never does, and the hands weigh as in a full shoe.

Hands that the rules force may be left out, or have a line with the one action that is open: `hit`,
or `stand` where they are complete. No other line may be missing.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from controller.odds.charts.chart import Cell, Chart, Charter
from controller.odds.charts.followed import Followed
from controller.odds.charts.words import dealer_text
from controller.odds.tables.game_tables import Tables, TakeCard
from controller.rules.actions import Action
from controller.rules.frozen import frozen
from controller.rules.game import Game

NEEDED: Final = ("game", "dealer", "player", "pair", "open", "action")
NOT_READ: Final = ("chance", "costs")
FORCED: Final = "this hand is forced: "
#: No strategy is nearly as large.
MOST_BYTES: Final = 5_000_000


class BadChart(ValueError):
    """A file that is no strategy of this game; the message says where and what is allowed."""


class Line(NamedTuple):
    """A line of the file as it stands there, with its number."""

    number: int
    game: str
    dealer: str
    player: str
    pair: str
    open: str
    action: str


class CardPlace(NamedTuple):
    """What a line is about, as the file writes it."""

    dealer: str
    player: str
    pair: bool
    options: frozenset[Action]

    def __str__(self) -> str:
        pair = " (pair)" if self.pair else ""
        options = " ".join(sorted(each.value for each in self.options))
        return f"dealer {self.dealer!r}, player {self.player!r}{pair}, open {options!r}"


def _key(cell: Cell) -> CardPlace:
    return CardPlace(dealer_text(cell.dealer), cell.player, cell.pair, frozenset(cell.options))


# -- writing --


def chart_text(game: Game, followed: Followed) -> str:
    """The strategy as CSV, with what each other action costs."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow((*NEEDED, *NOT_READ))
    for cell, action in followed.chart.items():
        costs = " ".join(
            f"{each.value} {cost:.9f}"
            for each, cost in followed.costs(cell).items()
            if each is not action
        )
        writer.writerow(
            (
                game.identity, dealer_text(cell.dealer), cell.player, "yes" if cell.pair else "",
                " ".join(each.value for each in cell.options), action.value,
                f"{followed.chances.get(cell, 0.0):.12g}", costs,
            )
        )  # fmt: skip
    return out.getvalue()


# -- reading --


@frozen
class ChartFile:
    """A strategy file that was read, and is yet to be held against a game. `value` is its name."""

    value: str
    lines: tuple[Line, ...]

    def chart(self, game: Game, tables: Tables) -> Chart:
        """The strategy for a game with its options. Raises `BadChart`."""
        asked: dict[CardPlace, list[Cell]] = {}
        for each in Charter(tables).plays():
            cells = asked.setdefault(_key(each.cell), [])
            if each.cell not in cells:
                cells.append(each.cell)
        forced = _forced(game, tables)
        found: dict[CardPlace, tuple[int, Action]] = {}
        for line in self.lines:
            key, action = self._line(line, game, asked, forced)
            if key in found:
                raise self._bad(line.number, f"{key} stands in line {found[key][0]} already")
            found[key] = (line.number, action)
        missing = [key for key in asked if key not in found and len(key.options) > 1]
        if missing:
            more = f", nor for {len(missing) - 1} more" if len(missing) > 1 else ""
            raise self._bad(self.lines[-1].number, f"after it no line for {missing[0]}{more}")
        return {
            cell: found[key][1] if key in found else cell.options[0]
            for key, cells in asked.items()
            for cell in cells
        }

    def _line(
        self,
        line: Line,
        game: Game,
        asked: Mapping[CardPlace, object],
        forced: Mapping[tuple[str, str], Action],
    ) -> tuple[CardPlace, Action]:
        if line.game != game.identity:
            raise self._bad(
                line.number, f"game {line.game[:40]!r}: the rules are {game.identity!r}"
            )
        if line.pair not in ("", "yes"):
            raise self._bad(line.number, f"pair {line.pair[:40]!r}: it is 'yes' or empty")
        options = [self._action(line.number, "open", word) for word in line.open.split()]
        key = CardPlace(line.dealer, line.player, line.pair == "yes", frozenset(options))
        if len(options) != len(key.options):
            raise self._bad(line.number, f"open {line.open[:80]!r}: an action stands there twice")
        action = self._action(line.number, "action", line.action)
        if key not in asked:
            only = forced.get((key.dealer, key.player))
            if only is None:
                raise self._bad(line.number, f"no hand with {key}: {_nearest(key, list(asked))}")
            key = key._replace(options=frozenset((only,)))
            if len(options) > 1:
                raise self._bad(line.number, f"open {line.open!r}: {FORCED}{only.value}")
        if action not in key.options:
            allowed = " ".join(sorted(each.value for each in key.options))
            what = FORCED if len(key.options) == 1 else "allowed are: "
            raise self._bad(line.number, f"action {action.value!r}: {what}{allowed}")
        return key, action

    def _action(self, number: int, column: str, word: str) -> Action:
        try:
            return Action(word)
        except ValueError:
            known = ", ".join(each.value for each in Action)
            raise self._bad(number, f"{column} {word[:40]!r}: actions are {known}") from None

    def _bad(self, number: int, why: str) -> BadChart:
        return BadChart(f"{self.value}, line {number}: {why}")


def _forced(game: Game, tables: Tables) -> dict[tuple[str, str], Action]:
    """What the rules do with hands that are never asked, by dealer and player."""
    found: dict[tuple[str, str], Action] = {}
    asked: set[tuple[str, str]] = set()
    for nodes in tables.nodes.values():
        dealer = next((str(node.play.dealer) for node in nodes.values() if node.play), "")
        for state, node in nodes.items():
            hand = dealer_text(dealer), str(game.total(tables.cards[state]))
            if node.play is not None:
                asked.add((hand[0], str(node.play.total)))
            else:
                draws = isinstance(node.then[None], TakeCard)
                found[hand] = Action.HIT if draws else Action.STAND
    return {hand: action for hand, action in found.items() if hand not in asked}


def _nearest(key: CardPlace, asked: Sequence[CardPlace]) -> str:
    """What is asked in place of `key`."""
    for alike, what in (
        (lambda each: (each.dealer, each.player, each.pair), "open is"),
        (lambda each: (each.dealer, each.player), "pair and open are"),
    ):
        near = [each for each in asked if alike(each) == alike(key)]
        if near:
            ways = (
                ("(pair) " if each.pair and each.pair != key.pair else "")
                + repr(" ".join(sorted(option.value for option in each.options)))
                for each in near
            )
            return f"{what} {' or '.join(dict.fromkeys(ways))}"
    dealers = dict.fromkeys(each.dealer for each in asked)
    if key.dealer not in dealers:
        return f"the dealer shows {', '.join(map(repr, dealers))}"
    players = dict.fromkeys(each.player for each in asked if each.dealer == key.dealer)
    return f"against this dealer players have {', '.join(map(repr, players))}"


def read_chart(path: Path) -> ChartFile:
    """Read a strategy file. Raises `BadChart`."""
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise BadChart(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > MOST_BYTES:
        raise BadChart(f"{path}: more than {MOST_BYTES:,} bytes are no strategy")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise BadChart(
            f"{path}, line {number}: not UTF-8; save the file as CSV in UTF-8"
        ) from error
    return ChartFile(str(path), tuple(_lines(str(path), text)))


def _lines(name: str, text: str) -> Iterator[Line]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns: list[str] = []
    held = 0
    try:
        for read in reader:
            number = reader.line_num
            row = [each.strip() for each in read]
            if not any(row):
                continue
            if not columns:
                columns = _columns(name, number, row)
                continue
            if len(row) != len(columns):
                raise BadChart(f"{name}, line {number}: {len(row)} fields, not {len(columns)}")
            fields = dict(zip(columns, row, strict=True))
            held += 1
            yield Line(number, *(fields[each] for each in NEEDED))
    except csv.Error as error:
        raise BadChart(f"{name}, line {reader.line_num}: no CSV ({error})") from error
    if not held:
        raise BadChart(
            f"{name}, line {reader.line_num + 1}: the file ends without a strategy; "
            "`tablectl odds GAME --csv` writes one"
        )


def _columns(name: str, number: int, row: list[str]) -> list[str]:
    allowed = f"the columns are {', '.join(NEEDED)} (and {', '.join(NOT_READ)}), commas between"
    for each in row:
        if each not in (*NEEDED, *NOT_READ):
            raise BadChart(f"{name}, line {number}: unknown column {each[:40]!r}; {allowed}")
        if row.count(each) > 1:
            raise BadChart(f"{name}, line {number}: column {each!r} stands there twice; {allowed}")
    for each in NEEDED:
        if each not in row:
            raise BadChart(f"{name}, line {number}: no column {each!r}; {allowed}")
    return row
