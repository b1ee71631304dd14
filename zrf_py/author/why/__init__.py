"""Explanations of why a move is legal or not, and how close the game is to its end, by tracing the interpreter."""
