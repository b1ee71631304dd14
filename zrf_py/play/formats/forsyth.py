"""Positions in Forsyth notation: FEN for games of the chess family, SFEN for those of the shogi family.

    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
    lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1

Letters are upper case for the first player of the rules, lower case for the second; the first is `w` in FEN and `b` in
SFEN. Castling rights are derived: a player has one if castling would be legal with nothing on the board but the
player's pieces that have attributes. The en-passant square is written only if a capture there is legal.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby

from zrf_py.native.legs import asks_last
from zrf_py.play.edits import Man, turn_of
from zrf_py.play.formats.conventions import Codec, Row
from zrf_py.play.formats.score import Played, Score
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.letters import move_letters, without_player
from zrf_py.run.position import NOBODY
from zrf_py.run.position import Position as State
from zrf_py.text.diagnostics import Diagnostic, ZrfError
from zrf_py.text.suggest import clipped

CASTLING = {"O-O": "K", "O-O-O": "Q"}
"""Castling move → letter of the right to make it."""
HAND = re.compile(r"(\d{0,3})([A-Za-z])")


def bad_position(text: str, reason: str, help: str) -> ZrfError:
    """Return the error for a text that is not a position; `reason` names the part that is wrong."""
    return ZrfError([Diagnostic("bad-position", f"`{clipped(text)}`: {reason}", None, help=help)])


class Forsyth(Codec):
    """Reader and writer of positions."""

    def __init__(self, game: Game, row: Row) -> None:
        """:raises ZrfError: unless there are two players, a full grid, and a letter for each kind of piece."""
        super().__init__(game, row)
        if not self.grid.is_full:
            raise self.unfit("its board is not a full grid")
        own, pieces = row.get("letters", {}), self.rules.pieces
        stems = {kind: without_player(self.rules, pieces[kind].name) for kind in move_letters(self.rules)}
        self.letters = {kind: (own.get(pieces[kind].name) or letter or stems[kind][:1]).upper()
                        for kind, letter in move_letters(self.rules).items() if not pieces[kind].dummy}
        in_play = {(owner, kind) for owner, kind, _ in (*self.rules.setup, *self.rules.stores)}
        self.men: dict[tuple[int, str], int] = {}
        for man in ((player, kind) for player in self.players for kind in self.letters):
            letter = self.letters[man[1]]
            other = self.men.setdefault((man[0], letter), man[1])
            if not re.fullmatch(r"\+?[A-Z]", letter) or (other != man[1] and stems[other] != stems[man[1]]):
                raise self.unfit(f"`{letter}` is the letter of `{pieces[man[1]].name}`"
                                 + (f" and of `{pieces[other].name}`" if other != man[1] else ""))
            if man in in_play:
                self.men[man[0], letter] = man[1]

    def sign(self, player: int, letter: str) -> str:
        """Return a letter in a player's case: upper for the first player."""
        return letter.upper() if player == self.players[0] else letter.lower()

    def square_name(self, square: int) -> str:
        """Return the name of a square's file and rank, such as `e4`."""
        x, y = self.grid.cells[square]
        return f"{chr(97 + x)}{1 + y}"

    def write_fen(self, position: Position, clock: int = 0, number: int = 1) -> str:
        """Write a position as FEN; `clock` and `number` are the last two fields at the start of its game."""
        for after in [*position.line()][-2::-1]:
            if after.move and after.previous:
                clock = 0 if self._is_final(after.move) else clock + 1
                number += self.mover(after.previous)
        hands = self._hands(position.state)
        rights = [self.sign(player, letter) for player in self.players for letter, _ in self._castles(position, player)]
        board = self._board(position.state) + (f"[{hands}]" if hands or self._has_hands else "")
        return (f"{board} {'wb'[self.mover(position)]} {''.join(rights) or '-'} {self._passed(position) or '-'} "
                f"{clock} {number}")

    def write_sfen(self, position: Position, number: int = 1) -> str:
        """Write a position as SFEN; `number` is the last field at the start of its game."""
        number += sum(after.move is not None and not after.in_turn for after in position.line())
        hands = self._hands(position.state) or "-"
        return f"{self._board(position.state)} {'bw'[self.mover(position)]} {hands} {number}"

    def _is_final(self, move: Move) -> bool:
        """Return True if a move is irreversible: a capture, or a move of a type without `notation` (a pawn)."""
        kind = move.diff.piece
        return bool(move.captures) or kind < 0 or not self.rules.pieces[kind].notation

    def _board(self, state: State) -> str:
        """Write the ranks of the board, the highest first."""
        ranks = []
        for y in reversed(range(self.grid.ranks)):
            squares = [self.grid.at[x, y] for x in range(self.grid.files)]
            men = [self.sign(state.owner[i], self.letters[state.piece[i]]) if state.owner[i] != NOBODY else ""
                   for i in squares]
            ranks.append("".join("".join(run) if filled else str(len(list(run))) for filled, run in groupby(men, bool)))
        return "/".join(ranks)

    @property
    def _has_hands(self) -> bool:
        return bool(self.rules.options.recycle_captures)

    def _hands(self, state: State) -> str:
        """Write the pieces that the players hold, in the order of the rules, such as `RG2Pp`."""
        return "".join(f"{count if count > 1 else ''}{self.sign(player, self.letters[kind])}"
                       for player in self.players for kind, count in enumerate(state.stores[player])
                       if count and kind in self.letters)

    def _castles(self, position: Position, player: int) -> list[tuple[str, set[int]]]:
        """Return (letter of the right, squares of the two pieces) of each castling move that a player may still make.

        Before that, all pieces are taken away except those of the player that have attributes.
        """
        state, turn = position.state, turn_of(self.rules, player)
        if turn < 0 or not self.game.program.uses("cascade"):
            return []
        owner = tuple(player if at == player and bits else NOBODY
                      for at, bits in zip(state.owner, state.attributes, strict=True))
        probe = replace(state, owner=owner, turn=turn, last_from=-1, last_to=-1, chain=None, result=None,
                        piece=tuple(p if at != NOBODY else 0 for p, at in zip(state.piece, owner, strict=True)))
        pairs = [(CASTLING.get(self.game.writer.castled(move), ""), {start for start, _ in move.diff.moved})
                 for move in Position(self.game, probe).moves() if len(move.raw.movements) == 2]
        return sorted((pair for pair in pairs if pair[0]), key=lambda pair: pair[0])

    def _passed(self, position: Position) -> str:
        """Return the middle of the last move (en-passant square) if a move there captures the piece moved; else ""."""
        state, cells = position.state, self.grid.cells
        if not asks_last(position.game.program) or state.last_from not in cells or state.last_to not in cells:
            return ""
        (x, y), (x2, y2) = cells[state.last_from], cells[state.last_to]
        middle = self.grid.at[(x + x2) // 2, (y + y2) // 2]
        if (x + x2) % 2 or (y + y2) % 2 or state.owner[middle] != NOBODY:
            return ""
        takes = any(move.raw.key[1] == middle and state.last_to in move.diff.taken for move in position.moves())
        return self.square_name(middle) if takes else ""

    def read_fen(self, text: str) -> tuple[State, int, int]:
        """Parse FEN, of which only the first two fields are required; return (position, halfmove clock, move number).

        :raises ZrfError: if it is not a position of this game.
        """
        words = text.split()
        board, mover, castling, passed, *numbers = [*words, *("", "", "-", "-")[len(words) :]]
        board, _, hands = board.replace("]", "").partition("[")
        if mover not in ("w", "b", "r"):
            raise bad_position(text, "the second field is not the player to move", "write `w` or `b` after the board")
        state = self._state(text, board, hands, int(mover == "b"))
        state = self._with_rights(text, state, castling)
        if passed != "-":
            state = self._with_passed(text, state, passed)
        clock, number, *_ = [*map(_count, numbers), 0, 1]
        return state, clock, max(number, 1)

    def read_sfen(self, text: str) -> tuple[State, int]:
        """Parse SFEN; return (position, move number).

        :raises ZrfError: if it is not a position of this game.
        """
        board, mover, hands, number, *_ = [*text.split(), "", "", "", ""]
        if mover not in ("w", "b"):
            raise bad_position(text, "the second field is not the player to move", "write `b` or `w` after the board")
        return self._state(text, board, hands.replace("-", ""), int(mover == "w")), max(_count(number), 1)

    def man(self, text: str, sign: str, place: str) -> Man:
        """Return the piece that a sign stands for; `place` describes its place in the text, for messages.

        :raises ZrfError: if there is no such piece.
        """
        player = self.players[not sign[-1].isupper()]
        if (player, sign.upper()) not in self.men:
            raise bad_position(text, f"`{sign}` ({place}) is not a piece of {self.game.title}",
                               f"the pieces are {' '.join(sorted(set(self.letters.values())))}")
        return player, self.men[player, sign.upper()]

    def _state(self, text: str, board: str, hands: str, mover: int) -> State:
        """Return the position described by the fields `board` and `hands`."""
        grid, men, ranks = self.grid, dict[int, Man](), board.split("/")
        if len(ranks) != grid.ranks:
            raise bad_position(text, f"it has {len(ranks)} ranks, but the board has {grid.ranks}",
                               "separate ranks with `/`")
        for y, rank in enumerate(ranks):
            x = 0
            for item in re.findall(r"\d+|\+?.", rank.replace("~", "")):
                if not item.isdecimal():
                    man = self.man(text, item, f"rank {y + 1} from the top")
                    men[grid.at.get((x, grid.ranks - 1 - y), -1)] = man
                x += min(_count(item), grid.files + 1) if item.isdecimal() else 1
            if x != grid.files:
                raise bad_position(text, f"`{clipped(rank)}` (rank {y + 1} from the top) has {x} squares, "
                                   f"not {grid.files}", "a number stands for that many empty squares")
        return self.placed(men, mover, self._stores(text, hands))

    def _stores(self, text: str, hands: str) -> list[list[int]] | None:
        if not self._has_hands and not hands:
            return None
        stores = [[0] * len(self.rules.pieces) for _ in self.rules.players]
        if rest := HAND.sub("", hands):
            raise bad_position(text, f"`{clipped(rest)}` is not a piece in hand", "write, for example, `R2Pb`")
        for count, sign in HAND.findall(hands):
            player, kind = self.man(text, sign, "in hand")
            stores[player][kind] += int(count or 1)
        return stores

    def _with_rights(self, text: str, state: State, castling: str) -> State:
        """Clear the attributes of pieces that may castle by the rules, but not by the field `castling`."""
        if unknown := set(castling) - set("-KQkq"):
            raise bad_position(text, f"`{min(unknown)}` is not a castling right", "write, for example, `KQkq` or `-`")
        bits = list(state.attributes)
        for player in self.players:
            may = dict(self._castles(Position(self.game, state), player))
            stay = set[int]().union(*(may[letter] for letter in may if self.sign(player, letter) in castling))
            for square in set[int]().union(*may.values()) - stay:
                bits[square] = 0
        return replace(state, attributes=tuple(bits))

    def _with_passed(self, text: str, state: State, name: str) -> State:
        """If possible, set the last move so that the piece that passed the square `name` can be captured en passant."""
        cell = next((cell for i, cell in self.grid.cells.items() if self.square_name(i) == name), None)
        if cell is None:
            raise bad_position(text, f"`{clipped(name)}` is not a square", "write `-` if there is no en passant square")
        for step in (1, -1):
            start, end = (self.grid.at.get((cell[0], cell[1] + dy), -1) for dy in (-step, step))
            moved = replace(state, last_from=start, last_to=end)
            if start >= 0 <= end and state.owner[start] == NOBODY and self._passed(Position(self.game, moved)) == name:
                return moved
        return state


def _count(text: str) -> int:
    """Return a number of at most six digits; 0 for any other text."""
    return int(text) if text.isdecimal() and len(text) <= 6 else 0


class Fen(Forsyth):
    """Codec of FEN: a record is one position; a game is written as its last position."""

    kind = "fen"

    def start(self, score: Score) -> State | None:
        return self.read_fen(score.tags["FEN"])[0]

    def write(self, played: Played) -> str:
        return self.write_fen(played.end, *self.numbers(played.tags)) + "\n"

    def numbers(self, tags: Mapping[str, str]) -> tuple[int, int]:
        """Return (halfmove clock, move number) at the start of a game."""
        return self.read_fen(tags["FEN"])[1:] if tags.get("FEN") else (0, 1)


class Sfen(Forsyth):
    """Codec of SFEN."""

    kind = "sfen"

    def start(self, score: Score) -> State | None:
        return self.read_sfen(score.tags["SFEN"])[0] if "SFEN" in score.tags else None

    def write(self, played: Played) -> str:
        return self.write_sfen(played.end, self.number(played.tags)) + "\n"

    def number(self, tags: Mapping[str, str]) -> int:
        """Return the move number at the start of a game."""
        return self.read_sfen(tags["SFEN"])[1] if "SFEN" in tags else 1
