"""Iterative-widening beam search."""
