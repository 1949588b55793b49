"""The report of a training as a page that stands by itself: no script, no file beside it.

In the language that is spoken.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from controller.rules.messages import Message, Words, message
from controller.rules.spoken import spoken
from controller.table.views.english import ENGLISH, say, show
from controller.training.judged import OPEN, WRONG, JudgedTrouble
from controller.training.mistakes import Mistake
from controller.training.names import MEANINGS, mistake_name, verdict_name
from controller.training.report import TrainingReport
from controller.training.text import (
    about_text,
    pace_text,
    place_text,
    procedures_text,
    rounds_text,
    seconds_text,
)

_STYLE: Final = Path(__file__).with_name("report.css")
#: While the training runs the page is loaded again this often, in seconds.
_AGAIN_S: Final = 5
_FAR_BELOW: Final = 0.75
_COLUMNS: Final = {
    "trouble": message("column-trouble"),
    "display": message("column-display"),
    "dealer": message("column-dealer"),
    "procedure": message("column-procedure"),
    "took": message("column-took"),
    "asks": message("column-asks"),
    "times": message("column-times"),
    "median": message("column-median"),
    "worst": message("column-worst"),
    "the-worst": message("column-the-worst"),
    "press": message("column-press"),
    "rule": message("column-rule"),
    "newest": message("column-newest"),
}
_FIGURES: Final = frozenset({"times", "median", "worst"})


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
    title = escape(say(message("training-of", game=found.title)))
    return f"""<!doctype html>
<html lang="{spoken(ENGLISH).code}">
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
    title = escape(say(message("training-of", game=found.title)))
    state = show(message("training-over") if found.over else message("training-so-far"))
    return (
        f'<header><h1>{title}</h1><p class="quiet">{escape(state)}'
        f" {escape(about_text(found))}</p></header>\n"
    )


def _tiles(found: TrainingReport) -> str:
    count, times = len(found.mistakes), found.all_answers
    grave = sum(not each.mended for each in found.mistakes)
    kind = "bad" if grave else "good" if found.rounds else ""
    early = message("counted-early-cards", cards=found.early_cards)
    right = message("tile-of", right=found.procedures_right, troubles=len(found.troubles))
    worst = message("tile-worst", worst=seconds_text(times.worst_ms), asked=times.worst)
    tiles = (
        ("—" if found.pace is None else _number(found.pace), message("tile-pace"),
         show(message("tile-target", target=f"{found.target:g}", rounds=rounds_text(found))),
         _pace(found)),
        (str(count), message("tile-mistakes"),
         show(message("tile-mended", early=early, mended=count - grave)), kind),
        (show(right), message("tile-right"),
         show(message("tile-wrong", wrong=found.procedures_wrong)),
         "bad" if found.procedures_wrong else "good" if found.procedures_right else ""),
        (seconds_text(times.p50_ms) if times.count else "—", message("tile-median"),
         show(worst) if times.count else "", ""),
    )  # fmt: skip
    shown = "".join(
        f'<li class="{is_}"><b>{escape(number)}</b><span>{escape(show(what))}</span>'
        f"<small>{escape(more)}</small></li>"
        for number, what, more, is_ in tiles
    )
    said = escape(f"{pace_text(found)}. {procedures_text(found)}.")
    return f'<ul class="tiles" aria-label="{said}">{shown}</ul>\n'


def _number(value: float) -> str:
    return spoken(ENGLISH).write(f"{value:g}", "number", Words())


def _pace(found: TrainingReport) -> str:
    """Whether the pace is good, bad, or neither."""
    if found.pace is None or _FAR_BELOW * found.target <= found.pace < found.target:
        return ""
    return "good" if found.pace >= found.target else "bad"


def _mistakes(found: TrainingReport, token: str) -> str:
    if not found.mistakes:
        dealt = found.rounds or found.troubles
        said = message("none-so-far") if dealt else message("nothing-dealt-yet")
        return _section(message("title-mistakes"), f"<p>{escape(show(said))}</p>")
    rows = "".join(_mistake(found, each, token) for each in found.mistakes)
    return _section(message("title-mistakes"), f'<ol class="mistakes">{rows}</ol>')


