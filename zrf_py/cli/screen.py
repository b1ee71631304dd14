"""`zrf play --screen`: a board that fills the terminal, played with the arrow keys or the mouse (Textual)."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.events import Click, Resize
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, Label, OptionList, Static

from zrf_py.cli.autosave import keep_game, path_named
from zrf_py.cli.draw import CHOSEN, CURSOR, FROM, TARGET, TO, BoardView, last_move_marks
from zrf_py.cli.table import shown
from zrf_py.play.game import Move
from zrf_py.play.session import HINT, Session
from zrf_py.play.turn_text import played_turn, turn_text
from zrf_py.text.diagnostics import ZrfError

NOWHERE = -1
NEAR = 2
"""Maximum distance of a click from a square: this many lines, or four times as many columns."""
WIDE = 100
"""Minimum width of the terminal, in columns, for a side panel of full width."""
SIDEWAYS = 2
"""Cost of a sideways step, in forward steps, when the cursor looks for the next square."""


class BoardWidget(Static, can_focus=True):
    """The drawn position; posts `Picked` when a square is clicked."""

    class Picked(Message):
        """A square was clicked."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, view: BoardView) -> None:
        super().__init__(id="board")
        self.view = view

    def on_click(self, event: Click) -> None:
        spots = self.view.spots.items()
        distance, place = min((4 * abs(row - event.y) + abs(column - event.x), p) for p, (row, column) in spots)
        if distance <= 4 * NEAR:
            self.post_message(self.Picked(place))


class Choice(ModalScreen[int]):
    """A list of moves to choose from; its result is the index of one, or `NOWHERE`."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(-1)", "back")]

    def __init__(self, title: str, texts: Sequence[str]) -> None:
        super().__init__()
        self.heading, self.texts = title, texts

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Label(self.heading, markup=False)
            yield OptionList(*map(Text.from_ansi, self.texts))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_index)


class FileName(ModalScreen[str]):
    """A prompt for a file name; its result is the text typed, or "" after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", "back")]

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Label("Save the game as")
            yield Input("game.zsg")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())


