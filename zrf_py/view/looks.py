"""A game → how its players and pieces look: colours, rims, symbols and letters, by the table `looks.json`.

The table is data: names of pieces and symbols for them, names of colours and colours for the players who have them.
What isn't in it gets letters and the next free colour, so a game of its own looks as tidy as a known one.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from zrf_py.front.model import Game
from zrf_py.view.symbols import PieceSymbols


@dataclass(frozen=True, slots=True)
class Look:
    """A player's colours (fill, ink: `#rrggbb`) and rim, a number: with it players differ in grey, too."""

    fill: str
    ink: str
    rim: int


@cache
def table() -> Mapping[str, Any]:
    """The contents of `looks.json`."""
    loaded: Mapping[str, Any] = json.loads(Path(__file__).with_name("looks.json").read_text("utf-8"))
    return loaded


class Looks:
    """How the players and the pieces of one game look."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symbols = PieceSymbols(game)
        self.players = _players(game)
        self._glyphs = self._unique_glyphs()
        used = [k for k in self.symbols.kinds if k in _kinds_in_play(game)] or self.symbols.kinds
        self.bare = all(self._is_figure(k) for k in used) and len(self.symbols.seen) <= 2
        """Whether pieces are figures that stand on the board themselves, not discs with something on them."""

    def label(self, kind: int) -> str:
        """One or two letters that no other type of the game has; "" where there is only one type."""
        return "" if self.symbols.by_player_only else self.symbols.types.get(kind, self.game.pieces[kind].name[:2])

    def glyph(self, player: int, kind: int) -> str:
        """The name in the table of the symbol of a player's piece, or ""."""
        if self.symbols.by_player_only and kind in self.symbols.kinds:
            return str(table()["marks"].get(_plain(self.game.players[player].name), "blank"))
        return self._glyphs.get(kind, "")

    def _is_figure(self, kind: int) -> bool:
        glyph = self._glyphs.get(kind, "")
        return bool(glyph and table()["glyphs"][glyph]["body"])

    def _unique_glyphs(self) -> dict[int, str]:
        """Symbols by type; where two types of one player would have the same, only the first has it."""
        names = table()["names"]
        owners: dict[int, set[int]] = defaultdict(set)
        for player, kind, _ in (*self.game.setup, *self.game.stores):
            owners[kind].add(player)
        found: dict[int, str] = {}
        for kind in self.symbols.kinds:
            name = self.game.pieces[kind].name
            glyph = names.get(_plain(name)) or names.get(_plain(self._without_player(name)), "")
            rivals = [k for k, g in found.items() if g == glyph]
            if glyph and all(owners[k] and owners[kind] and not owners[k] & owners[kind] for k in rivals):
                found[kind] = glyph
        return found

    def _without_player(self, name: str) -> str:
        """`Man` for `WhiteMan`, `White-Man` or `W-Man`."""
        players = [p.name.lstrip("?").casefold() for p in self.game.players]
        first, _, rest = name.replace("_", "-").partition("-")
        if rest and any(p.startswith(first.casefold()) for p in players):
            return rest
        return next((name[len(p):] for p in players if p and name.casefold().startswith(p)), name)


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _kinds_in_play(game: Game) -> set[int]:
    """Types that stand on the board or in a store at the start."""
    return {k for _, k, _ in game.setup} | {k for _, k, n in game.stores if n}


def _players(game: Game) -> tuple[Look, ...]:
    """Colours by the players' names where those are colours; the others have what is left."""
    colours: Mapping[str, tuple[str, str]] = table()["colours"]
    names = [_plain(p.name) for p in game.players]
    real = [i for i, p in enumerate(game.players) if p.kind == "player"]
    chosen = {i: names[i] for i in range(len(names)) if names[i] in colours}
    order = table()["alone"] if len(real) == 1 else table()["two"] if len(real) == 2 else table()["many"]
    used = {tuple(colours[c]) for c in chosen.values()}
    free = [c for c in [*order, *table()["many"]] if tuple(colours[c]) not in used]
    for i in real:
        if i not in chosen:
            chosen[i] = free.pop(0) if free else order[i % len(order)]
    by_name = {names[i]: chosen[i] for i in real}
    looks = []
    for i in range(len(names)):
        other = table()["chance" if game.players[i].kind == "random" else "neutral"]
        colour = chosen.get(i) or by_name.get(names[i]) or other
        same = [j for j in real if j == i or names[j] == names[i]]
        looks.append(Look(*colours[colour], real.index(same[0]) if same else 0))
    return tuple(looks)
