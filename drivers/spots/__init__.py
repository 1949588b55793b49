"""Sensors under the bet spots: what lies there, read by RFID."""
