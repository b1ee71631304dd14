"""Tests of games: pages with positions and expected moves."""
