"""Games of one player: solved, or improved upon."""
