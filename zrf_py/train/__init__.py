"""Learn evaluation weights of a game from games that the computer players play against themselves."""
