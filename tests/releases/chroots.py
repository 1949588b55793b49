"""`make chroots`: installs, updates, and goes back in a fresh Debian, as somebody at a table does.

    python -m tests.releases.chroots --suite bookworm --folder /tmp/chroots

Root, debootstrap and Debian's packages are needed, and some six minutes: a trial takes its minute.
systemd does not run in a chroot: a stand-in starts and stops the real service as its user.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PYTHONS: Final = {"bookworm": "3.11", "trixie": "3.13"}
PACKAGES: Final = "python3,python3-venv,libzbar0,systemd,udev,ca-certificates"
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
#: What a chroot has no systemd for: the service as its user, and nothing else.
SYSTEMCTL: Final = """#!/usr/bin/python3
import os, signal, subprocess, sys, time
words = [each for each in sys.argv[1:] if not each.startswith("--")]
PID = "/run/tablectl.pid"
def running():
    try:
        pid = int(open(PID).read())
        os.kill(pid, 0)
        return pid if open(f"/proc/{pid}/stat").read().split(") ")[1][0] != "Z" else 0
    except (OSError, ValueError):
        return 0
if words[0] == "show":
    name = next(each.partition("=")[2] for each in sys.argv if each.startswith("--property="))
    states = {"ActiveState": "active" if running() else "inactive", "NRestarts": "0"}
    print(states.get(name, ""))
elif words[0] == "start" and "tablectl.service" in words and not running():
    os.makedirs("/run/tablectl", exist_ok=True)
    log = open("/var/log/tablectl.log", "ab")
    started = subprocess.Popen(
        ["setpriv", "--reuid=tablectl", "--regid=tablectl", "--clear-groups",
         "/opt/tablectl/current/env/bin/tablectl", "run", "/etc/tablectl/table.toml"],
        stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd="/")
    open(PID, "w").write(str(started.pid))
elif words[0] == "stop" and "tablectl.service" in words and running():
    os.kill(running(), signal.SIGTERM)
    while running():
        time.sleep(0.1)
elif words[0] == "is-enabled":
    sys.exit(0)
"""
SYSTEMD_RUN: Final = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec setpriv --reuid=tablectl --regid=tablectl --clear-groups "$@"
"""
CONFIG: Final = """\
[table]
name = "T1"
game = "21-24-27"
seats = 3
[record]
folder = "/var/lib/tablectl/record"
key_file = "/var/lib/tablectl-key/table.key"
trust_clock = true
[web]
port = 8931
token_file = "/etc/tablectl/service-token"
[scanner]
port = "/dev/ttyNONE0"
codes = "tablectl-1"
"""
#: What makes a release of this checkout a bad one: its table never comes up.
BROKEN: Final = 'raise SystemExit("this release is broken")\n'


