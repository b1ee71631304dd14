"""Execute the lines of a block of moves on a game, in order, up to the first that fails."""

import re
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random

from zrf_py.author.tests.drawings import Drawer, Drawing, read_drawing, show
from zrf_py.author.tests.pages import KEYS, FencedBlock, Unexpected, Unreadable, expect, is_drawn
from zrf_py.play.game import Game
from zrf_py.play.move_parser import split_moves
from zrf_py.play.perft import perft
from zrf_py.play.turn_text import read_turn
from zrf_py.run.position import NOBODY
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.suggest import did_you_mean, listing, suggest

INFO = re.compile(r"(?:(?P<piece>\S+) (?P<square>[^,]+?),? *)??(?:(?P<player>\S+) to move)?")
"""Pattern of the words after the fence: `PIECE SQUARE`, `PLAYER to move`, or both."""


class BlockSession:
    """Executes a block of moves, line by line."""

    def __init__(self, game: Game, block: FencedBlock, own: bool = False) -> None:
        """`own`: the rules are a complete game, not an example on a page, so the first drawing sets up the board."""
        self.game = game
        self.position = game.start()
        self.drawer = Drawer(game.program)
        self.block = block
        self.own = own
        self.drawing: list[str] = []
        self.listed: list[str] = []
        self.fence = f"```moves {block.info}".strip()
        self.at, self.text = 0, self.fence
        self.begun = False
        """True once a line except `variant:` has been executed; before that, if `own`, a drawing is set up."""
        self.checked = not own
        """True once a line has tested something; always if not `own`."""
        self.limits: list[tuple[str, str, int]] = []
        """(player, piece type, maximum number): checked in all games that follow."""
        self.limited = True
        """False while there are limits that no game has been checked against."""
        self.counts = False
        """True if a perft of two plies must agree with the legal moves listed by `texts`."""

    def run(self) -> None:
        """Execute every line.

        :raises Unexpected: at the first line that does not hold or can't be read, with its number and text.
        """
        try:
            self._begin()
            for number, line in enumerate([*self.block.text.splitlines(), ""], 1):
                self._line(number, line.split("   ;")[0].strip())
            self.at, self.text = 0, self.fence
            if not self.limited:
                raise Unreadable("`at most:` needs `games:` after it", f"write `{KEYS['games']}` below it")
            if not self.checked:
                raise Unreadable("this block tests nothing", f"write what should hold, such as `{KEYS['can']}`")
        except (Unexpected, ZrfError) as error:
            failure = Unexpected("\n".join(filter(None, (self.text, _words(error)))))
            failure.line = self.block.line + self.at
            raise failure from error

    def _line(self, number: int, text: str) -> None:
        """Execute or collect a line; first execute a drawing or list that ends before it."""
        drawn = bool(text) and is_drawn(text)
        key, colon, rest = text.partition(":")
        keyed = bool(colon) and key in KEYS
        if not drawn:
            self.flush_drawing()
        if keyed or not text:
            self.flush_list()
        if not (self.drawing or self.listed):
            self.at, self.text = number, text
        if drawn:
            self.drawing.append(text)
        elif keyed:
            self._keyed(key, rest.strip())
        elif text:
            self._readable(text)
            self.listed.append(text)

    def _begin(self) -> None:
        """Check the player to move against the words after the fence; if the rules are `own`, set that player first."""
        words = INFO.fullmatch(self.block.info.strip())
        if words is None:
            raise Unreadable(f"`{self.block.info}` after ``` is invalid", "write `PLAYER to move` or `PIECE SQUARE`")
        if words["piece"]:
            self._checked("pieces", words["piece"])
            if words["square"] != "dropped":
                self._checked("positions", words["square"])
        if player := words["player"]:
            self._checked("players", player)
            if self.own and player != self.position.player:
                self.position = self.position.edited(f"(turn {player})")
            expect(self.position.player == player, self.position.player, f"{player} is to move")

    def _keyed(self, key: str, rest: str) -> None:
        try:
            getattr(self, f"do_{key.replace(' ', '_')}")(rest)
        except (ValueError, KeyError, IndexError):
            raise Unreadable(f"`{rest}` is invalid after `{key}:`", f"write it as `{KEYS[key]}`") from None
        self.begun |= key != "variant"
        self.checked |= key not in ("variant", "board", "put", "position", "at most")

    def _readable(self, text: str) -> None:
        """Check that a line is `none` or a move; raise `Unreadable` or `ZrfError` if not."""
        if text in (*self.texts(), "none"):
            return
        key, colon, _ = text.partition(":")
        try:
            self.position.matches(text)
        except ZrfError:
            if (not colon or self.game.reader.read(key)) and not (guess := suggest(text.split()[0], KEYS)):
                raise
            guess = suggest(key, KEYS) if colon else guess
            help = f"did you mean `{guess}:`?" if guess else "lines are " + ", ".join(f"`{key}:`" for key in KEYS)
            raise Unreadable(f"`{text}` is neither a line of a test nor a move", help) from None

    def _checked(self, names: str, name: str) -> str:
        """Return the name of a player, piece type or square, after checking it.

        :raises Unreadable: if the game has no such name.
        """
        numbers: dict[str, int] = getattr(self.game.program.game.symbols, names)
        if name not in numbers:
            raise Unreadable(f"there is no `{name}` in this game",
                             did_you_mean(name, numbers, f"there are {listing(numbers)}"))
        return name

    def texts(self) -> list[str]:
        """Return the legal moves as texts (`partial` without a number); with `counts`, check a perft of two plies."""
        moves = self.position.moves()
        if self.counts:
            following = [self.game.rules.after(self.position.state, move.raw) for move in moves]
            with suppress(ZrfError):  # a block may run forever
                expected = sum(len(self.game.rules.moves(position)) for position in following)
                leaves = perft(self.game.engine, self.position.state, 2)
                expect(leaves == expected, f"counted {leaves}, listed {expected}")
        return [re.sub(r"^partial \d+ ", "partial ", str(m)) for m in moves]

    def flush_list(self) -> None:
        """Compare the moves listed so far with all the legal ones."""
        if self.listed:
            expected = [] if self.listed == ["none"] else self.listed
            expect(sorted(set(self.texts())) == sorted(expected), self.moment(), f"just {'; '.join(self.listed)}")
            self.begun = self.checked = True
        self.listed = []

    def is_legal(self, text: str) -> bool:
        """Return whether a move in any notation, or a whole turn of several legs, is legal.

        :raises ZrfError: if the text is not a move of this game.
        """
        return text in self.texts() or bool(self.position.matches(text)) or (
            self.game.writer.has_legs and bool(read_turn(self.position, text)))

    def do_can(self, text: str) -> None:
        expect(self.is_legal(text), f"not legal; {self.moment()}", "a legal move")

    def do_among(self, text: str) -> None:
        """Check that all legal moves are in a list separated by commas, each in any notation."""
        texts, allowed = self.texts(), [move.strip() for move in text.split(",")]
        for move in allowed.copy():
            self._readable(move)
            matches = [] if move in texts else self.position.matches(move)
            allowed += map(str, matches if len(matches) == 1 else ())
        expect(set(texts) <= set(allowed), self.moment(), f"no moves except {text}")

    def do_cannot(self, text: str) -> None:
        expect(not self.is_legal(text), f"it is legal; {self.moment()}", "an illegal move")

    def do_count(self, text: str) -> None:
        count = len(set(self.texts()))
        expect(count == int(text), f"{count}; {self.moment()}", text)

    def do_variant(self, text: str) -> None:
        pass

    def do_position(self, text: str) -> None:
        """Set up a position in the notation of `Position.text`: pieces, side to move, hands, attributes, counters."""
        self.position = self.game.read(text)

    def do_perft(self, text: str) -> None:
        """Check a perft count: `3 8902` means 8,902 leaves at depth 3."""
        depth, count = (int(word.replace(",", "")) for word in text.split())
        leaves = perft(self.game.engine, self.position.state, depth)
        expect(leaves == count, f"{leaves} leaves at depth {depth}", str(count))

    def do_at_most(self, text: str) -> None:
        """Limit the number of a player's pieces of one type in the games that follow: `White King 1`."""
        player, piece, count = text.split()
        self.limits.append((self._checked("players", player), self._checked("pieces", piece), int(count)))
        self.limited = False

    def do_games(self, text: str) -> None:
        """Play random games: `20 within 300` means 20 games, each over within 300 legs."""
        match = re.fullmatch(r"([1-9]\d*) within (\d+)", text)
        if match is None:
            raise ValueError
        self.limited = True
        for seed in range(int(match[1])):
            self.random_game(Random(seed), int(match[2]))

    def random_game(self, random: Random, plies: int) -> None:
        position = self.position
        played: list[str] = []
        while position.outcome() is None:
            expect(len(played) < plies, f"a game is not over after {plies} legs: {'; '.join(played[:40])} …")
            position = position.play(random.choice(position.moves()))
            played.append(str(position.move))
            men = Counter(position.pieces().values())
            for player, piece, most in self.limits:
                held = men[player, piece]
                expect(held <= most, f"{held} {player} {piece} after {'; '.join(played)}")

    def do_board(self, text: str) -> None:
        """Set up a board of exactly these pieces: `White King e1 e2, Black Man a3`."""
        places = self.game.program.game.board.places
        for square, owner in enumerate(self.position.state.owner):
            if owner != NOBODY:
                self.position = self.position.edited(f"(x {places[square].name})")
        filled = set[str]()
        for men in re.split(r"[,;]\s+", text):
            player, piece, *squares = men.split()
            if not squares or not filled.isdisjoint(squares):
                raise Unreadable(f"`{men}` names no square, or an occupied square", f"write `{KEYS['board']}`")
            filled.update(squares)
            for name in squares:
                self.position = self.position.edited(f"({player} {piece} {name})")

    def do_put(self, text: str) -> None:
        self.position = self.position.edited(f"({text})")

    def do_play(self, text: str) -> None:
        """Play legs or whole turns, separated by `,` or `;`."""
        moves = split_moves(text, self.game.reader.squares)
        if not moves:
            raise ValueError
        for move in moves:
            text = re.sub(r"^partial (?!\d)", "partial 0 ", move)
            legs = () if self.position.matches(text) else read_turn(self.position, text)
            for leg in legs or (self.position.find(text),):
                self.position = self.position.play(leg)

    def do_outcome(self, text: str) -> None:
        result = self.position.outcome()
        outcome = str(result and replace(result, _end=None))  # pages state results in the words of the rules
        actual = outcome if result else f"none; {self.moment()}"
        shorter = [outcome.split("; score: ")[0], outcome.split(" (")[0]]
        if result and result.losers:
            shorter.append(f"{' and '.join(result.losers)} lost")
        expect(text in (outcome, *shorter) or (text == "none" and not result), actual, text)

    def do_fault(self, text: str) -> None:
        try:
            self.position.moves()
        except ZrfError as error:
            expect(error.diagnostics[0].code == text, error)
        else:
            expect(False, "no fault", text)

    def do_to_move(self, text: str) -> None:
        expect(self.position.player == self._checked("players", text), self.moment(), f"{text} to move")

    def do_store(self, text: str) -> None:
        player, piece, count = text.split()
        game = self.game.program.game
        symbols = game.symbols
        stores = self.position.state.stores
        held = stores[symbols.players[self._checked("players", player)]][symbols.pieces[self._checked("pieces", piece)]]
        expect(held == int(count), held, count)

    def do_has(self, text: str) -> None:
        square, *man = text.split()
        held = self.position.pieces().get(self._checked("positions", square))
        if man != ["nothing"]:
            player, piece = man
            man = [self._checked("players", player), self._checked("pieces", piece)]
        expected = " ".join(man)
        expect(" ".join(held or ("nothing",)) == expected, f"{' '.join(held or ('nothing',))}; {self.moment()}",
               f"{expected} on {square}")

    def do_links(self, text: str) -> None:
        """Check that exactly these links leave a square: `a1 n a2, e b1`."""
        square, _, listed = text.partition(" ")
        board = self.game.program.game.board
        at = [p.name for p in board.places].index(square)
        expected = {tuple(item.split()) for item in listed.split(", ")} if listed != "none" else set()
        actual = {(name, board.places[table[at]].name)
                  for name, table in zip(board.directions, board.links, strict=True) if table[at] >= 0}
        expect(actual == expected, actual)

    def do_squares(self, text: str) -> None:
        names = [p.name for p in self.game.program.game.board.places]
        expect(names == text.split(), " ".join(names))

    def flush_drawing(self) -> None:
        """Set up the position from the drawing, or compare the two; compare a second board with the targets."""
        if not self.drawing:
            return
        left, right = read_drawing(self.drawing)
        squares = self.drawer.squares(left)
        if self.own and not self.begun:
            self.position = self.drawer.set_up(self.position, left)
        else:
            actual = self.drawer.draw(self.position, squares)
            expect(left == actual, f"\n{show(actual)}", f"\n{show(left)}")
            self.checked = True
        self.begun = True
        if right:
            actual = self.targets(left, squares)
            expect(right == actual, f"\n{show(actual)}\n{self.moment()}", f"\n{show(right)}")
            self.checked = True
        self.drawing = []

    def targets(self, left: Drawing, squares: list[list[int]]) -> Drawing:
        """Return the board with `*` on empty targets of the piece named after the fence, and `x` on occupied ones."""
        match = re.match(r"(\S+) ([^\s,]+)", self.block.info)
        if match is None:
            raise Unreadable("a second board shows targets, but no piece is named", "name the piece: ```moves Rook a1")
        start = -1 if match[2] == "dropped" else self.drawer.names.index(match[2])
        if start >= 0:
            piece = self.position.pieces().get(match[2], ("", "nothing"))[1]
            expect(piece == match[1], piece, f"{match[1]} on {match[2]}")
        return self.drawer.targets(left, squares, [move.raw for move in self.position.moves()], start)

    def moment(self) -> str:
        return f"{self.position.player} to move; legal: {'; '.join(self.texts()) or 'nothing'}"


def _words(error: Unexpected | ZrfError) -> str:
    """Format an error with its help."""
    if isinstance(error, ZrfError) and error.diagnostics:
        return "\n".join(f"{d.severity}[{d.code}]: {d.message}" + (f"\n  = help: {d.help}" if d.help else "")
                         for d in error.diagnostics)
    return str(error)
