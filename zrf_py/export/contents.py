"""Contents of the page of a rules file: engines, tables, and the parameters of its search.

Everything that a search measures before its first move is measured here, once; a page only searches.
"""

import math
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Any

from zrf_py.export import wasm
from zrf_py.export.facts import Facts, drawing, facts
from zrf_py.export.payload import Payload
from zrf_py.export.wasm import Parts
from zrf_py.jit.loader import IN_BROWSER
from zrf_py.native import code, extension
from zrf_py.native.errors import TooLarge
from zrf_py.native.layout import Layout, lay_out
from zrf_py.native.machine import Machine
from zrf_py.play import chances, learned
from zrf_py.play.game import Game
from zrf_py.search.driver import mcts_settings
from zrf_py.search.evaluation import deadlines, weights
from zrf_py.search.game_search import GameSearch, search_for
from zrf_py.text.diagnostics import ZrfError


@dataclass(frozen=True)
class Prepared:
    """The engine's parts and the parameters of the page's search (None: no search). `is_small` is True if the game can
    get an engine of its own: it is small enough, and there is a compiler."""

    parts: Parts
    facts: dict[str, Any] | None
    is_small: bool

    @property
    def layout(self) -> Layout:
        return self.parts.layout


class CodelessMachine(Machine):
    """Memory of a game without machine code: its arrays are filled here, for the kernel of a page."""

    def make_ready(self) -> None:
        """Allocate the memory on first use; there is no code to load or to switch to."""
        assert self.layout is not None
        self.grows = False
        self.arrays = self.arrays or {storage.name: self._memory(self.layout, storage)
                                      for storage in extension.ARRAYS + self.also.arrays}


def prepare(game: Game) -> Prepared:
    """Choose a search for the game and measure its weights; in a browser the interpreter measures them.

    :raises ZrfError: if the game is too large for machine code.
    """
    program = game.program
    try:
        search = GameSearch(program, machine=CodelessMachine) if IN_BROWSER else search_for(program)
        base = search.base
        if base is None:
            return _plain(game)
        searcher = base.searcher
        assert searcher.machine.layout is not None
        is_small = not IN_BROWSER and code.is_small(lay_out(program))
        layout = code.knowing(program, searcher.machine.layout) if is_small else searcher.machine.layout
        parts = Parts(program, layout, searcher.machine.also, search.kind, searcher.measured())
        table = {
            "kind": search.kind, "players": base.traits.players, "late": deadlines.LATE, "step": weights.STEP,
            "deadlines": [{"player": d.player, "kinds": sorted(d.kinds), "squares": list(d.squares), "turns": d.turns}
                          for d in base.deadlines],
            "manner": {name: int(value) for name, value in asdict(mcts_settings(base.weights, base.lines)).items()},
            "rows": {name: getattr(layout.params, name) for name in ("squares", "stores", "keeps")},
        }
        return Prepared(parts, table, is_small)
    except TooLarge:
        raise ZrfError("this game is too large for a page; only the interpreter can play it", "too-large") from None


def _plain(game: Game) -> Prepared:
    """Return the parts of an engine without search."""
    layout = lay_out(game.program)
    is_small = not IN_BROWSER and code.is_small(layout)
    return Prepared(Parts(game.program, code.knowing(game.program, layout) if is_small else layout), None, is_small)


MOST_OWN = 2
"""Maximum number of variants with engines of their own; if a file has more, all share the generic kernel."""


def contents(games: list[Game], learn: bool = False, own: bool = True) -> tuple[Payload, Facts]:
    """Return the payload of a page with these games (all of one file), and the page's tables. With `learn`, a game
    without weights for winning chances is played many times to fit them. With `own` False, kernel and file name
    are left out, because the page has them already; the tables are for a generic kernel with all kinds of search.

    :raises ZrfError: if one of them is too large for a page.
    """
    payload = Payload()
    all_prepared = [prepare(game) for game in games]
    kinds = {prepared.parts.kind for prepared in all_prepared} if own else wasm.SEARCHES
    is_own = [own and len(games) <= MOST_OWN and prepared.is_small for prepared in all_prepared]
    images = [wasm.own(prepared.parts) if own else wasm.any_game(prepared.parts, kinds)
              for prepared, own in zip(all_prepared, is_own, strict=True)]
    given: Facts = {} if own else {"rules": ""}
    images = images if own else [replace(image, module=b"") for image in images]
    tables = [{**facts(game, prepared.layout), "search": prepared.facts, "drawing": drawing(game),
               "chances": _chances(game, learn) if prepared.facts else None, **given}
              for game, prepared in zip(games, all_prepared, strict=True)]
    return payload, payload.page(list(zip(tables, images, strict=True)))


def _chances(game: Game, learn: bool) -> Facts:
    """Return the weights for winning chances; those of the general curve if the game has none."""
    weights = None
    with suppress(ZrfError):  # the game may fail before its end
        weights, _ = learned.weights_of(game, math.inf if learn else 0.0)
    other = chances.unfitted(game.program)
    return {"weights": (weights or other).weights or other.weights, "tells": (weights or other).tells}
