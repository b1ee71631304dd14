"""A rules file → what its page holds: engines, tables, words."""

from __future__ import annotations

from zrf_py.export import wasm
from zrf_py.export.drawing import drawing
from zrf_py.export.facts import Facts, facts
from zrf_py.export.payload import Payload
from zrf_py.export.searching import prepare
from zrf_py.play.game import Game

MOST_OWN = 2
"""Variants of a file up to which each gets an engine compiled for itself; more share the kernel for any game."""


def contents(games: list[Game]) -> tuple[Payload, Facts]:
    """The parts of a page with these games, all of one file, and its tables.

    :raises ZrfError: if one of them is too large for a page.
    """
    payload = Payload()
    all_prepared = [prepare(game) for game in games]
    kinds = {prepared.parts.kind for prepared in all_prepared}
    is_own = [len(games) <= MOST_OWN and prepared.is_small for prepared in all_prepared]
    images = [wasm.own(prepared.parts) if own else wasm.any_game(prepared.parts, kinds)
              for prepared, own in zip(all_prepared, is_own, strict=True)]
    tables = [{**facts(game, prepared.layout), "search": prepared.facts, "drawing": drawing(game)}
              for game, prepared in zip(games, all_prepared, strict=True)]
    return payload, payload.page(list(zip(tables, images, strict=True)))
