"""What the program that stands by may do: it goes back as the boot unit does, and writes less.

It is root's, as that unit is: it puts units and drop-ins in place, points to a release, and asks
systemd to start what was stopped. The lines are those of `tablectl-update.service`; a test holds
both together. They are not read from the unit that is installed: an older one would not have them.
"""

from __future__ import annotations

from typing import Final

#: Settings of its unit, as systemd.exec(5) has them.
STANDBY_SANDBOX: Final = (
    # A configuration that is not root's is read; drivers of others are asked as the table's user,
    # by a process that is ended where it does not answer. Nobody is given a file.
    "CapabilityBoundingSet=CAP_DAC_OVERRIDE CAP_KILL CAP_SETGID CAP_SETUID",
    "AmbientCapabilities=",
    # Units and modules, the releases, and what says that a table was stopped.
    "ReadWritePaths=/etc /opt/tablectl /run",
    "DevicePolicy=closed",
    "IPAddressDeny=any",
    "KeyringMode=private",
    "LockPersonality=yes",
    "MemoryDenyWriteExecute=yes",
    "NoNewPrivileges=yes",
    "PrivateDevices=yes",
    "PrivateMounts=yes",
    # systemd is asked by a socket of this machine.
    "PrivateNetwork=yes",
    "PrivateTmp=yes",
    "ProtectClock=yes",
    "ProtectControlGroups=yes",
    "ProtectHome=yes",
    "ProtectHostname=yes",
    "ProtectKernelLogs=yes",
    "ProtectKernelModules=yes",
    "ProtectKernelTunables=yes",
    "ProtectProc=invisible",
    "ProtectSystem=strict",
    "RemoveIPC=yes",
    "RestrictAddressFamilies=AF_UNIX",
    "RestrictNamespaces=yes",
    "RestrictRealtime=yes",
    "RestrictSUIDSGID=yes",
    "SystemCallArchitectures=native",
    "SystemCallErrorNumber=EPERM",
    "SystemCallFilter=@system-service",
    "SystemCallFilter=~@resources",
    "UMask=0077",
)
