"""The table of a bench: its programs started, frozen and fed with power, simulated or real."""
