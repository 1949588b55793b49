"""Everybody that the configuration names as a receiver of alerts."""

from __future__ import annotations

from pathlib import Path

from controller.pit.alerts.apprise_receiver import read_apprise
from controller.pit.alerts.sender import AlertReceiver
from controller.pit.alerts.settings import AlertSettings
from controller.pit.alerts.webhook import read_webhooks


def read_receivers(settings: AlertSettings, base: Path) -> tuple[AlertReceiver, ...]:
    """The receivers, with secrets and addresses read from files in `base`.

    Raises `ReceiverRefused`.
    """
    return (*read_webhooks(settings.webhooks, base), *read_apprise(settings.apprise, base))
