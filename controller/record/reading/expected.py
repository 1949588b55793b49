"""A table's rounds held against what they were worth: by day, rules and dealer, and one test.

Results follow from the record: closed days from their files, today's as rounds end. A round counts
once, under the gaming day in which it began, as it stood when it could no longer be corrected or
the day was closed; void rounds, and seats whose wagers are not tracked, do not count.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from controller.odds.live.files import NoExpectations, delivered, edge_of, read_expectations
from controller.odds.live.held import HeldRound, Holder
from controller.odds.live.leak_watch import ALARM, TABLE, LeakWatch
from controller.record.files.span import Span
from controller.record.reading.rounds import scan
from controller.rules.engine.round import Run
from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game
from controller.rules.games.edges import changes
from controller.rules.games.registry import GAMES
from controller.rules.options import OptionError
from controller.rules.script.steps import Misfit
from controller.table.recorded.round import RecordedOptions, RecordedRound

#: Closed days that are looked back on: what was begun before them is the sheets' matter.
DAYS_BACK: Final = 62
#: The form of the file of closed days' figures.
FORM: Final = 1


class ResultKey(NamedTuple):
    """What a line of figures is about: `dealer` is a person's id, empty where nobody is known."""

    day: str
    rules: str
    options: str
    dealer: str


@frozen
class ResultLine:
    """Results of rounds, in minor units; the players' side, so that a house's win is below zero.

    `expected` is what the players' net is on average, `cost` what their decisions took off it.
    `unknown` decisions have no figure. `not_held` rounds have no expectation: options that were
    not computed, or another revision of the rules.
    """

    rounds: int = 0
    hands: int = 0
    wagered: int = 0
    net: int = 0
    expected: float = 0.0
    cost: float = 0.0
    unknown: int = 0
    not_held: int = 0

    def after(self, held: HeldRound | None) -> ResultLine:
        """After one more round; None: it has no expectation."""
        if held is None:
            return replace(self, not_held=self.not_held + 1)
        return ResultLine(
            self.rounds + 1, self.hands + held.hands, self.wagered + held.wagered,
            self.net + held.net, self.expected + held.expected, self.cost + held.cost,
            self.unknown + held.unknown, self.not_held,
        )  # fmt: skip


@frozen
class Warned:
    """The test's early warning: after which round, and whose rounds said most (empty: all).

    `for_players`: they win more than luck gives them; else the house does.
    """

    day: str
    round: int
    dealer: str
    for_players: bool