def _mistake(found: TrainingReport, each: Mistake, token: str) -> str:
    trouble = show(message("about-trouble", number=each.trouble))
    about = f" · {trouble}" if each.trouble else ""
    mended = f' <em class="tag">{escape(show(message("was-mended")))}</em>' if each.mended else ""
    return (
        f"<li><b>{escape(_sentence(mistake_name(each.kind)))}</b>{mended}<p>{escape(_sentence(each.text))}</p>"
        f"{_where(found, each.round, each.seq, token)}{escape(about)}</li>"
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _where(found: TrainingReport, round_: int, seq: int, token: str) -> str:
    address = escape(link(found, round_, seq, token), quote=True)
    text = show(message("replay-of", place=place_text(round_, seq)))
    return f'<a href="{address}" target="replay" rel="noreferrer">{escape(text)}</a>'


def _troubles(found: TrainingReport, token: str) -> str:
    if not found.troubles:
        return ""
    rows = "".join(_trouble(found, each, token) for each in found.troubles)
    names = ("trouble", "display", "dealer", "procedure", "took")
    return _section(message("title-troubles"), _table(names, rows, "list troubles"))


def _trouble(found: TrainingReport, each: JudgedTrouble, token: str) -> str:
    took = "—" if each.took_ms is None else seconds_text(each.took_ms)
    kind = "bad" if each.verdict == WRONG else "quiet" if each.verdict == OPEN else "good"
    sign = {"bad": "✕", "quiet": "…", "good": "✓"}[kind]
    why = f"<br><small>{escape(each.why)}</small>" if each.why else ""
    verdict = escape(verdict_name(each.verdict))
    answered = "<br>".join(map(escape, each.answered)) or "—"
    return (
        f"<tr><td>{each.number}. {escape(each.did)}<br>"
        f"{_where(found, each.round, each.seq, token)}"
        f"{_cell('display', escape(each.asked or '—'))}{_cell('dealer', answered)}"
        f"{_cell('procedure', f'{sign} {verdict}{why}', kind)}"
        f"{_cell('took', took, 'number')}</tr>"
    )


def _times(found: TrainingReport, token: str) -> str:
    if not found.answers:
        return ""
    rows = "".join(
        f"<tr><td>{escape(each.name)}{_cell('times', str(each.count), 'number')}"
        f"{_cell('median', seconds_text(each.p50_ms), 'number')}"
        f"{_cell('worst', seconds_text(each.worst_ms), 'number')}"
        f"<td>{_where(found, each.worst_round, each.worst_seq, token)}</tr>"
        for each in found.answers
    )
    about = f'<p class="quiet">{escape(show(message("answer-times-are")))}</p>'
    names = ("asks", "times", "median", "worst", "the-worst")
    return _section(message("title-answer-times"), about + _table(names, rows))


def _refused(found: TrainingReport) -> str:
    if not found.refused:
        return ""
    rows = "".join(
        f"<tr><td>{escape(each.press)}{_cell('times', str(each.count), 'number')}"
        f"{_cell('rule', f'<code>{escape(each.code)}</code>')}"
        f"{_cell('newest', escape(each.text))}</tr>"
        for each in found.refused
    )
    names = ("press", "times", "rule", "newest")
    return _section(message("title-refused"), _table(names, rows))


def _meanings() -> str:
    terms = "".join(
        f"<dt>{escape(mistake_name(kind))}<dd>{escape(show(text))}"
        for kind, text in MEANINGS.items()
    )
    none = escape(show(message("what-is-no-mistake")))
    return _section(message("title-meanings"), f'<dl>{terms}</dl>\n<p class="quiet">{none}</p>')


def _section(title: Message, inner: str) -> str:
    return f"<section><h2>{escape(show(title))}</h2>{inner}</section>\n"


def _table(names: Iterable[str], rows: str, kind: str = "list") -> str:
    """A table with these columns, by their codes."""
    head = "".join(
        f"<th{' class=number' if name in _FIGURES else ''}>{_column(name)}" for name in names
    )
    return f'<table class="{kind}"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _cell(name: str, content: str, kind: str = "") -> str:
    """A cell of the column of that name; `content` is HTML."""
    classes = f' class="{kind}"' if kind else ""
    return f'<td data-name="{_column(name)}"{classes}>{content}'


def _column(name: str) -> str:
    return escape(show(_COLUMNS[name]))
