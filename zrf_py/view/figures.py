"""Unicode piece characters for terminals, for games of two players whose types all have one in `looks.json`."""

from collections.abc import Iterable

from zrf_py.front.model import Game
from zrf_py.view.looks import Looks, table
from zrf_py.view.symbols import PieceSymbols


def figures_of(game: Game) -> PieceSymbols:
    """Return the characters of a game's pieces; letters if a type has no character or two types share one."""
    looks, letters = Looks(game), PieceSymbols(game)
    characters = table()["characters"]
    pairs = {kind: characters.get(looks.glyph(0, kind), "") for kind in letters.kinds}
    is_fit = all(pairs.values()) and len(set(pairs.values())) == len(pairs) and len(letters.seen) == 2
    return Figures(game, pairs) if is_fit and looks.bare and not letters.shared else letters


class Figures(PieceSymbols):
    """One character for each piece; `characters` holds for each type those of the first and the second player."""

    def __init__(self, game: Game, characters: dict[int, str]) -> None:
        self.characters = characters
        super().__init__(game)

    def _make(self, player: int, kind: int) -> str:
        of_both = self.characters.get(kind, "")
        return of_both[player != self.seen[0]] if of_both else super()._make(player, kind)

    def legend(self, kinds: Iterable[int]) -> list[str]:
        """Return the characters and the name of each type, then one character of each player with the player's name."""
        first, second = (self.game.players[p].name for p in self.seen)
        shown = [k for k in self.kinds if k in {*kinds}]
        words = [f"{self.characters[k]} {self.game.pieces[k].name}" for k in shown]
        return [*words, *(f"{self._symbols[p, k]} {name}" for p, name, k in
                          zip(self.seen, (first, second), shown[:1] * 2, strict=False))]
