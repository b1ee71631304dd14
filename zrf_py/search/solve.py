"""Puzzles: games of one player, solved in the fewest moves or improved upon for as long as there is time."""
