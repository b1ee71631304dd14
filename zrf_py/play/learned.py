"""Game → the weights that its chances to win are computed from: shipped with the package, kept on disk, or learned now.

Weights belong to the rules as they are written, comments and blanks apart: under any other rules they are not found.
The table for the shelf is `rules/chances.json`; `python -m tests.chances_table` remakes it.
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
"""Changes with `chances.py`, so that weights fitted before are neither found on disk nor in the table."""
TABLE = "rules/chances.json"
_TOKENS = re.compile(r'("[^"]*")|(?:;[^\n]*|\s+)+')
_known: dict[str, Weights] = {}


@lru_cache(maxsize=16)
def key_of(game: Game) -> str:
    """A name for the rules of a game by the texts of its file and of what that includes; the same for the same rules,
    however they are commented and laid out."""
    own = [] if game.path is None else [read_source(game.path).text]
    texts = [_TOKENS.sub(lambda found: found[1] or " ", text).strip() for text in own + packing.texts_of(game.program)]
    return cache.key("chances", VERSION, str(game.program.game.number), game.title, *dict.fromkeys(texts))


def weights_of(game: Game, seconds: float = 0.0) -> tuple[Weights | None, Samples]:
    """The weights of a game; where there are none, games are played for so many `seconds` of processor time.

    None if that was too little: the games that were played, which come with the answer, are kept for the next time.

    :raises ZrfError: if the game can't be played to its end.
    """
    key = key_of(game)
    found = _known.get(key) or shipped().get(key) or _kept(key)
    samples = Samples()
    if found is None:
        samples = Samples(**json.loads(cache.load(f"{key}-part") or b"{}"))
        if not samples.are_enough and seconds > 0:
            play_more(game.program, search_for(game.program).engine, samples, 1, seconds)
            cache.store(f"{key}-part", json.dumps(vars(samples)).encode())
        if not samples.are_enough:
            return None, samples
        found = fit(samples)
        cache.store(key, json.dumps(vars(found)).encode())
    _known[key] = found
    return found, samples


def known(game: Game) -> Weights:
    """The weights of a game, as far as they are known; else those that stand for all games."""
    found, _ = weights_of(game)
    return found if found and found.weights else unfitted(game.program)


@lru_cache(maxsize=1)
def shipped() -> dict[str, Weights]:
    """The weights that came with the package, by the key of their rules; nothing where the table can't be read."""
    try:
        table = json.loads(contents(data_file(TABLE)))
    except (FileNotFoundError, ZrfError, ValueError):
        return {}
    return {row["rules"]: Weights(row["weights"], row["loss"], row["blind"]) for row in table}


def _kept(key: str) -> Weights | None:
    data = cache.load(key)
    return Weights(**json.loads(data)) if data else None
