"""A game in the terminal: shows the position, runs typed commands, autosaves on exit."""

import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from zrf_py.cli.autosave import keep_game, path_named
from zrf_py.cli.draw import CHOSEN, FROM, HELP, TARGET, TO, ZONE, BoardView, last_move_marks, paint
from zrf_py.play.foreign import foreign_note
from zrf_py.play.game import Move, Outcome, Position
from zrf_py.play.move_parser import CASTLING
from zrf_py.play.session import HINT, Session
from zrf_py.play.turn_text import read_turn, turn_text
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.numbers import whole_number
from zrf_py.text.render import render
from zrf_py.text.suggest import did_you_mean, suggest
from zrf_py.view.describe import authors_texts

MOVE_NUMBER = re.compile(r"\d+\.+ ?(?=[A-Za-z])")
"""A move number before a move, such as `1.` or `1...`."""


def shown(position: Position, move: Move, more: str = "…") -> str:
    """Return a legal move in short notation, followed by `more` if the turn may continue after it."""
    return f"{position.short(move)} {more}" if move.is_partial else position.short(move)


class TerminalTable:
    """One game on one terminal."""

    def __init__(self, session: Session, view: BoardView, width: int) -> None:
        self.session = session
        self.view = view
        self.width = width
        self.interactive = False
        """True if standard input is a terminal; only then is the game autosaved."""
        self.printed, self.above = 0, [""]
        """Number of lines of the welcome text; the lines to print above a board, none if the terminal is too small."""
        game = session.game.program.game
        self.numbers = {p.name: i for i, p in enumerate(game.players)}
        self.places = {p.name: i for i, p in enumerate(game.board.places)}
        self.more = "..." if view.ascii else "…"
        self.commands: dict[str, Callable[[str], None]] = {
            "moves": self.moves, "targets": self.targets, "pass": self.pass_, "redo": partial(self.travel, "redo"),
            **dict.fromkeys(("undo", "back", "takeback"), partial(self.travel, "undo")),
            "hint": self.hint, "board": lambda rest: self.show(), "names": self.names, "zone": self.zone,
            "rules": self.rules, "save": self.save, "load": self.load, "help": self.help, "?": self.help,
            "resign": self.resign, "quit": self.quit, "exit": self.quit, "q": self.quit,
        }

    def player(self, name: str) -> str:
        return self.view.player(self.numbers[name]) if name in self.numbers else name

    def bold(self, text: str) -> str:
        return paint(text, "1") if self.view.color else text

    def dim(self, text: str) -> str:
        return paint(text, "38;5;245") if self.view.color else text

    def welcome(self) -> None:
        title, note = self.bold(self.session.game.title), foreign_note(self.session.game.program)
        lines = [title, *textwrap.wrap(note, self.width)]
        lines += self.wrapped(self.view.legend(self.session.position.state)).splitlines()
        if not self.view.layout.is_labelled:
            lines += ["", *self.view.names()]
        self.printed = len(lines) + 1
        print("\n".join([*lines, self.dim("`help` lists what you can type.")]))

    def fit(self, columns: int, lines: int) -> None:
        """Make the board as large as possible while the welcome text stays visible."""
        room = lines - self.printed - len(self.view.stores(self.session.position.state))
        self.view.fit(columns, room)
        self.above = [""] if self.view.height < room else []

    def wrapped(self, legend: str) -> str:
        """Wrap a legend to the width of the terminal, but only between its entries, which three blanks separate."""
        joined = legend.replace(" ", "\0").replace("\0\0\0", "   ")
        return "\n".join(textwrap.wrap(joined, self.width)).replace("\0", " ")

    def show(self) -> None:
        """Print the board, the pieces in store, and the player to move or the result."""
        self.draw(last_move_marks(self.session.position))
        position = self.session.position
        outcome = position.outcome()
        if outcome:
            print(self.bold(self.ending(outcome)))
        elif position.in_turn:
            self.print_chain(position)
        else:
            self.print_turn(position)

    def draw(self, marks: dict[int, str]) -> None:
        state = self.session.position.state
        print("\n".join([*self.above, *self.view.board(state, marks)]))
        for line in self.view.stores(state):
            print("\n".join(textwrap.wrap(line, self.width, subsequent_indent="    ")))

    def print_turn(self, position: Position) -> None:
        moves = position.moves()
        count = f"{len(moves)} moves" if len(moves) != 1 else "1 move"
        if len(moves) == 1 and moves[0].raw.is_pass:
            count = "no move except a pass (Enter)"
        if not position.player:
            print("This game can't be played: no player has a turn.")
            return
        number = f"   move {self.made()[0] + 1}" if self.session.is_puzzle else ""
        print(f"{self.player(position.player)} to move: {count}{number}")

    def print_chain(self, position: Position) -> None:
        """Print the moves that may continue the turn."""
        moves = position.moves()
        onward = [m for m in moves if not m.raw.is_pass]
        assert position.state.chain
        square = position.game.program.game.board.places[position.state.chain[0]].name
        may = "may go on" if len(onward) < len(moves) else "must go on"
        print(f"{self.player(position.player)} {may} from {square}:")
        self.listed(list(enumerate(moves, 1))[: 3 * 8])
        if len(onward) < len(moves):
            print("Enter or `pass` ends the turn.")

    def ending(self, outcome: Outcome) -> str:
        turns, legs = self.made()
        if self.session.is_puzzle:
            why = outcome.why.words if outcome.why else outcome.reason
            solved = "Solved" if outcome.winners else f"This is not a solution ({why})"
            count = f"{turns} {'move' if turns == 1 else 'moves'}"
            return f"{solved} after {count}" + (f" of {legs} legs" if legs != turns else "") + f"{outcome.score_text}."
        return f"The game is over: {outcome}."

    def made(self) -> tuple[int, int]:
        """Return the numbers of complete turns and of legs so far, without passes."""
        line = [p for p in self.session.position.line() if p.move is not None and not p.move.raw.is_pass]
        return sum(not p.in_turn for p in line), len(line)

    def prompt(self) -> str:
        position = self.session.position
        return "> " if self.session.is_over else f"{position.player}> "

    def short(self, move: Move) -> str:
        """Return a move's short notation, cut off if it would fill more than two lines."""
        return self.cut(shown(self.session.position, move, self.more))

    def cut(self, text: str) -> str:
        return text if len(text) <= 2 * self.width else text[: 2 * self.width - 1] + self.more

    def listed(self, moves: Sequence[tuple[int, Move]]) -> None:
        """Print numbered moves in as many columns as fit; numbers run down the columns."""
        texts = [f"{n:>3} {self.short(m)}" for n, m in moves]
        widest = max(map(len, texts), default=1) + 2
        columns = max(1, min(self.width // widest, (len(texts) + 2) // 3))
        rows = -(-len(texts) // columns)
        for row in range(rows):
            print("".join(t.ljust(widest) for t in texts[row::rows]).rstrip())

    def computer(self) -> int:
        """Play the computer's turn; return the number of its legs, at least 1."""
        player = self.session.position.player
        legs = self.session.choose()
        text = turn_text(self.session.position, legs)
        for leg in legs:
            self.session.play(leg)
        label = "" if player.startswith("?") else f" ({self.session.controllers[player]})"
        print(f"{self.player(player)}{label}: {self.cut(text)}")
        sys.stdout.flush()
        return max(len(legs), 1)

    def obey(self, line: str) -> bool:
        """Execute a typed line; return True if the position changed.

        :raises EOFError: if the user quits.
        """
        before, line = self.session.position, line.strip()
        word, _, rest = line.partition(" ")
        try:
            if not line:
                self.enter()
            elif word.lower() in self.commands and word not in self.places:
                self.commands[word.lower()](rest.strip())
            else:
                self.move(MOVE_NUMBER.sub("", " ".join(line.split())))
        except ZrfError as error:
            print(render(error.diagnostics, color=self.view.color, width=self.width))
        return self.session.position is not before

    def enter(self) -> None:
        """Handle an empty line: end a turn that may end, or pass if there is no other move."""
        moves = self.session.position.moves()
        if any(m.raw.is_pass for m in moves) and (self.session.position.in_turn or len(moves) == 1):
            self.pass_("")

    def move(self, line: str) -> None:
        if self.session.is_over:
            print("The game is over; `undo` takes a move back, `quit` leaves.")
            return
        moves = self.session.position.moves()
        number = line.removeprefix("#")
        if number.isdecimal() and (line.startswith("#") or line not in self.places):
            chosen = whole_number(number)
            if 1 <= chosen <= len(moves):
                self.session.play(moves[chosen - 1])
            else:
                print(f"Choose a number from 1 to {len(moves)}.")
            return
        matches = self.meant(line)
        if len(matches) == 1:
            self.session.play(moves[matches[0]])
        elif matches:
            print(f"`{line}` could be:")
            self.listed([(i + 1, moves[i]) for i in matches])
        elif turn := read_turn(self.session.position, line):
            for leg in turn:
                self.session.play(leg)
        else:
            self.not_a_move(line)

    def meant(self, line: str) -> list[int]:
        """Return the indexes of the moves that a line may mean: by their notation, or by some of their words in order.

        If the line ends with the square where a move starts, the move counts only if its short notation contains that
        square: `e4` does not mean e4 - e5. A single word that fits several moves stands for none of them.
        """
        position = self.session.position
        moves = position.moves()
        try:
            return [moves.index(position.find(line))]
        except ZrfError:
            if CASTLING.fullmatch(line):
                return []
            spaced = line.replace("-", " - ") if line not in self.places else line
            words = [w.casefold() for w in spaced.split() if w not in ("-", "x")]
        by_text: dict[str, int] = {}
        last = spaced.split()[-1] if words else ""
        for i, move in enumerate(moves):
            rest = iter(move.text.casefold().split())
            if words and all(word in rest for word in words) and (
                    self.places.get(last) != move.raw.key[0] or last in position.short(move)):
                by_text.setdefault(move.text, i)
        if len(words) == 1 and len(by_text) > 1:
            return []
        return list(by_text.values())

    def not_a_move(self, line: str) -> None:
        """Show where a piece can move if its square was typed; otherwise raise an error with a suggestion."""
        if line in self.places and self._targets(self.places[line]):
            self.targets(line)
            return
        if guess := suggest(line.split()[0].lower(), list(self.commands)):
            raise ZrfError(f"`{line}` is neither a move nor a command", "not-a-move", help=f"did you mean `{guess}`?")
        try:
            self.session.position.find(line)  # raises an error with the reason
        except ZrfError as error:
            raise ZrfError([replace(d, help=d.help or "`moves` lists the legal moves; `zrf why` explains one")
                            for d in error.diagnostics]) from None

    def moves(self, rest: str) -> None:
        moves = list(enumerate(self.session.position.moves(), 1))
        if rest:
            place = self.place(rest)
            moves = [(n, m) for n, m in moves if place in m.raw.key]
        if moves:
            self.listed(moves)
        else:
            print("There are no moves" + (f" with {rest}." if rest else "."))

    def place(self, name: str) -> int:
        if name not in self.places:
            raise ZrfError(f"there is no square `{name}`", "unknown-position",
                           help=did_you_mean(name, self.places, "`names` lists them all"))
        return self.places[name]

    def _targets(self, place: int) -> list[int]:
        keys = [m.raw.key for m in self.session.position.moves() if not m.raw.is_pass]
        return [to for start, to in keys if start == place]

    def targets(self, rest: str) -> None:
        place = self.place(rest)
        goals = self._targets(place)
        if not goals:
            print(f"No piece can move from {rest} now.")
            return
        self.draw({**dict.fromkeys(goals, TARGET), place: CHOSEN})
        names = [self.session.game.program.game.board.places[g].name for g in dict.fromkeys(goals)]
        print("\n".join(textwrap.wrap(f"From {rest} to: {' '.join(names)}", self.width)))

    def pass_(self, rest: str) -> None:
        passes = [m for m in self.session.position.moves() if m.raw.is_pass]
        if passes:
            self.session.play(passes[0])
        else:
            print("You must continue with the same piece." if self.session.position.in_turn
                  else "The rules do not allow you to pass here.")

    def travel(self, command: str, rest: str) -> None:
        """Take moves back (`undo`) or replay them (`redo`)."""
        if not getattr(self.session, command)():
            print(f"There is nothing to {command}.")

    def hint(self, rest: str) -> None:
        legs = self.session.choose(HINT) if not self.session.is_over else ()
        print(f"Suggestion: {turn_text(self.session.position, legs)}" if legs else "There is no move.")

    def names(self, rest: str) -> None:
        print("\n".join(self.view.names()))

    def zone(self, rest: str) -> None:
        board = self.session.game.program.game.board
        if rest in board.zone_names:
            player = self.numbers[self.session.position.player]
            self.draw(dict.fromkeys(board.zones[board.zone_names.index(rest)][player], ZONE))
        else:
            print(f"The zones are: {', '.join(board.zone_names)}" if board.zone_names else "There are no zones.")

    def rules(self, rest: str) -> None:
        for note in authors_texts(self.session.game)["notes"]:
            lines = [textwrap.fill(line, self.width - 2, initial_indent="  ", subsequent_indent="  ")
                     for line in note["lines"]]
            print("\n".join((self.bold(note["name"]), *lines)), end="\n\n")

    def save(self, rest: str) -> None:
        if not rest:
            print("Give the name of the file: `save my-game.zsg`.")
            return
        path = path_named(rest)
        self.session.save(path)
        print(f"Saved as {path}.")

    def load(self, rest: str) -> None:
        if rest in ("", "-"):  # standard input is already used for commands
            print("Give the name of the file: `load my-game.zsg`.")
        else:
            self.session.load(os.path.expanduser(rest))

    def help(self, rest: str) -> None:
        column = max(map(len, HELP["at the board"])) + 2
        for left, right in HELP["at the board"].items():
            text = f"{left:<{column}}{right}"
            text = text.replace("·", "/") if self.view.ascii else text
            print(textwrap.fill(text, self.width, subsequent_indent=" " * column))
        print("\n".join(["", *self.view.explained(TO, FROM, CHOSEN, TARGET, ZONE)]))

    def resign(self, rest: str) -> None:
        loser = self.session.position.player
        others = [name for name in self.session.game.players if name != loser and not name.startswith("?")]
        won = f" {others[0]} won." if len(others) == 1 else ""
        print("The game is over." if self.session.is_over else f"{loser} resigns.{won}")
        self.quit("")

    def quit(self, rest: str) -> None:
        raise EOFError

    def leave(self) -> int:
        """Autosave if `interactive`, and return exit code 0; a closed terminal is not an error."""
        note = keep_game(self.session) if self.interactive else ""
        try:
            if note:
                print(f"\n{note}")
            sys.stdout.flush()
        except OSError:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - stays open until the process ends
        return 0
