"""The local web application: a gallery of games, boards to play on, and an editor for rules."""
