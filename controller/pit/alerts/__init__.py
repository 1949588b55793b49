"""Alerts: what somebody must act on, told once, until it ends or somebody has answered."""
