"""The report of a training as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.training.follow import RECORD
from controller.training.judged import JudgedTrouble
from controller.training.mistakes import Mistake
from controller.training.report import TrainingReport

#: So many kinds of prompts are printed, the slowest first.
_MOST_PROMPTS: Final = 12


def as_text(found: TrainingReport, folder: Path) -> Iterator[str]:
    """The lines; `folder` is that of the training, for the commands that show a replay."""
    about = f"{found.seats} seats, seed {found.seed}, trouble: {found.trouble}"
    yield f"Training: {found.title}, {about}"
    yield f"  {pace_text(found)}"
    void = f", {found.void} void" if found.void else ""
    yield f"  {counted(found.rounds, 'round')} in {minutes_text(found.played_ms)}{void}"
    yield (
        f"  {counted(len(found.mistakes), 'mistake')}, {counted(found.early_cards, 'early card')},"
        f" {counted(sum(each.count for each in found.refused), 'refused press', 'es')}"
    )
    yield f"  {procedures_text(found)}"
    every = found.all_answers
    if every.count:
        yield (
            f"  {counted(every.count, 'answer')}: median {seconds_text(every.p50_ms)},"
            f" worst {seconds_text(every.worst_ms)} ({every.worst})"
        )
    if found.mistakes:
        yield ""
        yield "Mistakes:"
        for number, each in enumerate(found.mistakes, 1):
            yield from _mistake(number, each, folder)
    if found.troubles:
        yield ""
        yield "What the world did:"
        for trouble in found.troubles:
            yield from _trouble(trouble)
    if found.refused:
        yield ""
        yield "Presses refused:"
        for press in found.refused:
            yield f"  {press.count} x {press.press}, {press.code}: {press.text}"
    if found.answers:
        yield ""
        yield "Time to answer (median, worst):"
        for times in found.answers[:_MOST_PROMPTS]:
            yield (
                f"  {times.name:28} {seconds_text(times.p50_ms):>8}"
                f" {seconds_text(times.worst_ms):>8}  {counted(times.count, 'time')},"
                f" worst at record {times.worst_seq}"
            )


def pace_text(found: TrainingReport) -> str:
    """Rounds an hour against the target, in words."""
    if found.pace is None:
        return f"No round is over yet; the target is {found.target:g} rounds an hour"
    share = 100 * found.pace / found.target
    return f"{found.pace:g} rounds an hour, {share:.0f} % of the target of {found.target:g}"


def procedures_text(found: TrainingReport) -> str:
    """How many troubles were answered rightly, in words."""
    count = len(found.troubles)
    if not count:
        return "The world made no trouble"
    still = count - found.procedures_right - found.procedures_wrong
    more = f", {still} open" if still else ""
    return (
        f"Of {count} troubles {found.procedures_right} answered rightly,"
        f" {found.procedures_wrong} wrongly{more}"
    )


def counted(count: int, word: str, more: str = "s") -> str:
    """So many of something."""
    return f"{count} {word}{'' if count == 1 else more}"


def seconds_text(ms: int) -> str:
    """A span in seconds, to a tenth."""
    return f"{ms / 1000:.1f} s"


def minutes_text(ms: int) -> str:
    """A span in minutes and seconds."""
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes} min {seconds} s" if minutes else f"{seconds} s"


def place_text(round_: int, seq: int) -> str:
    """Where something is on record."""
    return f"round {round_}, record {seq}" if round_ else f"between rounds, record {seq}"


def replay_command(folder: Path, round_: int, seq: int) -> str:
    """The command that shows it again when the table is gone."""
    record = folder / RECORD
    if round_:
        return f"tablectl replay {record} --round {round_}"
    return f"tablectl logbook {record} --newest 20 --before {seq + 10}"


def _mistake(number: int, each: Mistake, folder: Path) -> Iterator[str]:
    mended = ", mended" if each.mended else ""
    about = f", trouble {each.trouble}" if each.trouble else ""
    yield f"  {number}. {each.kind}{mended}: {each.text}"
    where = place_text(each.round, each.seq)
    yield f"     {where}{about}: {replay_command(folder, each.round, each.seq)}"


def _trouble(each: JudgedTrouble) -> Iterator[str]:
    took = "" if each.took_ms is None else f", {seconds_text(each.took_ms)}"
    yield f"  {each.number}. {each.did} {each.verdict}{took} ({place_text(each.round, each.seq)})"
    if each.asked:
        yield f"     asked:    {each.asked}"
    for did in each.answered:
        yield f"     answered: {did}"
    if each.why:
        yield f"     right:    {each.why}"
