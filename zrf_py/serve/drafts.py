"""Positions that users set up in the position editor: their drawings, and the records that lead to them."""

from typing import Any

from zrf_py.play.edits import edits
from zrf_py.play.game import Game
from zrf_py.play.zsg import record, write_game
from zrf_py.text.diagnostics import ZrfError
from zrf_py.view.describe import describe
from zrf_py.view.drawings import board_svg


def draft(game: Game, rules_file: str, men: list[list[int]], stores: list[list[int]], player: str) -> dict[str, Any]:
    """Describe the position with the pieces `men` ([place, player, type]) and `stores` ([player, type, number]), and
    `player` to move. The result has `svg` and `bitmaps`, `line` (the edits from the start), `text` (the saved game),
    `outcome` (None if the game isn't over), `moves` (the number of legal moves) and `player`.

    No number may be negative.

    :raises ZrfError: if a number is too large.
    """
    rules = game.program.game
    names = [p.name for p in rules.players]
    placed = {at: (owner, kind) for at, owner, kind in men}
    held = [((owner, kind), number) for owner, kind, number in stores]
    used = [*placed.values(), *(man for man, _ in held)]
    if max(placed, default=0) >= len(rules.board.places) or any(
            owner >= len(names) or kind >= len(rules.pieces) for owner, kind in used):
        raise ZrfError("this game has no such place, player or piece", "bad-message")
    line = edits(game.program, game.start().state, placed, held, names.index(player) if player in names else -1)
    position = game.position("\n".join(line))
    seen = describe(position)
    drawing, bitmaps = board_svg(position)
    return {"svg": drawing, "bitmaps": bitmaps, "line": line, "moves": len(seen["legs"]), "player": position.player,
            "outcome": seen["outcome"], "text": write_game(record(position, rules_file, ""))}
