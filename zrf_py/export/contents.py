"""The contents of the page of a rules file: engines, tables, words."""

import math
from contextlib import suppress

from zrf_py.export import wasm
from zrf_py.export.drawing import drawing
from zrf_py.export.facts import Facts, facts
from zrf_py.export.payload import Payload
from zrf_py.export.searching import prepare
from zrf_py.play import chances, learned
from zrf_py.play.game import Game
from zrf_py.text.diagnostics import ZrfError

MOST_OWN = 2
"""Most variants of a file that each get an engine of their own; beyond it they share the kernel for any game."""


def contents(games: list[Game], learn: bool = False) -> tuple[Payload, Facts]:
    """Return the payload of a page with these games, all of one file, and its tables. With `learn`, games are played to
    fit the weights of win chances that are unknown.

    :raises ZrfError: if one of them is too large for a page.
    """
    payload = Payload()
    all_prepared = [prepare(game) for game in games]
    kinds = {prepared.parts.kind for prepared in all_prepared}
    is_own = [len(games) <= MOST_OWN and prepared.is_small for prepared in all_prepared]
    images = [wasm.own(prepared.parts) if own else wasm.any_game(prepared.parts, kinds)
              for prepared, own in zip(all_prepared, is_own, strict=True)]
    tables = [{**facts(game, prepared.layout), "search": prepared.facts, "drawing": drawing(game),
               "chances": _chances(game, learn) if prepared.facts else None}
              for game, prepared in zip(games, all_prepared, strict=True)]
    return payload, payload.page(list(zip(tables, images, strict=True)))


def _chances(game: Game, learn: bool) -> Facts:
    """Return the weights of win chances; those of the general curve if the game has none."""
    weights = None
    with suppress(ZrfError):  # the game may fail before its end
        weights, _ = learned.weights_of(game, math.inf if learn else 0.0)
    other = chances.unfitted(game.program)
    return {"weights": (weights or other).weights or other.weights, "tells": (weights or other).tells}
