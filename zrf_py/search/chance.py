"""Choose the player whose values are reported where chance is to move: the next ordinary one."""

from zrf_py.ir.ops import Program
from zrf_py.run.engine import Engine
from zrf_py.run.position import Position

MOST_DRAWS = 100
"""Maximum number of successive turns of chance to follow."""


def is_drawn(program: Program, position: Position) -> bool:
    """Return whether a random player is to move."""
    game = program.game
    return game.players[game.turns[position.turn].mover].kind == "random"


def next_player(engine: Engine, position: Position) -> int:
    """Return the player to move. If that is chance, return the player after its first outcome, since the rules may skip
    turns; if that outcome ends the game, return the next player in the turn order."""
    game = engine.program.game
    turn = position.turn
    for _ in range(MOST_DRAWS):
        if not is_drawn(engine.program, position):
            return game.turns[position.turn].mover
        moves = engine.moves(position)
        if not moves:
            break
        position = engine.after(position, moves[0])
    players = [t.mover for t in game.turns[turn:] + game.turns if game.players[t.mover].kind == "player"]
    return players[0] if players else game.turns[turn].mover
