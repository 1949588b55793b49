"""Figures for Prometheus: how the table runs. Counts and times only, never a card."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    InfoMetricFamily,
    Metric,
    StateSetMetricFamily,
)
from prometheus_client.registry import Collector

from controller.access.staff import Staff
from controller.odds.live.leak_watch import ALARM
from controller.record.reading.expected import Results
from controller.service.odds.against_odds import AgainstOdds
from controller.service.ports import Desk
from controller.service.status_view import shown_state
from controller.table.alarms import Level
from controller.table.evolve.alarm_lifecycle import live
from controller.table.irregularities.holds import Reason
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.parts.device_views import device_views
from controller.web.events import PUBLIC, Viewers
from controller.web.json_views import Page
from controller.web.server.connections import Connections

MS_PER_S: Final = 1000


class Metrics:
    """A registry of its own: two tables in one process do not mix."""

    def __init__(
        self,
        desk: Desk,
        viewers: Viewers,
        slots: Connections,
        people: Staff | None = None,
        odds: AgainstOdds | None = None,
    ) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_TableCollector(desk, viewers, slots, people, odds))
        ProcessCollector(registry=self._registry)

    def text(self) -> bytes:
        """Every figure, in Prometheus' text format."""
        return generate_latest(self._registry)


class _TableCollector(Collector):
    def __init__(
        self,
        desk: Desk,
        viewers: Viewers,
        slots: Connections,
        people: Staff | None,
        odds: AgainstOdds | None,
    ) -> None:
        self._desk = desk
        self._viewers = viewers
        self._slots = slots
        self._people = people
        self._odds = odds

    def collect(self) -> Iterator[Metric]:
        state = shown_state(self._desk)
        yield _gauge("record_available", "1 while the table can be recorded.", state is not None)
        yield _gauge("simulated", "1 where the devices are simulated.", self._desk.simulated)
        yield from self._running()
        if state is not None:
            yield from _of_the_table(state)
            yield from _of_its_parts(state)
        if self._odds is not None and self._odds.results is not None:
            yield from _against_odds(self._odds.results, self._odds.day)

    def _running(self) -> Iterator[Metric]:
        """How the service runs, a stopped table's too."""
        figures = self._desk.figures()
        yield _counter("records", "Records written since the start.", figures.records)
        yield _counter("inputs", "Inputs taken since the start.", figures.inputs)
        yield _counter("refusals", "Inputs refused since the start.", figures.refused)
        yield _counter("commit_seconds", "Time spent in commits.", figures.commit_s_sum)
        yield _gauge("commit_seconds_max", "The longest commit.", figures.commit_s_max)
        yield _gauge("start_time_seconds", "When the service started.", figures.started_at_s)
        failures = CounterMetricFamily(
            "tablectl_device_failures", "Failures since the start.", labels=["device"]
        )
        for device, count in sorted(figures.device_failures.items()):
            failures.add_metric([device], count)
        yield failures
        viewers = GaugeMetricFamily("tablectl_viewers", "Who looks at a page.", labels=["page"])
        for page in (*(each.value for each in Page), PUBLIC):
            viewers.add_metric([page], self._viewers.looking[page])
        yield viewers
        yield from self._connections()
        if self._people is not None:
            wrong, locks = self._people.wrong_pins
            yield _counter("wrong_pins", "Wrong PINs since the start.", wrong)
            yield _counter("pin_lockouts", "Lock-outs that they led to.", locks)
            yield from _directories(self._people)

    def _connections(self) -> Iterator[Metric]:
        slots = self._slots
        yield _gauge("connections", "Connections to the web.", len(slots))
        yield _gauge("connections_limit", "How many there may be.", slots.most)
        yield _counter("connections_refused", "Refused: no slot was left.", slots.refused)
        yield _counter("connections_dropped", "Ended to make room for others.", slots.dropped)


