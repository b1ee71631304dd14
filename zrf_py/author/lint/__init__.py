"""Lints: likely mistakes in rules that compile and play."""
