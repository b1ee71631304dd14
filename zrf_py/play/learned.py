"""Weights for a game's winning chances: shipped with the package, cached on disk, or learned on demand.

The key is a hash of the text of the rules without comments and layout: any other change invalidates the weights.
The table for the shelf is `rules/chances.json`; `python -m tests.chances_table` rebuilds it.
"""

import json
import re
from functools import lru_cache

from zrf_py import cache
from zrf_py.data import data_file
from zrf_py.library import contents, read_source
from zrf_py.play import packing
from zrf_py.play.chances import Samples, Weights, fit, play_more, unfitted
from zrf_py.play.game import Game
from zrf_py.search.game_search import search_for
from zrf_py.text.diagnostics import ZrfError

VERSION = "3"
"""Version of the model in `chances.py`: a change invalidates all weights on disk and in the table."""
TABLE = "rules/chances.json"
_TOKENS = re.compile(r'("[^"]*")|(?:;[^\n]*|\s+)+')
_known: dict[str, Weights] = {}


@lru_cache(maxsize=16)
def key_of(game: Game) -> str:
    """Return a cache key: a hash of a game's number, title and rules (with includes, without comments and layout)."""
    own = [] if game.path is None else [read_source(game.path).text]
    texts = [_TOKENS.sub(lambda match: match[1] or " ", text).strip() for text in own + packing.texts_of(game.program)]
    return cache.key("chances", VERSION, str(game.program.game.number), game.title, *dict.fromkeys(texts))


def weights_of(game: Game, seconds: float = 0.0) -> tuple[Weights | None, Samples]:
    """Return the weights of a game; if there are none, play games for `seconds` of processor time and fit them.

    The weights are None if that was too short. The samples (none for known weights) are returned, too, and cached.

    :raises ZrfError: if the game can't be played to its end.
    """
    key = key_of(game)
    weights = _known.get(key) or shipped().get(key) or _stored(key)
    samples = Samples()
    if weights is None:
        samples = Samples(**json.loads(cache.load(f"{key}-part") or b"{}"))
        if not samples.are_enough and seconds > 0:
            play_more(game.program, search_for(game.program).engine, samples, 1, seconds)
            cache.store(f"{key}-part", json.dumps(vars(samples)).encode())
        if not samples.are_enough:
            return None, samples
        weights = fit(samples)
        cache.store(key, json.dumps(vars(weights)).encode())
    _known[key] = weights
    return weights, samples


def known(game: Game) -> Weights:
    """Return the weights of a game, or the general ones if its own are unknown."""
    weights, _ = weights_of(game)
    return weights if weights and weights.weights else unfitted(game.program)


@lru_cache(maxsize=1)
def shipped() -> dict[str, Weights]:
    """Return the weights that ship with the package, by `key_of`; empty if the table can't be read."""
    try:
        table = json.loads(contents(data_file(TABLE)))
    except (FileNotFoundError, ZrfError, ValueError):
        return {}
    return {row["rules"]: Weights(row["weights"], row["loss"], row["blind"]) for row in table}


def _stored(key: str) -> Weights | None:
    data = cache.load(key)
    return Weights(**json.loads(data)) if data else None
