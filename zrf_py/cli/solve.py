"""`zrf solve`: solves a puzzle, or looks for a better solution until the time is over."""
