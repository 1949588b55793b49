"""What stands in for systemd in a Debian that was not started: the service as its user, no more.

And what ends an update whose program was killed.
"""

from __future__ import annotations

from typing import Final

from systemd.releases.update.machine import STANDBY
from tests.releases.chroots.debian import Debian

#: Settings of the service in this Debian alone, as a drop-in would have them: one a line.
SETTINGS: Final = "etc/tablectl-stand-in"

_SYSTEMCTL: Final = f"""#!/usr/bin/python3
import os, signal, subprocess, sys, time
words = [each for each in sys.argv[1:] if not each.startswith("--")]
unit = next((each for each in words[1:] if each in {{"tablectl.service", "{STANDBY}"}}), "none")
PID = f"/run/{{unit}}.pid"
def running():
    try:
        pid = int(open(PID).read())
        os.kill(pid, 0)
        return pid if open(f"/proc/{{pid}}/stat").read().split(") ")[1][0] != "Z" else 0
    except (OSError, ValueError):
        return 0
if words[0] == "show":
    name = next(each.partition("=")[2] for each in sys.argv if each.startswith("--property="))
    states = {{"ActiveState": "active" if running() else "inactive", "NRestarts": "0"}}
    print(states.get(name, ""))
if words[0] in ("stop", "restart") and running():
    os.kill(running(), signal.SIGTERM)
    while running():
        time.sleep(0.1)
if words[0] in ("start", "restart") and "tablectl.service" in words and not running():
    settings = open("/{SETTINGS}").read().split() if os.path.exists("/{SETTINGS}") else []
    more = ["--allow-simulated"] if settings else []
    os.makedirs("/run/tablectl", exist_ok=True)
    log = open("/var/log/tablectl.log", "ab")
    started = subprocess.Popen(
        ["env", *settings,
         "setpriv", "--reuid=tablectl", "--regid=tablectl", "--clear-groups",
         "/opt/tablectl/current/env/bin/tablectl", "run", *more, "/etc/tablectl/table.toml"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd="/")
    open(PID, "w").write(str(started.pid))
elif words[0] == "is-enabled":
    sys.exit(0)
"""
_SYSTEMD_RUN: Final = f"""#!/bin/sh
unit=
while [ "${{1#--}}" != "$1" ]; do
    [ "$1" != --unit={STANDBY} ] || unit={STANDBY}
    shift
done
[ -n "$unit" ] || exec setpriv --reuid=tablectl --regid=tablectl --clear-groups "$@"
setsid "$@" </dev/null >>/var/log/$unit.log 2>&1 &
echo $! >/run/$unit.pid
"""


def put_stand_ins(debian: Debian) -> None:
    """Put them before the real ones."""
    debian.write("usr/local/sbin/systemctl", _SYSTEMCTL, 0o755)
    debian.write("usr/local/sbin/systemd-run", _SYSTEMD_RUN, 0o755)
    debian.write("usr/local/sbin/udevadm", "#!/bin/sh\n", 0o755)
