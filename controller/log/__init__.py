"""The log of the service: its lines, the newest of them, and a limit on what repeats itself."""
