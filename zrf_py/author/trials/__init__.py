"""Trials of rules that are being written: quick random games, tests, comparisons. See author/README.md."""
