"""The pages of a calibration."""
