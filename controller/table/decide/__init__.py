"""From a state and an input to records."""
