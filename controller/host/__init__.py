"""What our programs need of the machine they run on: its log, systemd's notices, local time."""
