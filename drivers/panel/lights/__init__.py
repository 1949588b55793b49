"""The lamps of the spots: on header pins, a strip, chips of an I2C bus, a DMX universe."""
