"""Appearance of a game's players and pieces: colours, rims, symbols and letters, according to `looks.json`.

The table maps names of pieces to symbols, and names of players to colours. Names outside the table get letters and the
next free colour, so that unknown games look as tidy as known ones. Terminals draw the pieces of a game for two players
as Unicode characters if the table has one for every type.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from zrf_py.front.model import Game
from zrf_py.play.letters import without_player
from zrf_py.view.symbols import PieceSymbols


@dataclass(frozen=True, slots=True)
class Look:
    """A player (`kind`: "player", "random" or "neutral"), the colours (`#rrggbb`) of the pieces and of the symbol on
    them, and the number of the pattern along their edge, which tells players apart without colour."""

    name: str
    kind: str
    fill: str
    ink: str
    rim: int


@cache
def table() -> Mapping[str, Any]:
    """Return the contents of `looks.json`."""
    loaded: Mapping[str, Any] = json.loads(Path(__file__).with_name("looks.json").read_text("utf-8"))
    return loaded


class Looks:
    """Appearance of the players and pieces of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.symbols = PieceSymbols(game)
        self.players = _players(game)
        self._set = self._find_set()
        self._glyphs = self._unique_glyphs()
        start = {k for _, k, _ in game.setup} | {k for _, k, n in game.stores if n}
        used = [k for k in self.symbols.kinds if k in start] or self.symbols.kinds
        self.bare = all(self._is_figure(k) for k in used) and len(self.symbols.owners) <= 2
        """True if pieces are figures drawn directly on the board, not discs with a symbol."""

    def shape(self) -> str:
        """Return the shape of the pieces, "wedge" or "coin", if `looks.json` has a piece set for the game; else ""."""
        return str(self._set.get("shape", ""))

    def sign(self, player: int, kind: int) -> str:
        """Return the character on a piece of the game's piece set; "" for a piece without one."""
        name = _plain(without_player(self.game, self.game.pieces[kind].name))
        others = self._set.get("others", {}) if self.players[player].rim else {}
        return str(others.get(name) or self._set.get("signs", {}).get(name, ""))

    def is_plain(self) -> bool:
        """Return True if boards for the game's piece set have a single shade."""
        return bool(self._set.get("plain", False))

    def lines(self) -> Mapping[str, str]:
        """Return the names of the zones that change the lines of the board, `palace` and `banks`: see `scene.py`."""
        return {name: self._set[name] for name in ("palace", "banks") if name in self._set}

    def ink(self, player: int, kind: int) -> str:
        """Return the colour of a character: on coins the player's; on wedges black, or red for promoted pieces."""
        if self.shape() == "wedge":
            return str(self._set["ink"][self.sign(player, kind) in self._set.get("raised", ())])
        fill = self.players[player].fill
        return str(self._set.get("inks", {}).get(fill, fill))

    def _find_set(self) -> Mapping[str, Any]:
        """Return the first piece set that covers all types of the game and whose `when` types all occur; {} if none."""
        names = {_plain(self.game.pieces[k].name) for k in self.symbols.kinds}
        return next((entry for entry in table()["sets"] if set(entry["when"]) <= names <= entry["signs"].keys()), {})

    def label(self, kind: int) -> str:
        """Return a type's unique letters, one or two; "" if pieces differ by player only."""
        return "" if self.symbols.by_player_only else self.symbols.types.get(kind, self.game.pieces[kind].name[:2])

    def glyph(self, player: int, kind: int) -> str:
        """Return the name of a piece's symbol in the table, or ""."""
        if self.symbols.by_player_only and kind in self.symbols.kinds:
            return str(table()["marks"].get(_plain(self.game.players[player].name), "blank"))
        return self._glyphs.get(kind, "")

    def _is_figure(self, kind: int) -> bool:
        glyph = self._glyphs.get(kind, "")
        return bool(glyph and table()["glyphs"][glyph.rstrip(MARK)]["body"])

    def _unique_glyphs(self) -> dict[int, str]:
        """Assign symbols to types; if types of one player share a symbol, further ones get marks (`*`)."""
        owners: dict[int, set[int]] = defaultdict(set)
        for player, kind, _ in (*self.game.setup, *self.game.stores):
            owners[kind].add(player)
        glyphs: dict[int, str] = {}
        for kind in self.symbols.kinds:
            glyph = self._glyph_of(self.game.pieces[kind].name)
            rivals = [k for k, g in glyphs.items() if g.rstrip(MARK) == glyph]
            like = sum(not owners[k] or not owners[kind] or bool(owners[k] & owners[kind]) for k in rivals)
            if glyph:
                glyphs[kind] = glyph + MARK * min(like, MAX_MARKS)
        return self._unmixed(glyphs)

    def _glyph_of(self, name: str) -> str:
        """Look up the symbol of a name: whole, without the player's name, by its last word or its first; "" if none."""
        own = without_player(self.game, name)
        words = _WORD.findall(own)
        names = table()["names"]
        return next((names[word] for word in map(_plain, (name, own, *words[-1:], *words[:1])) if word in names), "")

    def _unmixed(self, glyphs: dict[int, str]) -> dict[int, str]:
        """Avoid letters among figures: types without a symbol get plain symbols; if they outnumber the figures or the
        plain symbols, drop the figures instead."""
        nameless = [k for k in self.symbols.kinds if k not in glyphs]
        figures = [k for k, glyph in glyphs.items() if is_figure(glyph)]
        if not nameless or not figures:
            return glyphs
        plain = table()["plain"]
        if len(nameless) <= min(len(figures), len(plain)):
            return glyphs | dict(zip(nameless, plain, strict=False))
        return {k: glyph for k, glyph in glyphs.items() if not is_figure(glyph)}


