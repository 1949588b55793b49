"""The odds on paper."""
