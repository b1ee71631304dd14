"""The local web application: games to look at, boards to play on, a desk for authors of rules."""
