"""A few answers -> the text of a small, playable game to start from."""
