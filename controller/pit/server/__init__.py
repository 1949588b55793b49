"""A pit as a process: its configuration, what runs in it, its pages, until it is stopped."""
