"""Positions that users set up in the position editor: drawn, and with the record that leads to them."""

from typing import Any

from zrf_py.play.edits import edits
from zrf_py.play.game import Game
from zrf_py.play.zsg import record, write_game
from zrf_py.text.diagnostics import ZrfError
from zrf_py.view.describe import describe
from zrf_py.view.drawings import board_svg


def draft(game: Game, rules_file: str, men: list[list[int]], stores: list[list[int]], player: str) -> dict[str, Any]:
    """Return a position: these men ([place, player, type]), stores ([player, type, number]), `player` to move; `svg`
    and `bitmaps`, `line` (its changes from the start), `text` (the saved game), `outcome` (None while it goes on),
    `moves` (how many legal ones), `player`.

    :raises ZrfError: if a number is out of range.
    """
    rules = game.program.game
    names = [p.name for p in rules.players]
    try:
        placed = {at: (_below(p, names), _below(kind, rules.pieces)) for at, p, kind in men
                  if _below(at, rules.board.places) == at}
        held = [((_below(p, names), _below(kind, rules.pieces)), number) for p, kind, number in stores]
    except IndexError:
        raise ZrfError("this game has no such place, player or piece", "bad-message") from None
    line = edits(game.program, game.start().state, placed, held, names.index(player) if player in names else -1)
    position = game.position("\n".join(line))
    seen = describe(position)
    drawing, bitmaps = board_svg(position)
    return {"svg": drawing, "bitmaps": bitmaps, "line": line, "moves": len(seen["legs"]), "player": position.player,
            "outcome": seen["outcome"], "text": write_game(record(position, rules_file, ""))}


def _below(number: int, sequence: Any) -> int:
    """Return a number that must be an index of `sequence`.

    :raises IndexError: if it isn't.
    """
    sequence[number]
    return number
