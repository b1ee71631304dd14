"""Batches of games: jobs, the workers that run them, the store of their results; matches; the judge of games."""
