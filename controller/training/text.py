"""The report of a training as lines for a terminal, in the language that is spoken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.rules.messages import message
from controller.table.views.english import say, show
from controller.training.follow import RECORD
from controller.training.judged import JudgedTrouble
from controller.training.mistakes import Mistake
from controller.training.names import mistake_name, trouble_name, verdict_name
from controller.training.report import TrainingReport

#: This many kinds of prompts are printed, the slowest first.
_MOST_PROMPTS: Final = 12


def as_text(found: TrainingReport, folder: Path) -> Iterator[str]:
    """The lines; `folder` is that of the training, for the commands that show a replay."""
    yield f"{say(message('training-of', game=found.title))}, {about_text(found)}"
    yield f"  {pace_text(found)}"
    yield f"  {rounds_text(found)}"
    refused = sum(each.count for each in found.refused)
    counted = (
        message("counted-mistakes", mistakes=len(found.mistakes)),
        message("counted-early-cards", cards=found.early_cards),
        message("counted-refused", presses=refused),
    )
    yield f"  {', '.join(map(show, counted))}"
    yield f"  {procedures_text(found)}"
    every = found.all_answers
    if every.count:
        said = message(
            "median-and-worst", answers=message("counted-answers", answers=every.count),
            median=seconds_text(every.p50_ms), worst=seconds_text(every.worst_ms),
            asked=every.worst,
        )  # fmt: skip
        yield f"  {show(said)}"
    if found.mistakes:
        yield from _headed(show(message("title-mistakes")))
        for number, each in enumerate(found.mistakes, 1):
            yield from _mistake(number, each, folder)
    if found.troubles:
        yield from _headed(show(message("title-world-did")))
        for trouble in found.troubles:
            yield from _trouble(trouble)
    if found.refused:
        yield from _headed(show(message("title-refused")))
        for press in found.refused:
            yield f"  {press.count} x {press.press}, {press.code}: {press.text}"
    if found.answers:
        yield from _headed(show(message("title-answer-times-text")))
        for times in found.answers[:_MOST_PROMPTS]:
            worst = message(
                "worst-at-record", times=message("counted-times", times=times.count),
                record=times.worst_seq,
            )  # fmt: skip
            yield (
                f"  {times.name:28} {seconds_text(times.p50_ms):>8}"
                f" {seconds_text(times.worst_ms):>8}  {show(worst)}"
            )


def _headed(title: str) -> Iterator[str]:
    yield ""
    yield f"{title}:"


def about_text(found: TrainingReport) -> str:
    """How many seats there are, by which seed, with how much trouble."""
    trouble = trouble_name(found.trouble)
    return show(message("training-about", seats=found.seats, seed=found.seed, trouble=trouble))


def rounds_text(found: TrainingReport) -> str:
    """How many rounds in which time."""
    said = message("counted-rounds", rounds=found.rounds)
    if found.void:
        said = message("counted-void", rounds=said, void=found.void)
    return show(message("rounds-in", rounds=said, time=minutes_text(found.played_ms)))


def pace_text(found: TrainingReport) -> str:
    """Rounds an hour against the target, in words."""
    target = f"{found.target:g}"
    if found.pace is None:
        return say(message("no-round-yet", target=target))
    share = f"{100 * found.pace / found.target:.0f}"
    return say(message("pace-is", pace=f"{found.pace:g}", share=share, target=target))


def procedures_text(found: TrainingReport) -> str:
    """How many troubles were answered rightly, in words."""
    count = len(found.troubles)
    if not count:
        return say(message("no-trouble"))
    said = message(
        "troubles-answered", troubles=count,
        right=found.procedures_right, wrong=found.procedures_wrong,
    )  # fmt: skip
    still = count - found.procedures_right - found.procedures_wrong
    return say(message("troubles-open", answered=said, open=still) if still else said)


def seconds_text(ms: int) -> str:
    """A span in seconds, to a tenth."""
    return show(message("span-seconds", seconds=f"{ms / 1000:.1f}"))


def minutes_text(ms: int) -> str:
    """A span in minutes and seconds."""
    minutes, seconds = divmod(ms // 1000, 60)
    if minutes:
        return show(message("span-minutes", minutes=minutes, seconds=seconds))
    return show(message("span-seconds", seconds=str(seconds)))


def place_text(round_: int, seq: int) -> str:
    """Where something is on record."""
    if round_:
        return show(message("in-round", round=round_, record=seq))
    return show(message("between-rounds", record=seq))


def replay_command(folder: Path, round_: int, seq: int) -> str:
    """The command that shows it again when the table is gone."""
    record = folder / RECORD
    if round_:
        return f"tablectl replay {record} --round {round_}"
    return f"tablectl logbook {record} --newest 20 --before {seq + 10}"


def _mistake(number: int, each: Mistake, folder: Path) -> Iterator[str]:
    mended = f", {show(message('was-mended'))}" if each.mended else ""
    about = f", {show(message('about-trouble', number=each.trouble))}" if each.trouble else ""
    yield f"  {number}. {mistake_name(each.kind)}{mended}: {each.text}"
    where = place_text(each.round, each.seq)
    yield f"     {where}{about}: {replay_command(folder, each.round, each.seq)}"


def _trouble(each: JudgedTrouble) -> Iterator[str]:
    took = "" if each.took_ms is None else f", {seconds_text(each.took_ms)}"
    verdict = f"{verdict_name(each.verdict)}{took}"
    yield f"  {each.number}. {each.did} {verdict} ({place_text(each.round, each.seq)})"
    if each.asked:
        yield f"     {show(message('line-asked', text=each.asked))}"
    for did in each.answered:
        yield f"     {show(message('line-answered', text=did))}"
    if each.why:
        yield f"     {show(message('line-right', text=each.why))}"
