"""The parts of a game's drawings, which a page assembles as `view/svg.py` does."""

from typing import Any

from zrf_py.play.game import Game
from zrf_py.view.scene import Scene, scene, stage_of
from zrf_py.view.svg import FRAME, LINE, PAPER, TEXT, Drawing, Style
from zrf_py.view.tokens import Tokens


def drawing(game: Game) -> dict[str, Any]:
    """Return the parts that all drawings of a game share: its places, the looks of its kinds of pieces, the ground."""
    stage = stage_of(game, True)
    seen = scene(game.start(), last_move=(), held=False)
    drawn = Drawing(seen, Style(every=True))
    _, *ground = drawn.board()
    pieces = game.program.game.pieces
    return {
        "title": seen.title, "width": seen.width, "bottom": stage.below, "unit": seen.unit, "paper": PAPER,
        "board": "\n".join(ground), "frame": FRAME, "line": LINE, "ink": TEXT,
        "touch": {kind: drawn.touch(kind) for kind in ("from", "to")},
        "traces": [drawn.trace(place.index) for place in seen.places],
        "places": [[p.index, p.x, p.y, p.w, p.h, p.room, p.stack] for p in seen.places],
        "hidden": [k for k, p in enumerate(pieces) if p.dummy and not p.images],
        "kinds": [[token.player, token.kind] for token in seen.kinds],
        "pointed": [[p, k] for (p, k), token in stage.tokens.items() if token.turned is not None],
        "sizes": [[p, k, *stage.sizes[token.image]] for (p, k), token in stage.tokens.items() if token.image],
        "symbols": _symbols(seen, stage.tokens.values(), drawn),
    }


def _symbols(seen: Scene, tokens: Any, drawn: Drawing) -> list[list[Any]]:
    """Return [player, type, symbol] for every piece that may stand on the board."""
    rows = []
    for token in tokens:
        single = Tokens(seen, "")
        single.use(token, seen.unit)
        rows.append([token.player, token.kind, *single.definitions(drawn.href)])
    return rows