class BoardApp(App[None]):
    """One game on the whole screen."""

    CSS = """
    #table { height: 1fr; }
    #field { width: 1fr; align: center middle; }
    #board { width: auto; height: auto; }
    #board:focus { background: transparent; }
    #side { width: 34; padding: 0 1; border-left: solid $foreground 30%; }
    #message { height: auto; padding: 0 2; }
    .box { width: 60; max-height: 80%; height: auto; padding: 1 2; border: round $accent; background: $surface; }
    Choice, FileName { align: center middle; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "step(-1, 0)", show=False), Binding("down", "step(1, 0)", show=False),
        Binding("left", "step(0, -1)", show=False), Binding("right", "step(0, 1)", show=False),
        Binding("enter,space", "pick", "move"), Binding("escape", "drop_it", "put down", show=False),
        Binding("m", "list", "moves"), Binding("p", "pass", "pass"), Binding("u", "travel('undo')", "undo"),
        Binding("r", "travel('redo')", "redo"), Binding("h", "hint", "hint"), Binding("s", "save", "save"),
        Binding("question_mark", "help", "colours", key_display="?"), Binding("q", "quit", "quit"),
    ]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: Session, view: BoardView) -> None:
        super().__init__()
        self.session = session
        self.view = view
        self.title = session.game.title
        self.chosen = self.cursor = NOWHERE
        self.note = ""

    def compose(self) -> ComposeResult:
        with Horizontal(id="table"):
            with ScrollableContainer(id="field", can_focus=False):
                yield BoardWidget(self.view)
            with VerticalScroll(id="side", can_focus=False):
                yield Static(id="facts", markup=False)
        yield Static(id="message", markup=False)
        yield Footer()

    def on_resize(self, event: Resize) -> None:
        """Fit the board to the terminal; the side panel is narrower on a small one."""
        side = 34 if event.size.width >= WIDE else 24
        self.query_one("#side").styles.width = side
        self.view.fit(event.size.width - side, event.size.height - 3)
        if self.cursor != NOWHERE:
            self.show()

    def on_mount(self) -> None:
        self.query_one(BoardWidget).focus()
        self.view.board(self.session.position.state)
        self.cursor = self._first_square()
        self.changed()

    def _first_square(self) -> int:
        """Return the square nearest the middle, among those where a move starts if there are any."""
        starts = {m.raw.key[0] for m in self.session.position.moves()} & set(self.view.spots)
        spots = self.view.spots
        rows, columns = zip(*spots.values(), strict=True)
        middle = (min(rows) + max(rows)) / 2, (min(columns) + max(columns)) / 2
        return min(starts or set(spots),
                   key=lambda p: 2 * abs(spots[p][0] - middle[0]) + abs(spots[p][1] - middle[1]))

    def changed(self) -> None:
        """Show the position after a move, and let the computer play if it is its turn."""
        chain = self.session.position.state.chain
        self.chosen = chain[0] if chain else NOWHERE
        self.show()
        if not self.session.is_over and not self.session.is_human:
            self.computer()

    def show(self) -> None:
        position = self.session.position
        marks = last_move_marks(position)
        if self.session.is_human and not self.session.is_over:
            marks |= dict.fromkeys(self._targets(), TARGET)
        if self.chosen != NOWHERE:
            marks[self.chosen] = CHOSEN
        if self.cursor != NOWHERE and self.cursor != self.chosen:
            marks[self.cursor] = CURSOR
        lines = self.view.board(position.state, marks)
        self.query_one(BoardWidget).update(Text.from_ansi("\n".join(lines), no_wrap=True))
        self.query_one("#facts", Static).update(self._facts())
        self.query_one("#message", Static).update(Text(self._message()))

    def _targets(self) -> set[int]:
        """Return the targets of the piece that was picked up; empty if there is none."""
        return {m.raw.key[1] for m in self.session.position.moves()
                if not m.raw.is_pass and m.raw.key[0] == self.chosen != NOWHERE}

    def _facts(self) -> Text:
        text = Text(f"{self.session.game.title}\n\n", "bold")
        mover = None if self.session.is_over else self.session.position.player
        names = [player.name for player in self.session.game.program.game.players]
        for name, controller in self.session.controllers.items():
            text.append("▶ " if name == mover else "  ")
            text.append_text(Text.from_ansi(self.view.player(names.index(name))))
            text.append(f"  {controller}\n", "dim")
        for line in self.view.stores(self.session.position.state):
            text.append_text(Text.from_ansi(f"\n{line}"))
        text.append("\n")
        for number, leg in self._record()[-40:]:
            text.append(f"\n{number:>3} ", "dim")
            text.append(leg)
        return text

    def _record(self) -> list[tuple[int, str]]:
        line = [p for p in self.session.position.line() if p.move is not None][::-1]
        return [(i, played_turn(p)) for i, p in enumerate((p for p in line if not p.in_turn or p is line[-1]), 1)]

    def _message(self) -> str:
        note, self.note = self.note, ""
        outcome = self.session.position.outcome()
        if note:
            return note
        if outcome:
            return f"The game is over: {outcome}."
        if not self.session.is_human:
            return f"{self.session.position.player} is thinking …"
        moves = self.session.position.moves()
        square = f"   {self.square_name(self.cursor)}" if self.cursor != NOWHERE else ""
        if self.session.position.in_turn:
            may = "may continue, or p to stop" if any(m.raw.is_pass for m in moves) else "must go on"
            return f"{self.session.position.player} {may}{square}"
        return f"{self.session.position.player} to move: {len(moves)} moves{square}"

    def square_name(self, place: int) -> str:
        return self.session.game.program.game.board.places[place].name

    def tell(self, note: str) -> None:
        self.note = note
        self.show()

    def action_step(self, down: int, right: int) -> None:
        """Move the cursor to the nearest square in roughly the direction (`down`, `right`)."""
        spots = self.view.spots
        row, column = spots[self.cursor]

        def cost(place: int) -> float:
            ahead = (spots[place][0] - row) * 2 * down + (spots[place][1] - column) * right
            aside = abs(spots[place][0] - row) * 2 * abs(right) + abs(spots[place][1] - column) * abs(down)
            return ahead + SIDEWAYS * aside if ahead > 0 and aside <= 2 * ahead else float("inf")

        best = min(spots, key=cost)
        if cost(best) < float("inf"):
            self.cursor = best
            row, column = spots[best]
            self.show()
            self.query_one("#field").scroll_to(max(column - 40, 0), max(row - 8, 0), animate=False)

    def on_board_widget_picked(self, event: BoardWidget.Picked) -> None:
        self.cursor = event.place
        self.action_pick()

    def action_pick(self) -> None:
        """Pick up the piece under the cursor, or play the move that leads there."""
        if self.session.is_over or not self.session.is_human:
            return
        moves = [m for m in self.session.position.moves() if not m.raw.is_pass]
        square = self.cursor
        matches = [m for m in moves if m.raw.key == (self.chosen, square)] if self.chosen != NOWHERE else []
        if not matches:
            matches = [m for m in moves if m.raw.key in ((NOWHERE, square), (square, square))]
        if matches:
            self.choose(f"To {self.square_name(square)}", matches)
        elif self.session.position.in_turn:
            self.tell("The turn continues with the piece that moved; p ends it, if the rules allow that.")
        elif any(m.raw.key[0] == square for m in moves):
            self.chosen = square
            self.show()
        elif starts := dict.fromkeys(self.square_name(m.raw.key[0]) for m in moves if m.raw.key[1] == square):
            self.chosen = NOWHERE
            self.tell(f"First choose a piece that can move to {self.square_name(square)}: {', '.join(starts)}.")
        else:
            self.chosen = NOWHERE
            self.tell(f"No piece can move from or to {self.square_name(square)} now; m lists the moves.")

    def choose(self, title: str, moves: list[Move]) -> None:
        """Play the move if there is only one; otherwise let the player choose."""
        moves = list({m.text: m for m in moves}.values())
        if len(moves) == 1:
            self.play(moves[0])
            return

        def chosen(number: int | None) -> None:
            if number is not None and number != NOWHERE:
                self.play(moves[number])

        self.push_screen(Choice(title, [shown(self.session.position, m) for m in moves]), chosen)

    def play(self, move: Move) -> None:
        self.session.play(move)
        if move.raw.key[1] in self.view.spots:
            self.cursor = move.raw.key[1]
        self.changed()

    @work(thread=True, exclusive=True)
    def computer(self) -> None:
        """Let a computer player think in a thread."""
        before = self.session.position
        try:
            legs = self.session.choose()
        except ZrfError as error:
            self.call_from_thread(self.tell, error.diagnostics[0].message)
            return
        self.call_from_thread(self.answered, before, legs)

    def answered(self, before: object, legs: Sequence[Move]) -> None:
        if self.session.position is not before:
            return  # a move has been taken back in the meantime
        for leg in legs:
            self.session.play(leg)
        self.changed()

    def action_drop_it(self) -> None:
        self.changed()

    def action_list(self) -> None:
        moves = list(self.session.position.moves())
        if moves and self.session.is_human:
            self.choose("Moves", moves)

    def action_help(self) -> None:
        """Explain the marks of squares; the footer lists the keys."""
        texts = self.view.explained(TO, FROM, CHOSEN, TARGET, CURSOR)
        self.push_screen(Choice("What the colours mean (Esc: back)", texts))

    def action_pass(self) -> None:
        passes = [m for m in self.session.position.moves() if m.raw.is_pass]
        if passes and self.session.is_human:
            self.play(passes[0])
        else:
            self.tell("The rules do not allow you to pass here.")

    def action_travel(self, command: str) -> None:
        """Take moves back (`undo`) or replay them (`redo`)."""
        if getattr(self.session, command)():
            self.changed()
        else:
            self.tell(f"There is nothing to {command}.")

    @work(thread=True, exclusive=True)
    def action_hint(self) -> None:
        if self.session.is_over or not self.session.is_human:
            return
        position = self.session.position
        try:
            note = f"Suggestion: {turn_text(position, self.session.choose(HINT))}"
        except ZrfError as error:
            note = error.diagnostics[0].message
        self.call_from_thread(self.tell, note)

    def action_save(self) -> None:
        def save(name: str | None) -> None:
            if not name:
                return
            path = path_named(name)
            try:
                self.session.save(path)
                self.tell(f"Saved as {path}.")
            except ZrfError as error:
                self.tell(error.diagnostics[0].message)

        self.push_screen(FileName(), save)


def play_on_screen(session: Session, view: BoardView) -> str:
    """Run the application; return the note of the autosave, "" if there is none."""
    try:
        BoardApp(session, view).run()
    finally:
        note = keep_game(session)
    return note
