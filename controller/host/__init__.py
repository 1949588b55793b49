"""What our programs need of their machine: log, systemd's notices, local time, its release."""
