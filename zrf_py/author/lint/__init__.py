"""Rules -> mistakes that are no errors: what is surely not meant although it can be played."""
