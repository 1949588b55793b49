"""A section of a report as a file: CSV, or Parquet where pyarrow is installed."""

from __future__ import annotations

import csv
import io
from importlib.util import find_spec
from typing import Any

from controller.pit.csv_cells import cell_text
from controller.pit.reports.report.sections import ColumnKind, ReportSection, in_file


class NoParquet(Exception):
    """Parquet cannot be written here; the text says what to install."""


def as_csv(section: ReportSection) -> str:
    """RFC 4180, with a line of names; empty where a value is not known."""
    made = io.StringIO(newline="")
    lines = csv.writer(made)
    lines.writerow(each.name for each in section.columns)
    for row in section.rows:
        cells = zip(row, section.columns, strict=True)
        lines.writerow(cell_text(in_file(cell, column.kind)) for cell, column in cells)
    return made.getvalue()


def as_parquet(section: ReportSection) -> bytes:
    """Amounts as decimals, times as moments in UTC. Raises `NoParquet`."""
    if find_spec("pyarrow") is None:
        raise NoParquet("Parquet needs pyarrow: pip install 'tablectl[parquet]'; CSV needs nothing")
    import pyarrow as pa  # noqa: PLC0415  (an extra, of 50 MB)
    import pyarrow.parquet as pq  # noqa: PLC0415

    kind = ColumnKind
    types: dict[ColumnKind, Any] = {
        kind.TEXT: pa.string(), kind.COUNT: pa.int64(), kind.MONEY: pa.decimal128(20, 2),
        kind.PER_CENT: pa.float64(), kind.RATE: pa.float64(), kind.SECONDS: pa.float64(),
        kind.TIME: pa.timestamp("ms", tz="UTC"), kind.YES_NO: pa.bool_(),
    }  # fmt: skip
    arrays = {
        column.name: pa.array(
            [in_file(row[at], column.kind) for row in section.rows], types[column.kind]
        )
        for at, column in enumerate(section.columns)
    }
    made = io.BytesIO()
    pq.write_table(pa.table(arrays), made, compression="zstd")
    return made.getvalue()
