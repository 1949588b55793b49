"""`tablectl pit CONFIG report`: what happened at the tables, as text, CSV, Parquet or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.commands.terminal.parsers import Subcommands, add_command
from controller.commands.terminal.status import EXIT_BAD, EXIT_CONFIG, EXIT_USAGE, fail
from controller.config.problems import ConfigError

if TYPE_CHECKING:
    from controller.pit.house_time import HouseTime
    from controller.pit.reports.report.report import Report
    from controller.pit.reports.report.sections import ReportSection

_FORMATS: Final = ("text", "csv", "parquet", "json")


def add_parser(parts: Subcommands) -> None:
    """Add `report` to what there is besides the pit itself."""
    parser = add_command(
        parts,
        "report",
        "Print what happened at the tables in a span of gaming days, out of the archive's books:"
        " money, pace, errors, racks, holds, reads, shoes, the test that tells luck from a leak,"
        " and handovers. A file has one part. Amounts are in major units in text, CSV and"
        " Parquet, in minor units in JSON.",
        "tablectl pit pit.toml report --from 2026-11-01 --to 2026-11-30 --by dealer",
        "tablectl pit pit.toml report --part money --format csv --output money.csv",
        summary="print what happened",
    )
    parser.add_argument("--from", dest="first", default="", metavar="DAY", help="2026-11-01; the"
                        " newest gaming day where none is given")  # fmt: skip
    parser.add_argument(
        "--to", dest="last", default="", metavar="DAY", help="as --from, if left out"
    )
    parser.add_argument("--table", default="", help="one table alone")
    parser.add_argument("--by", default="", help="table, game, dealer, shift, hour or day")
    parser.add_argument("--part", default="", help="one part: money, pace, errors, dealers, racks,"
                        " holds, answers, reads, shoes, test or handovers")  # fmt: skip
    parser.add_argument(
        "--format", choices=_FORMATS, default="text", help="text, or what a program reads"
    )
    parser.add_argument("--output", type=Path, metavar="FILE", help="write to a file")
    parser.set_defaults(pit_command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the report; the exit status."""
    from controller.pit.archive.storage.database import ArchiveRefused  # noqa: PLC0415  (an extra)
    from controller.pit.reports.asked import BadSpan  # noqa: PLC0415  (an extra)
    from controller.pit.reports.report.files import NoParquet  # noqa: PLC0415  (an extra)

    if arguments.format in ("csv", "parquet") and not arguments.part:
        return fail("a file has one part: add --part money, say", EXIT_USAGE)
    try:
        found, house = _asked(arguments)
        made = _made(found, arguments.part, arguments.format, house)
    except (ConfigError, ArchiveRefused, NoParquet) as error:
        return fail(str(error), EXIT_CONFIG)
    except BadSpan as error:
        return fail(str(error), EXIT_USAGE)
    except OSError as error:
        return fail(f"{error.filename} cannot be read ({error.strerror})", EXIT_BAD)
    for each in (found.nothing, found.behind):
        if each:
            print(each, file=sys.stderr)
    return _written(made, arguments.output)


def _asked(arguments: argparse.Namespace) -> tuple[Report, HouseTime]:
    """The report, and in whose time it is to be read."""
    from controller.pit.archive.storage.database import open_database  # noqa: PLC0415  (an extra)
    from controller.pit.reports.asked import read_by, read_span  # noqa: PLC0415  (an extra)
    from controller.pit.reports.report.report import days_of, report  # noqa: PLC0415  (an extra)
    from controller.pit.server.settings import load_pit  # noqa: PLC0415  (an extra)

    config = load_pit(arguments.config)
    engine = open_database(config.archive.url(config.base))
    try:
        fields = {"from": arguments.first, "to": arguments.last, "table": arguments.table}
        span = read_span(fields, days_of(engine).last, config.house)
        by = read_by(arguments.by)
        return report(engine, span, by, config.wall.target, config.house), config.house
    finally:
        engine.dispose()


def _made(found: Report, part: str, form: str, house: HouseTime) -> str | bytes:
    """The report, or its part, in that form. Raises `BadSpan`, `NoParquet`."""
    from controller.pit.reports.report.files import as_csv, as_parquet  # noqa: PLC0415  (an extra)
    from controller.pit.reports.report.sections import as_object, as_text  # noqa: PLC0415  (an extra)

    parts = _parts(found, part)
    if form == "csv":
        return as_csv(parts[0])
    if form == "parquet":
        return as_parquet(parts[0])
    if form == "json":
        return json.dumps([as_object(each) for each in parts], indent=1) + "\n"
    title = f"{found.span.words}\n\n" if found.span.first else ""
    return title + "\n".join(as_text(each, house) for each in parts)


def _parts(found: Report, part: str) -> list[ReportSection]:
    from controller.pit.reports.asked import BadSpan  # noqa: PLC0415  (an extra)
    from controller.pit.reports.report.report import SECTIONS  # noqa: PLC0415  (an extra)

    parts = [each for each in found.sections if part in ("", each.name)]
    if not parts:
        raise BadSpan(f"{part[:40]!r} is no part of a report: use one of {', '.join(SECTIONS)}")
    return parts


def _written(made: str | bytes, path: Path | None) -> int:
    whole = made.encode() if isinstance(made, str) else made
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(whole)
        sys.stdout.buffer.flush()
        return 0
    try:
        path.write_bytes(whole)
    except OSError as error:
        return fail(f"{path} cannot be written ({error.strerror})", EXIT_BAD)
    return 0
