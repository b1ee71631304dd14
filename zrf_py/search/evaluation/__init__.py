"""What positions are worth: measured from the rules, before a game is played."""