def _directories(people: Staff) -> Iterator[Metric]:
    """Of people whom the pit sends: which directory is in force, and how many were refused."""
    sent = people.sent
    if sent is None:
        return
    document = sent.in_force
    head = None if document is None else document.head
    yield _gauge("people_directory", "Its number; 0: none.", head.serial if head else 0)
    until_s = head.good_until_ms / MS_PER_S if head else 0
    yield _gauge("people_directory_good_until_seconds", "Until when it is good.", until_s)
    yield _counter("people_directories_taken", "Taken since the start.", sent.counts.taken)
    yield _counter("people_directories_refused", "Refused.", sent.counts.refused)


def _of_the_table(state: State) -> Iterator[Metric]:
    setup, shoe = state.setup, state.shoe
    about = {"table": setup.table, "game": setup.game, "software": state.run.software}
    yield InfoMetricFamily("tablectl_table", "Which table this is.", about)
    phases = {each.value: each is state.phase for each in Phase}
    yield StateSetMetricFamily("tablectl_phase", "What the table is at.", phases)
    since_s = state.clock.since_ms / MS_PER_S
    yield _gauge("waiting_since_seconds", "Since when the table waits for what it does.", since_s)
    yield _gauge("last_record", "Number of the last record.", state.seq)
    yield _counter("rounds_played", "Rounds played, void ones included.", state.counts.rounds)
    yield _gauge("shoe_number", "Number of the shoe.", shoe.number)
    yield _gauge("shoe_cards", "Cards in the full pack.", shoe.pack.size)
    yield _gauge("shoe_cards_gone", "Cards that have left the shoe.", shoe.gone)
    yield _gauge("shoe_cards_cut", "After so many a shuffle is due.", shoe.penetration_cards)
    yield _gauge("shuffle_due", "1 when the cut was reached.", shoe.due)


def _of_its_parts(state: State) -> Iterator[Metric]:
    open_now = Tally(each.reason for each in state.holds)
    holds = GaugeMetricFamily("tablectl_holds_open", "Open holds.", labels=["reason"])
    for reason in Reason:
        holds.add_metric([reason.value], open_now[reason])
    yield holds
    yield from _alarms(state)
    devices = GaugeMetricFamily("tablectl_device_up", "1 while it works.", labels=["device"])
    for device in device_views(state):
        devices.add_metric([device.name], device.up)
    yield devices


def _alarms(state: State) -> Iterator[Metric]:
    """Alarms that call, by level: how many, how many not acknowledged, since when the oldest."""
    called = [level.name.lower() for level in Level]
    counts = GaugeMetricFamily("tablectl_alarms", "Alarms by who is called.", labels=["level"])
    waiting = GaugeMetricFamily(
        "tablectl_alarms_unacknowledged", "Of these, not known to the floor.", labels=["level"]
    )
    since = GaugeMetricFamily(
        "tablectl_alarm_since_seconds", "Since when the oldest of them is.", labels=["level"]
    )
    for level, name in zip(Level, called, strict=True):
        found = [each for each in live(state) if each.level is level]
        counts.add_metric([name], len(found))
        waiting.add_metric([name], sum(not each.acknowledged for each in found))
        if found:
            since.add_metric([name], min(each.since_ms for each in found) / MS_PER_S)
    yield from (counts, waiting, since)


def _against_odds(results: Results, day: str) -> Iterator[Metric]:
    """What the rounds of the gaming day that is open came to, in minor units, and should have."""
    today = [line for about, line in results.lines.items() if about.day == day]
    wagered, net = sum(each.wagered for each in today), sum(each.net for each in today)
    expected = sum(each.expected for each in today)
    yield _gauge("day_wagered", "First wagers of the gaming day, in minor units.", wagered)
    yield _gauge("day_players_net", "What the players won with them.", net)
    yield _gauge("day_players_net_expected", "What their plays were worth on average.", expected)
    share = results.test.level / ALARM
    yield _gauge("leak_warning_level", "The test of a leak: a warning at 1.", share)
    yield _gauge("leak_warnings", "Warnings of the newest gaming days.", len(results.warnings))


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"tablectl_{name}", text, value)


def _counter(name: str, text: str, value: float) -> Metric:
    return CounterMetricFamily(f"tablectl_{name}", text, value)
