"""Solver for games of one player."""
