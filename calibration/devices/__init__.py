"""The calibrations, one device each."""
