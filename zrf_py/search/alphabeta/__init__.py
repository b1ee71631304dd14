"""Iterative-deepening alpha-beta."""
