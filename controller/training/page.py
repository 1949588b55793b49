"""The report of a training as a page that stands by itself: no script, no file beside it."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from controller.training.judged import OPEN, WRONG, JudgedTrouble
from controller.training.mistakes import Mistake
from controller.training.report import TrainingReport
from controller.training.text import (
    counted,
    minutes_text,
    pace_text,
    place_text,
    procedures_text,
    seconds_text,
)

_STYLE: Final = Path(__file__).with_name("report.css")
#: While the training runs the page is loaded again so often, in seconds.
_AGAIN_S: Final = 5
_FAR_BELOW: Final = 0.75
_MEANS: Final = (
    ("early card", "A card was drawn before the display asked for one."),
    ("bets closed early", "Chips lay on a spot that were not on the display yet."),
    ("refused press", "The table refused a press or an entry, by the rule that is named."),
    ("wrong card", "A card lay on the felt and another one was entered for it."),
    ("wrong decision", "The player said one thing, and another one was entered."),
    ("wrong procedure", "Trouble was answered by something else than what puts it right."),
    ("voided", "A round was voided that could have gone on."),
    ("touched by mistake", "A resolution was chosen and taken back again."),
)


def page(found: TrainingReport, token: str = "", *, running: bool = False) -> str:
    """The page as HTML; links lead to the table's logbook, opened with its `token`.

    `running`: the page is loaded again every few seconds.
    """
    again = f'<meta http-equiv="refresh" content="{_AGAIN_S}">' if running else ""
    parts = (
        _head(found),
        _tiles(found),
        _mistakes(found, token),
        _troubles(found, token),
        _times(found, token),
        _refused(found),
        _meanings(),
    )
    title = f"Training: {escape(found.title)}"
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
{again}
<title>{title}</title>
<style>
{_STYLE.read_text(encoding="utf-8")}</style>
</head>
<body>
{"".join(parts)}</body>
</html>
"""


def link(found: TrainingReport, round_: int, seq: int, token: str = "") -> str:
    """The address of a record in the table's logbook, its round step by step."""
    asked = urlencode({**({"round": round_} if round_ else {}), "record": seq})
    secret = f"#token={token}" if token else ""
    return f"{found.service}/logbook?{asked}{secret}"


def _head(found: TrainingReport) -> str:
    state = "Over." if found.over else "So far."
    about = f"{found.seats} seats · seed {found.seed} · trouble: {found.trouble}"
    return (
        f'<header><h1>Training: {escape(found.title)}</h1><p class="quiet">{state}'
        f" {escape(about)}</p></header>\n"
    )


def _tiles(found: TrainingReport) -> str:
    count, times = len(found.mistakes), found.all_answers
    grave = sum(not each.mended for each in found.mistakes)
    kind = "bad" if grave else "good" if found.rounds else ""
    void = f", {found.void} void" if found.void else ""
    rounds = f"{counted(found.rounds, 'round')}{void}"
    tiles = (
        ("—" if found.pace is None else f"{found.pace:g}", "rounds an hour",
         f"target {found.target:g} · {rounds} in {minutes_text(found.played_ms)}", _pace(found)),
        (str(count), "mistake" if count == 1 else "mistakes",
         f"{counted(found.early_cards, 'early card')} · {count - grave} mended", kind),
        (f"{found.procedures_right} of {len(found.troubles)}", "troubles put right",
         f"{found.procedures_wrong} wrong",
         "bad" if found.procedures_wrong else "good" if found.procedures_right else ""),
        (seconds_text(times.p50_ms) if times.count else "—", "to answer the display, median",
         f"worst {seconds_text(times.worst_ms)}: {times.worst}" if times.count else "", ""),
    )  # fmt: skip
    shown = "".join(
        f'<li class="{is_}"><b>{escape(number)}</b><span>{escape(what)}</span>'
        f"<small>{escape(more)}</small></li>"
        for number, what, more, is_ in tiles
    )
    said = escape(f"{pace_text(found)}. {procedures_text(found)}.")
    return f'<ul class="tiles" aria-label="{said}">{shown}</ul>\n'


def _pace(found: TrainingReport) -> str:
    """Whether the pace is good, bad, or neither."""
    if found.pace is None or _FAR_BELOW * found.target <= found.pace < found.target:
        return ""
    return "good" if found.pace >= found.target else "bad"


