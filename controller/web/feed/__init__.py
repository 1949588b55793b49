"""The feed of facts: every record once and in order, for game servers."""
