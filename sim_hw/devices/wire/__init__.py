"""What devices put on the wire and answer there, written from their manuals alone."""
