"""What a test of a bench gets: the rig, the table, its record of measurements."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from controller.config.configuration import Config
from tests.hil.bench_file import BenchFile
from tests.hil.kernel_fakes import kernel_fakes
from tests.hil.results.measure import Measurements
from tests.hil.results.run_record import RunRecord, TestRecord
from tests.hil.results.wires import made_of, used_before, wires
from tests.hil.rig.contract_hands import RigHands
from tests.hil.rig.contract_table import rig_table
from tests.hil.rig.rig_client import RigClient, connected
from tests.hil.session import BENCH, RUN, TEST
from tests.hil.stands.real_stand import RealStand
from tests.hil.stands.simulated import SimulatedRig, simulated_rig
from tests.hil.stands.stand import SimulatedStand, Stand


@pytest.fixture(scope="session")
def bench(pytestconfig: pytest.Config) -> BenchFile:
    """The bench's file."""
    return pytestconfig.stash[BENCH]


@pytest.fixture(scope="session")
def hil_run(pytestconfig: pytest.Config) -> RunRecord:
    """The record of the whole run."""
    return pytestconfig.stash[RUN]


@pytest.fixture
def tested(request: pytest.FixtureRequest) -> TestRecord:
    """The record of this test, for notes, traces and pictures."""
    node: pytest.Item = request.node
    return node.stash[TEST]


@pytest.fixture
def measure(tested: TestRecord) -> Measurements:
    """Declares a measurement of this test: `measure("scan to lamp", unit="ms", at_most=20)`."""
    return tested.measure


@pytest.fixture(scope="session")
def simulated(
    bench: BenchFile, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SimulatedRig | None]:
    """The loom and the rig's own program as processes, where the bench is simulated."""
    if not bench.rig.simulated:
        yield None
        return
    folder = tmp_path_factory.mktemp("rig")
    grab = [sys.executable, "-m", "tests.hil.results.page_shot", f"@{folder / 'page'}"]
    with simulated_rig(folder, grab=grab, fakes=kernel_fakes()) as made:
        yield made


@pytest.fixture
async def rig(
    bench: BenchFile, simulated: SimulatedRig | None, hil_run: RunRecord
) -> AsyncIterator[RigClient]:
    """The rig, connected. No edge may have been lost at the end."""
    host, port = bench.rig.host, bench.rig.port
    if simulated is not None:
        host, port = "127.0.0.1", simulated.port
    elif "table" not in hil_run.about:
        hil_run.tell_of_table(await RealStand(bench).about())
    async with connected(host, port) as client:
        hil_run.about["rig"] = dict(client.about)
        yield client
        used = client.used | used_before(hil_run.about.get("wires", {}))
        hil_run.about["wires"] = wires(client.lines, used, simulated=simulated is not None)
        if simulated is not None:
            hil_run.about["wires are"] = made_of(simulated.fakes)
        assert client.lost == 0, "the rig could not send every edge: the traces have gaps"


@pytest.fixture
async def stand(
    bench: BenchFile, simulated: SimulatedRig | None, hil_run: RunRecord,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Stand]:  # fmt: skip
    """The table; stopped at the end."""
    made: Stand = RealStand(bench)
    if simulated is not None:
        made = SimulatedStand(simulated, tmp_path_factory.mktemp("stand"), bench.run)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(made.end)
        if "table" not in hil_run.about:
            hil_run.tell_of_table(await made.about())
        yield made


@pytest.fixture
async def at_the_bench(
    bench: BenchFile, rig: RigClient, simulated: SimulatedRig | None, device_name: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[tuple[Config, RigHands]]:  # fmt: skip
    """For the device contracts: the configuration of a table with this device, and the hands."""
    async with rig_table(bench, rig, simulated, device_name, tmp_path, monkeypatch) as made:
        yield made
