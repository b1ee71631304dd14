"""The evaluation in machine code: sums that follow every change of the board."""
