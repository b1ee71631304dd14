"""A few answers -> the text of a small game that plays, as a beginning."""
