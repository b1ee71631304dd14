"""A game in progress: position, undo and redo, the controller of each side, saving and loading.

Independent of any user interface, so that every kind of board can use it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.play.game import Game, Move, Position
from zrf_py.play.players import HUMAN, player
from zrf_py.play.tree import Tree
from zrf_py.play.zsg import record, save_game
from zrf_py.text.diagnostics import ZrfError

if TYPE_CHECKING:
    from random import Random

HINT = "ai:7"
"""Computer player that gives hints."""


@dataclass
class Session:
    """A game in progress; `controllers` maps each player with turns to "human" or a name for `players.player`."""

    game: Game
    rules_file: str
    controllers: dict[str, str]
    random: Random
    tree: Tree = field(init=False)
    tip: int = 0
    saved: Position | None = None

    def __post_init__(self) -> None:
        self.position = self.saved = self.game.start()

    @property
    def position(self) -> Position:
        """The position of the game. Assigning a position begins a new record, with the moves that led to it."""
        position: Position = self.tree[self.tip].position
        return position

    @position.setter
    def position(self, position: Position) -> None:
        self.tree, self.tip = Tree(), 0
        line = [*position.line()]
        self.tree[0].position = line.pop()
        for after in reversed(line):
            self._add(after)

    def _add(self, after: Position) -> None:
        text = after.move.text if after.move else after.change
        ply = [text, self.position.player, after.in_turn, after.move is None]
        self.tip = self.tree.add(self.tip, text, ply)
        self.tree[self.tip].position = after

    @property
    def is_over(self) -> bool:
        return self.position.outcome() is not None

    @property
    def is_human(self) -> bool:
        """True if a human is to move."""
        return self.controllers.get(self.position.player, HUMAN) == HUMAN

    @property
    def has_humans(self) -> bool:
        """True if a human plays at least one side."""
        return HUMAN in self.controllers.values()

    @property
    def is_puzzle(self) -> bool:
        """True for a game for one player."""
        return len(self.game.program.game.playing) == 1

    @property
    def is_changed(self) -> bool:
        """True if there are unsaved moves or edits."""
        return self.position is not self.saved and self.position.previous is not None

    def play(self, move: Move | str) -> Move:
        """Play a move or leg.

        :raises ZrfError: if it isn't legal.
        """
        self._add(self.position.play(move))
        assert self.position.move
        return self.position.move

    def choose(self, controller: str = "") -> tuple[Move, ...]:
        """Return the turn that a computer player chooses here; `controller` "": the one of the player to move."""
        name = controller or self.controllers[self.position.player]
        position = self.position
        return position.named(player(name)(self.game.engine, position.state, self.random, position.earlier()))

    def undo(self) -> int:
        """Take back the last move or leg; against computers, all moves back to the human's last choice.

        :returns: the number of moves taken back; 0 if there is no earlier choice of a human.
        """
        return self._go_to(self.tree.before(self.tip, self._humans, self.has_computers) if self.has_humans else 0)

    def redo(self) -> int:
        """Replay undone moves up to the next choice of a human, or all of them; return their number."""
        return self._go_to(self.tree.after(self.tip, self._humans, self.has_computers))

    def _go_to(self, node: int) -> int:
        """Continue from a node; return the number of moves from here to it."""
        moves = abs(self.tree[node].depth - self.tree[self.tip].depth)
        self.tip = node
        return moves

    @property
    def _humans(self) -> set[str]:
        return {name for name in ("", *self.game.players) if self.controllers.get(name, HUMAN) == HUMAN}

    @property
    def has_computers(self) -> bool:
        """True unless a human plays every side other than chance."""
        return any(kind != HUMAN for player, kind in self.controllers.items() if not player.startswith("?"))

    def save(self, path: str | Path) -> None:
        save_game(path, record(self.position, self.rules_file, [self.controllers[p] for p in self.game.players]))
        self.saved = self.position

    def load(self, path: str | Path) -> None:
        """Load a saved game of the same variant.

        :raises ZrfError: if it is of another game or a move is illegal; the session is then unchanged.
        """
        from zrf_py.play.formats.record_files import load_record, position_after

        self.position = self.saved = position_after(load_record(path, self.game), str(path), self.game)


def read_controllers(game: Game, wish: str | None) -> dict[str, str]:
    """Parse a comma-separated list of controllers, in the order of the players; the last one applies to all others.

    Random players (`?`) are always "random". `wish` None: all other players are human.

    :raises ZrfError: if there is no such computer player, or the list is longer than that of the players.
    """
    names = [w.strip().lower() for w in (wish or HUMAN).split(",") if w.strip()] or [HUMAN]
    for name in names:
        if name != HUMAN:
            player(name, or_human=True)
    seats = {seat.name: seat.kind for seat in game.program.game.players if seat.kind != "neutral"}
    chosen = [name for name, kind in seats.items() if kind != "random"]
    if len(names) > max(len(chosen), 1):
        raise ZrfError(f"{len(names)} players are given for {len(chosen)} seats: {', '.join(chosen)}", "usage")
    names += names[-1:] * len(chosen)
    return dict.fromkeys(seats, "random") | dict(zip(chosen, names, strict=False))
