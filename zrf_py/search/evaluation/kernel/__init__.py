"""Native evaluation: sums updated incrementally with the board."""
