"""What stands in for systemd in a Debian that was not started: the service as its user, no more."""

from __future__ import annotations

from typing import Final

from tests.releases.chroots.debian import Debian

#: Settings of the service in this Debian alone, as a drop-in would have them: one a line.
SETTINGS: Final = "etc/tablectl-stand-in"

_SYSTEMCTL: Final = f"""#!/usr/bin/python3
import os, signal, subprocess, sys, time
words = [each for each in sys.argv[1:] if not each.startswith("--")]
PID = "/run/tablectl.pid"
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
elif words[0] == "start" and "tablectl.service" in words and not running():
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
elif words[0] == "stop" and "tablectl.service" in words and running():
    os.kill(running(), signal.SIGTERM)
    while running():
        time.sleep(0.1)
elif words[0] == "is-enabled":
    sys.exit(0)
"""
_SYSTEMD_RUN: Final = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec setpriv --reuid=tablectl --regid=tablectl --clear-groups "$@"
"""


def put_stand_ins(debian: Debian) -> None:
    """Put them before the real ones."""
    debian.write("usr/local/sbin/systemctl", _SYSTEMCTL, 0o755)
    debian.write("usr/local/sbin/systemd-run", _SYSTEMD_RUN, 0o755)
    debian.write("usr/local/sbin/udevadm", "#!/bin/sh\n", 0o755)