def _mistakes(found: TrainingReport, token: str) -> str:
    if not found.mistakes:
        said = "None so far." if found.rounds or found.troubles else "Nothing is dealt yet."
        return f"<section><h2>Mistakes</h2><p>{said}</p></section>\n"
    rows = "".join(_mistake(found, each, token) for each in found.mistakes)
    return f'<section><h2>Mistakes</h2><ol class="mistakes">{rows}</ol></section>\n'


def _mistake(found: TrainingReport, each: Mistake, token: str) -> str:
    about = f" · trouble {each.trouble}" if each.trouble else ""
    mended = ' <em class="tag">mended</em>' if each.mended else ""
    return (
        f"<li><b>{escape(each.kind.capitalize())}</b>{mended}<p>{escape(_sentence(each.text))}</p>"
        f"{_where(found, each.round, each.seq, token)}{escape(about)}</li>"
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _where(found: TrainingReport, round_: int, seq: int, token: str) -> str:
    address = escape(link(found, round_, seq, token), quote=True)
    text = place_text(round_, seq)
    return f'<a href="{address}" target="replay" rel="noreferrer">Replay: {escape(text)}</a>'


def _troubles(found: TrainingReport, token: str) -> str:
    if not found.troubles:
        return ""
    rows = "".join(_trouble(found, each, token) for each in found.troubles)
    return (
        "<section><h2>What the world did, and the answer</h2>"
        '<table class="list troubles"><thead><tr><th>Trouble<th>The display<th>The dealer'
        f"<th>Procedure<th>Took</tr></thead><tbody>{rows}</tbody></table></section>\n"
    )


def _trouble(found: TrainingReport, each: JudgedTrouble, token: str) -> str:
    took = "—" if each.took_ms is None else seconds_text(each.took_ms)
    kind = "bad" if each.verdict == WRONG else "quiet" if each.verdict == OPEN else "good"
    sign = {"bad": "✕", "quiet": "…", "good": "✓"}[kind]
    why = f"<br><small>{escape(each.why)}</small>" if each.why else ""
    answered = "<br>".join(map(escape, each.answered)) or "—"
    return (
        f"<tr><td>{each.number}. {escape(each.did)}<br>"
        f"{_where(found, each.round, each.seq, token)}"
        f'<td data-name="The display">{escape(each.asked or "—")}'
        f'<td data-name="The dealer">{answered}'
        f'<td data-name="Procedure" class="{kind}">{sign} {escape(each.verdict)}{why}'
        f'<td data-name="Took" class="number">{took}</tr>'
    )


def _times(found: TrainingReport, token: str) -> str:
    if not found.answers:
        return ""
    rows = "".join(
        f'<tr><td>{escape(each.name)}<td data-name="Times" class="number">{each.count}'
        f'<td data-name="Median" class="number">{seconds_text(each.p50_ms)}'
        f'<td data-name="Worst" class="number">{seconds_text(each.worst_ms)}'
        f"<td>{_where(found, each.worst_round, each.worst_seq, token)}</tr>"
        for each in found.answers
    )
    return (
        "<section><h2>Time to answer</h2><p class=quiet>From what the display asks to what is on"
        " record, in seconds. The way of a card from the shoe counts.</p>"
        '<table class="list"><thead><tr><th>The display asks<th class="number">Times'
        '<th class="number">Median<th class="number">Worst<th>The worst</tr></thead>'
        f"<tbody>{rows}</tbody></table></section>\n"
    )


def _refused(found: TrainingReport) -> str:
    if not found.refused:
        return ""
    rows = "".join(
        f'<tr><td>{escape(each.press)}<td data-name="Times" class="number">{each.count}'
        f'<td data-name="Rule"><code>{escape(each.code)}</code>'
        f'<td data-name="The newest">{escape(each.text)}</tr>'
        for each in found.refused
    )
    return (
        '<section><h2>Presses refused</h2><table class="list"><thead><tr><th>Press'
        '<th class="number">Times<th>Rule<th>The newest</tr></thead>'
        f"<tbody>{rows}</tbody></table></section>\n"
    )


def _meanings() -> str:
    return f"""<section><h2>What counts as a mistake</h2><dl>{_terms(_MEANS)}</dl>
<p class="quiet">What the world did is no mistake: the answer to it is judged. A press that crossed
with something else on the way is none, nor is a call for the floor. Mended: put right without being
told.</p></section>
"""


def _terms(terms: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<dt>{escape(name)}<dd>{escape(text)}" for name, text in terms)
