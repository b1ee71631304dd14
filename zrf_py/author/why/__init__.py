"""Why a move is legal or not, and how far an end of the game is: the interpreter, looked at while it works."""
