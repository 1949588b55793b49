"""The service's log: its lines, the newest of them, a limit on repeats, what a defect may say."""
