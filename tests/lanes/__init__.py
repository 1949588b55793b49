"""Lanes: groups of tests and checks that run beside each other, each with its own priority."""
