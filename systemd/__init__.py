"""The table as a service: units, installation, and in `releases` what releases and updates it."""
