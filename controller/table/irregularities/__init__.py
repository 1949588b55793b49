"""What goes wrong at tables, and which resolutions are lawful here."""
