"""Figures of a pit for Prometheus: tables by what they need, the archive, the bus. Never a card."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from controller.pit.archive.findings.findings import FindingKind
from controller.pit.archive.overview import Overview
from controller.pit.archive.storage.database import NO_ANSWER
from controller.pit.wall.alert_view import AlertFigures, Waiting
from controller.pit.wall.tile import Need
from controller.pit.wall.wall import Wall

_MS_PER_S: Final = 1000


class PitMetrics:
    """A registry of its own: two pits in one process do not mix."""

    def __init__(
        self, wall: Wall, archive: Callable[[], Overview],
        alerts: Callable[[], AlertFigures] = AlertFigures,
    ) -> None:  # fmt: skip
        """`archive` reads what the archive has, `alerts` how many are open, and what waits.

        Both block, and raise `DBAPIError`.
        """
        self._registry = CollectorRegistry()
        self._registry.register(_PitCollector(wall, archive, alerts))
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """Every figure, in Prometheus' text format. Blocks."""
        return generate_latest(self._registry)


class _PitCollector(Collector):
    def __init__(
        self, wall: Wall, archive: Callable[[], Overview], alerts: Callable[[], AlertFigures]
    ) -> None:
        self._wall = wall
        self._archive = archive
        self._alerts = alerts

    def describe(self) -> Iterator[Metric]:
        """Names are not looked up before the first figure: that would read the database."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        yield from self._tables()
        try:
            shown, alerts = self._archive(), self._alerts()
        except NO_ANSWER:
            yield _gauge("database_up", "1 while the archive's database answers.", 0)
            return
        yield _gauge("database_up", "1 while the archive's database answers.", 1)
        yield _gauge("bus_up", "1 while the bus is there.", not shown.line)
        yield _gauge("archives", "1 at the pit that archives, of those on one database.",
                     shown.archives)  # fmt: skip
        yield from _archived(shown)
        by_kind = GaugeMetricFamily("tablectl_pit_alerts_open", "Open alerts.", labels=["kind"])
        for kind, count in alerts.open.items():
            by_kind.add_metric([kind], count)
        yield by_kind
        yield from _receivers(alerts.receivers)

    def _tables(self) -> Iterator[Metric]:
        needs = self._wall.needs
        counts = Tally(needs.values())
        by_need = GaugeMetricFamily(
            "tablectl_pit_tables", "Tables by what they need most.", labels=["need"]
        )
        for need in Need:
            by_need.add_metric([need.value], counts[need.value])
        yield by_need
        each = GaugeMetricFamily(
            "tablectl_pit_table_needs", "1 for what a table needs most.", labels=["table", "need"]
        )
        for table, value in sorted(needs.items()):
            each.add_metric([table, value], 1)
        yield each


def _receivers(found: Mapping[str, Waiting]) -> Iterator[Metric]:
    waiting = GaugeMetricFamily(
        "tablectl_pit_alert_messages_waiting", "Messages on their way to a receiver of alerts.",
        labels=["receiver"],
    )  # fmt: skip
    left = GaugeMetricFamily(
        "tablectl_pit_alert_messages_undelivered",
        "Messages that a receiver of alerts never took, and that are tried no more.",
        labels=["receiver"],
    )
    for receiver, each in sorted(found.items()):
        waiting.add_metric([receiver], each.waiting)
        left.add_metric([receiver], each.left)
    yield from (waiting, left)


def _archived(shown: Overview) -> Iterator[Metric]:
    last = GaugeMetricFamily(
        "tablectl_pit_last_record", "Number of a table's last archived record.", labels=["table"]
    )
    when = GaugeMetricFamily(
        "tablectl_pit_archived_seconds", "When that was archived.", labels=["table"]
    )
    for each in shown.tables:
        last.add_metric([each.table], each.seq)
        when.add_metric([each.table], each.archived_ms / _MS_PER_S)
    found = Tally(each.kind for each in shown.findings if each.settled_ms is None)
    findings = GaugeMetricFamily(
        "tablectl_pit_findings_open", "Open findings in records, of the newest.", labels=["kind"]
    )
    for kind in FindingKind:
        findings.add_metric([kind.value], found[kind.value])
    yield from (last, when, findings)


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"tablectl_pit_{name}", text, value)
