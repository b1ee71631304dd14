"""Evaluation: weights measured from the rules before a game is played."""