class Chroot:
    """A Debian below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        print(f"  # {' '.join(command)}", flush=True)
        done = subprocess.run(
            ["chroot", str(self.folder), "/usr/bin/env", "-i", f"PATH={PATH}", "LANG=C.UTF-8",
             *command],
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        for line in (done.stdout + done.stderr).splitlines():
            print(f"    {line}", flush=True)
        return done

    def expect(self, status: int, said: str, *command: str) -> None:
        done = self.run(*command)
        assert done.returncode == status, f"exit status {done.returncode}, not {status}"
        assert said in done.stdout + done.stderr, f"nothing said of {said!r}"

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(mode)


@contextmanager
def debian(suite: str, folder: Path) -> Iterator[Chroot]:
    """A fresh Debian, with /proc and /dev while it is used; what debootstrap made is kept."""
    base, here = folder / f"{suite}-base", folder / suite
    if not (base / "made").exists():
        shutil.rmtree(base, ignore_errors=True)
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", suite, str(base)],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        (base / "made").touch()
    subprocess.run(["rm", "-rf", "--one-file-system", str(here)], check=True)
    subprocess.run(["cp", "-a", str(base), str(here)], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", str(here / "proc")], check=True)
    subprocess.run(["mount", "--bind", "/dev", str(here / "dev")], check=True)
    chroot = Chroot(here)
    try:
        (here / "run/systemd/system").mkdir(parents=True, exist_ok=True)
        chroot.write("usr/local/sbin/systemctl", SYSTEMCTL, 0o755)
        chroot.write("usr/local/sbin/systemd-run", SYSTEMD_RUN, 0o755)
        chroot.write("usr/local/sbin/udevadm", "#!/bin/sh\n", 0o755)
        yield chroot
    finally:
        chroot.run("systemctl", "stop", "tablectl.service")
        for each in ("dev", "proc"):
            subprocess.run(["umount", str(here / each)], check=False)


def release(work: Path, key: Path, python: str, version: str, broken: str = "") -> Path:
    """The file of a release of this checkout that calls itself `version`; `broken` breaks it."""
    tree = work / version
    left_out = shutil.ignore_patterns(".venv*", ".git", "node_modules", "__pycache__", ".*_cache")
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(ROOT, tree, ignore=left_out, symlinks=True)
    about = tree / "controller/__init__.py"
    lines = about.read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("__version__"))
    lines[at] = f'__version__ = "{version}"'
    about.write_text("\n".join(lines) + "\n")
    if broken:
        file = tree / "controller/commands/run.py"
        file.write_text(file.read_text().replace("    try:\n", f"    {broken}    try:\n", 1))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "systemd.releases.build", "--key", str(key), "--folder",
         str(work / "dist"), "--machine", "x86_64", "--python", python],
        cwd=tree, env={"PYTHONPATH": str(tree), "PATH": PATH}, check=True,
        capture_output=True, text=True,
    )  # fmt: skip
    shutil.rmtree(tree)
    return Path(done.stdout.strip())


def walk(chroot: Chroot, key: Path, keys: Path, work: Path, python: str) -> None:
    """Everything that a table goes through, from the first installation to the last."""
    into = chroot.folder / "root"
    first = release(work, key, python, "0.1.0")
    second = release(work, key, python, "0.2.0")
    bad = release(work, key, python, "0.3.0", BROKEN)
    other = release(work, key, {"3.11": "3.13", "3.13": "3.11"}[python], "0.4.0")
    for each in (first, second, bad, other):
        shutil.copy2(each, into / each.name)
    chroot.write("opt/tablectl/release-keys", keys.read_text())
    subprocess.run(["tar", "xf", str(first), "-C", str(into), "tablectl-update"], check=True)
    chroot.write("etc/tablectl/table.toml", CONFIG)
    print("install", flush=True)
    chroot.expect(
        0, "as it was installed", "/root/tablectl-update", "--install", f"/root/{first.name}"
    )
    chroot.run("tablectl", "token", "/etc/tablectl/service-token")
    chroot.run("chown", "tablectl:tablectl", "/etc/tablectl/service-token")
    for state in ("tablectl", "tablectl-key"):
        chroot.run("install", "-d", "-o", "tablectl", "-g", "tablectl", f"/var/lib/{state}")
    chroot.run("systemctl", "start", "tablectl.service")
    chroot.expect(0, "tablectl 0.1.0", "tablectl", "--version")
    print("refused", flush=True)
    chroot.expect(1, "is for Python", "tablectl-update", f"/root/{other.name}")
    print("dry run, update", flush=True)
    chroot.expect(0, "would do", "tablectl-update", "--dry-run", f"/root/{second.name}")
    chroot.expect(0, "is confirmed", "tablectl-update", f"/root/{second.name}")
    chroot.expect(0, "tablectl 0.2.0", "tablectl", "--version")
    chroot.expect(0, "as it was installed", "tablectl-update", "--compare")
    print("a bad update, a downgrade", flush=True)
    chroot.expect(2, "its service ended", "tablectl-update", f"/root/{bad.name}")
    chroot.expect(0, "tablectl 0.2.0", "tablectl", "--version")
    chroot.expect(1, "is older than", "tablectl-update", f"/root/{first.name}")
    print("back, and off", flush=True)
    chroot.expect(0, "is confirmed", "tablectl-update", "--back")
    chroot.expect(0, "tablectl 0.1.0", "tablectl", "--version")
    record = "/var/lib/tablectl/record"
    chroot.expect(0, "0.2.0+", "tablectl", "export", record)
    chroot.expect(0, "software-went-back", "tablectl", "export", record)
    chroot.expect(0, "all hold", "tablectl", "verify", record)
    chroot.expect(0, "removed", "tablectl-update", "--uninstall")
    left = sorted(each.name for each in chroot.folder.glob("var/lib/tablectl*"))
    assert left == ["tablectl", "tablectl-key"], left
    assert not (chroot.folder / "opt/tablectl").exists()


def main() -> int:
    """Walk through it; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.releases.chroots")
    parser.add_argument("--suite", choices=PYTHONS, default="bookworm")
    parser.add_argument("--folder", type=Path, required=True)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    keys = folder / "keys"
    if not keys.exists():
        subprocess.run(
            [sys.executable, "-m", "systemd.releases.build", "--new-keys", str(keys)], check=True
        )
    with debian(arguments.suite, folder) as chroot:
        walk(
            chroot, keys / "in-use.key", keys / "release-keys", folder / "work",
            PYTHONS[arguments.suite],
        )  # fmt: skip
    print(f"{arguments.suite}: install, update, back, refusals and uninstall: all as they should")
    return 0


if __name__ == "__main__":
    sys.exit(main())
