"""The round engine: runs a game's script, again from its answers, and corrected."""
