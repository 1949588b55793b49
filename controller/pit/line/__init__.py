"""The connection of a pit to its bus: what comes over it, the buffer it is read from, questions."""
