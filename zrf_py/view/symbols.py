"""Letter symbols of pieces: a unique abbreviation for each type, with the player encoded as well.

With two players, the first has capitals and the second small letters; with more, a player's letter precedes that of
the type. If there is only one type, the player's letter is enough. Neutral pieces have small letters.
"""

from collections.abc import Iterable, Sequence

from zrf_py.front.model import Game
from zrf_py.play.letters import FEW_TYPES, abbreviations


class PieceSymbols:
    """Letter symbols of one game, by `symbol(player, piece)`, at most `width` characters each."""

    def __init__(self, game: Game) -> None:
        self.game = game
        owners = _players_with_pieces(game)
        self.owners = [p for p in owners if game.players[p].kind == "player"] or owners
        own = {k for p, k, _ in game.setup if p in self.owners}
        self.shared = {k for p, k, _ in game.setup if p not in self.owners} & own
        self.kinds = [i for i, p in enumerate(game.pieces) if not p.dummy] or list(range(len(game.pieces)))
        self.types = dict(zip(self.kinds, abbreviations(_short_names(game, self.kinds)), strict=True))
        self.players = dict(zip(self.owners, abbreviations([game.players[p].name.lstrip("?") for p in self.owners]),
                                strict=True))
        self.by_player_only = len(self.kinds) == 1 and len(self.owners) > 1
        self.by_case = len(self.owners) <= 2 and not self.by_player_only
        self._symbols = {(player, kind): self._make(player, kind)
                         for player in range(len(game.players)) for kind in range(len(game.pieces))}
        used = [self._symbols[p, k] for p in range(len(game.players)) for k in self.kinds]
        self.width = max(map(len, used), default=1)

    def _make(self, player: int, kind: int) -> str:
        letters = self.types.get(kind) or self.game.pieces[kind].name[:2]
        if player not in self.owners:
            return letters.lower()
        owner = self.players.get(player, self.game.players[player].name.lstrip("?")[:1] or "?")
        if self.by_player_only:
            return owner
        if self.by_case:
            return letters.upper() if not self.owners or player == self.owners[0] else letters.lower()
        return owner + letters.lower()

    def symbol(self, player: int, kind: int) -> str:
        return self._symbols[player, kind]

    def legend(self, kinds: Iterable[int]) -> list[str]:
        """Return `K King` for each type (in `kinds`, if there are many), then an explanation of the players; only the
        latter if letters stand for players."""
        kinds = self.kinds if len(self.kinds) <= FEW_TYPES else kinds
        if self.by_player_only:
            return [f"{self.players[p]} {self.game.players[p].name}" for p in self.owners
                    if self.players[p] != self.game.players[p].name]
        words = [f"{(self.types[k].upper() if self.by_case else self.types[k].lower())} {self.game.pieces[k].name}"
                 for k in kinds if k in self.types]
        if self.by_case and len(self.owners) == 2:
            first, second = (self.game.players[p].name for p in self.owners)
            words += [f"{first}: CAPITALS", f"{second}: small letters"]
        elif not self.by_case:
            words += [f"{self.players[p]}… {self.game.players[p].name}" for p in self.owners]
        if self.shared:
            words.append("neutral: small letters")
        return words


def _players_with_pieces(game: Game) -> list[int]:
    """Return the players that may own pieces on the board: owners of pieces at the start, and players with turns."""
    owners = {p for p, _, _ in game.setup} | {p for p, _, n in game.stores if n}
    movers = {t.side for t in game.turns if game.players[t.side].kind == "player"}
    return sorted(owners | movers)


def _short_names(game: Game, kinds: Sequence[int]) -> list[str]:
    """Return each type's notation if it is short and all notations are unique, else its name."""
    notations = [game.pieces[k].notation for k in kinds]
    usable = len({n.upper() for n in notations}) == len(kinds)
    return [n if usable and 0 < len(n) <= 2 and n.isalnum() else game.pieces[k].name
            for k, n in zip(kinds, notations, strict=True)]
