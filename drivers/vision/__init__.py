"""A picture in, a card or the reason why none: pure, no clock, no file, no device."""
