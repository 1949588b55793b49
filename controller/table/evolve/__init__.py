"""From a state and a record to the next state."""
