"""The logbook: what each record says, in one place for the pages, the API and the command line.

Pure. A message for every kind of fact, with its people, reasons and durations; the views put it
into words. What lies face down is not named.
"""