@frozen
class Results:
    """Lines by what they are about, the test after all of them, and its warnings."""

    lines: Mapping[ResultKey, ResultLine] = field(default_factory=dict)
    test: LeakWatch = field(default_factory=LeakWatch)
    warnings: tuple[Warned, ...] = ()

    def after(self, played: RecordedRound, dealer: str, held: HeldRound | None) -> Results:
        """After one more round. Once it has warned, the test begins anew."""
        usual = GAMES.get(played.game)
        kind = ResultKey(played.day, played.rules, _changes(usual, played), dealer)
        lines = {**self.lines, kind: self.lines.get(kind, ResultLine()).after(held)}
        if held is None:
            return replace(self, lines=lines)
        test = self.test.after(held, dealer)
        if test.level < ALARM:
            return replace(self, lines=lines, test=test)
        about = "" if test.about == TABLE else test.about
        warned = Warned(played.day, played.number, about, test.for_players)
        return Results(lines, LeakWatch(), (*self.warnings, warned))

    def as_data(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "lines": [{**kind._asdict(), **asdict(line)} for kind, line in self.lines.items()],
            "test": self.test.as_data(),
            "warnings": [asdict(each) for each in self.warnings],
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Results:
        """The same back. Raises `LookupError`, `TypeError`, `ValueError`."""
        lines = {}
        for each in data["lines"]:
            kind = ResultKey(*(each[name] for name in ResultKey._fields))
            lines[kind] = ResultLine(
                **{k: v for k, v in each.items() if k not in ResultKey._fields}
            )
        warnings = tuple(Warned(**each) for each in data["warnings"])
        return cls(lines, LeakWatch.from_data(data["test"]), warnings)


def _changes(usual: Game | None, played: RecordedRound) -> str:
    if usual is None:
        return ""
    try:
        return changes(usual.with_options(dict(played.options)).options, usual.options)
    except OptionError:
        return ""


class Holders:
    """Who holds a round against its expectation, by rules and options.

    `more` is a folder of expectations of options that are not the default ones.
    """

    def __init__(self, more: Path) -> None:
        self._more = more
        self._found: dict[object, Holder | None] = {}

    def held(self, played: RecordedRound) -> HeldRound | None:
        """The round against its expectation; None where there is none, or no wager is known."""
        holder = self.holder(played.game, played.rules, played.options)
        if holder is None:
            return None
        run = Run(holder.game, played.wagers)
        try:
            for step in played.steps:
                run.feed(step.answer)
        except Misfit:
            return None  # `tablectl verify` says so of a record
        return holder.held(run, played.wagers, played.net)

    def holder(self, game: str, rules: str, options: RecordedOptions) -> Holder | None:
        """Who holds rounds of `game` by these rules (`blackjack/2`) and options; None: nobody."""
        key = (rules, options)
        if self._found.get(key) is None:
            self._found[key] = self._made(game, rules, options)
        return self._found[key]

    def _made(self, game: str, rules: str, options: RecordedOptions) -> Holder | None:
        usual = GAMES.get(game)
        if usual is None or usual.identity != rules:
            return None
        try:
            plays = usual.with_options(dict(options))
            path = delivered(plays) or computed_path(self._more, plays, usual)
            found = read_expectations(path)
        except (OptionError, NoExpectations):
            return None
        if (found.identity, found.changes) != (rules, changes(plays.options, usual.options)):
            return None
        return Holder(found, plays)


def beside(folder: Path) -> Path:
    """Where expectations and figures of closed days are kept: beside the record's folder.

    They follow from the record and the rules, so that they may be deleted at any time.
    """
    return folder.with_name(f"{folder.name}.odds")


def computed_path(folder: Path, plays: Game, usual: Game) -> Path:
    """The file for options that are not the default ones."""
    least, most = plays.options.wager_bounds
    name = "".join(
        each if each.isalnum() else "-"
        for each in f"{changes(plays.options, usual.options)} {least} {most}".lstrip()
    )
    return folder / f"{plays.name}-{plays.revision}-{name}.json"


def known_edge(folder: Path, plays: Game) -> Edge | None:
    """The house's edge, checked or else computed for this table; None: it is not known."""
    known = plays.edge(plays.options)
    if plays.vying or (known is not None and known.exact):
        return known
    try:
        return edge_of(read_expectations(computed_path(beside(folder), plays, GAMES[plays.name])))
    except NoExpectations:
        return known


def played_in(folder: Path, day: str) -> Iterator[tuple[RecordedRound, str]]:
    """The rounds that began in a gaming day and are over, each with who dealt it.

    As they stand where the day's file ends by now. Raises `JournalError`.
    """
    dealers: dict[int, str] = {}
    rounds: dict[int, RecordedRound] = {}
    past: object = None
    for _, _, state in scan(Span(folder, day, day)):
        if state.rounds.past is past:
            continue
        past = state.rounds.past
        for each in state.rounds.past:
            if each.day == day:
                rounds[each.number] = each
                dealers.setdefault(each.number, str(state.people.dealer or ""))
    for number, each in rounds.items():
        if not each.void and not each.dummy:
            yield each, dealers[number]


def results_of(folder: Path, before: int = 0) -> Results:
    """The figures of the record's newest days; those of closed days are kept beside it.

    Of rounds `before` that number (0: of all). Raises `JournalError`.
    """
    holders = Holders(beside(folder))
    figures_file = beside(folder) / "closed-days.json"
    days = Span(folder).days
    found, known = _kept_figures(figures_file, [each.label for each in days[-DAYS_BACK:]])
    for each in days[-DAYS_BACK:]:
        if each.label in known:
            continue
        for played, dealer in played_in(folder, each.label):
            if not before or played.number < before:
                found = found.after(played, dealer, holders.held(played))
        if each is not days[-1]:
            known.append(each.label)
            _keep(figures_file, found, known)
    return found


def _kept_figures(path: Path, days: list[str]) -> tuple[Results, list[str]]:
    """What is kept of closed days, if the days there are go on from it."""
    try:
        data = json.loads(path.read_bytes())
        known = list(map(str, data["days"]))
        if data["form"] != FORM or not set(known[-1:]) <= set(days[:-1]):
            return Results(), []
        found = Results.from_data(data["figures"])
    except (OSError, ValueError, LookupError, TypeError):
        return Results(), []  # they are made again
    before = days.index(known[-1]) if known else -1
    lines = {kind: line for kind, line in found.lines.items() if kind.day in days}
    return replace(found, lines=lines), days[: before + 1]


def _keep(path: Path, found: Results, days: list[str]) -> None:
    made = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o750, exist_ok=True)
        data = {"form": FORM, "days": days, "figures": found.as_data()}
        made.write_text(json.dumps(data), encoding="utf-8")
        made.replace(path)
    except OSError:
        made.unlink(missing_ok=True)  # they are made again
