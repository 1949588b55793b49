"""Lights, buzzer and buttons, and the guard process that holds the lights."""