MARK = "*"
"""Suffix of a symbol's name, repeated for each mark on the piece."""
MAX_MARKS = 3

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def is_figure(glyph: str) -> bool:
    """Return True if a symbol is a figure, not the outline of the piece itself."""
    drawn = table()["glyphs"][glyph.rstrip(MARK)]
    return bool(drawn["body"]) and not drawn.get("base")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _players(game: Game) -> tuple[Look, ...]:
    """Choose colours by the players' names if these are colours; other players get the next free colours."""
    colours: Mapping[str, tuple[str, str]] = table()["colours"]
    names = [_plain(p.name) for p in game.players]
    real = game.playing
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
        player = game.players[i]
        looks.append(Look(player.name, player.kind, *colours[colour], real.index(same[0]) if same else 0))
    return tuple(looks)


def goes_down(game: Game, player: int) -> bool:
    """Return True if a player sits at the top of the board: the symmetry inverts a direction that leads up, or, without
    a symmetry, the player's pieces start in the upper two fifths on average."""
    board = game.board
    turned = board.symmetry[player]
    for direction, (_, dy) in enumerate(slopes := [_slope(game, d) for d in range(len(board.directions))]):
        if dy < 0 and turned[direction] != direction:
            return slopes[turned[direction]][1] > 0
    middles = [(p.rectangle[1] + p.rectangle[3]) / 2 for p in board.places]
    own = [middles[square] for p, _, square in game.setup if p == player]
    top, bottom = min(middles, default=0), max(middles, default=0)
    return bool(own) and sum(own) / len(own) < top + 0.4 * (bottom - top)


def _slope(game: Game, direction: int) -> tuple[float, float]:
    """Return the average offset (dx, dy) of a direction's links, in pixels."""
    places = game.board.places
    steps = [(places[b].rectangle[0] - places[a].rectangle[0], places[b].rectangle[1] - places[a].rectangle[1])
             for a, b in enumerate(game.board.links[direction]) if b >= 0]
    count = len(steps) or 1
    return sum(dx for dx, _ in steps) / count, sum(dy for _, dy in steps) / count


def figures_of(game: Game) -> PieceSymbols:
    """Return the characters of a game's pieces: figures if two players own all and each type has one, else letters."""
    looks, letters = Looks(game), PieceSymbols(game)
    characters = table()["characters"]
    pairs = {kind: characters.get(looks.glyph(0, kind), "") for kind in letters.kinds}
    is_fit = all(pairs.values()) and len(set(pairs.values())) == len(pairs) and len(letters.owners) == 2
    return Figures(game, pairs) if is_fit and looks.bare and not letters.shared else letters


class Figures(PieceSymbols):
    """One character for each piece; `characters` holds for each type those of the first and the second player."""

    def __init__(self, game: Game, characters: dict[int, str]) -> None:
        self.characters = characters
        super().__init__(game)

    def _make(self, player: int, kind: int) -> str:
        of_both = self.characters.get(kind, "")
        return of_both[player != self.owners[0]] if of_both else super()._make(player, kind)

    def legend(self, kinds: Iterable[int]) -> list[str]:
        """Return the characters and the name of each type, then one character of each player with the player's name."""
        first, second = (self.game.players[p].name for p in self.owners)
        shown = [k for k in self.kinds if k in {*kinds}]
        words = [f"{self.characters[k]} {self.game.pieces[k].name}" for k in shown]
        return [*words, *(f"{self._symbols[p, k]} {name}" for p, name, k in
                          zip(self.owners, (first, second), shown[:1] * 2, strict=False))]
