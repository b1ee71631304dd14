"""A game being played: the position, what was undone, who plays which side, saving and loading.

Knows nothing of screens, so that every kind of board can use it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from zrf_py.library import folded
from zrf_py.play.game import Game, Move, Position
from zrf_py.play.players import HUMAN, player
from zrf_py.play.zsg import load_game, record, save_game
from zrf_py.text.diagnostics import Diagnostic, ZrfError

if TYPE_CHECKING:
    from random import Random

HINT = "ai:7"
"""Who is asked for a hint."""


@dataclass
class Session:
    """`controllers` says for each player with turns who plays it: "human" or a name that `players.player` knows."""

    game: Game
    rules_file: str
    controllers: dict[str, str]
    random: Random
    position: Position = field(init=False)
    undone: list[Position] = field(default_factory=list)
    saved: Position | None = None

    def __post_init__(self) -> None:
        self.position = self.game.start()
        self.saved = self.position

    # ------------------------------------------------------------------------------------------------------- playing

    @property
    def is_over(self) -> bool:
        return self.position.outcome() is not None

    @property
    def is_human(self) -> bool:
        """Whether somebody at the board is to move."""
        return self.controllers.get(self.position.player, HUMAN) == HUMAN

    @property
    def has_humans(self) -> bool:
        """Whether somebody plays for one side at least."""
        return HUMAN in self.controllers.values()

    @property
    def is_puzzle(self) -> bool:
        """Whether there is only one player."""
        return len([p for p in self.game.program.game.players if p.kind == "player"]) == 1

    @property
    def is_changed(self) -> bool:
        """Whether there is something that saving would keep."""
        return self.position is not self.saved and self.position.previous is not None

    def play(self, move: Move | str) -> Move:
        """Play a move or leg; what was undone is forgotten.

        :raises ZrfError: if it isn't legal.
        """
        self.position = self.position.play(move)
        self.undone.clear()
        assert self.position.move
        return self.position.move

    def choose(self, controller: str = "") -> tuple[Move, ...]:
        """The turn that a computer player would play here: the one whose turn it is, or another for a hint."""
        name = controller or self.controllers[self.position.player]
        here = self.position
        return here.named(player(name)(self.game.engine, here.state, self.random, here.earlier()))

    # ---------------------------------------------------------------------------------------------------------- undo

    def undo(self) -> int:
        """Take back the last move, or leg of a turn under way; against computers back to one's own choice.

        Returns how many moves were taken back.
        """
        count = 0
        while self.position.previous is not None:
            self.undone.append(self.position)
            self.position = self.position.previous
            count += 1
            if self.is_human and self._is_rest():
                break
        if count and not self.is_human and self.has_humans:
            for _ in range(count):
                self.redo_one()
            return 0
        return count

    def _is_rest(self) -> bool:
        """Where one may stop taking back: with computers about, at the beginning of a turn."""
        return set(self.controllers.values()) == {HUMAN} or not self.position.in_turn

    def redo(self) -> int:
        """Play again what was taken back, to where the last `undo` began or the next choice of a human is."""
        count = 0
        while self.redo_one():
            count += 1
            if self.is_human and self._is_rest():
                break
        return count

    def redo_one(self) -> bool:
        if self.undone:
            self.position = self.undone.pop()
            return True
        return False

    # ------------------------------------------------------------------------------------------------ saving, loading

    def letters(self) -> str:
        """`H` or `C` for each player that has turns, as saved games say who played."""
        return "".join("H" if self.controllers[p] == HUMAN else "C" for p in self.game.players)

    def save(self, path: str | Path) -> None:
        save_game(path, record(self.position, self.rules_file, self.letters()))
        self.saved = self.position

    def load(self, path: str | Path) -> None:
        """Go on with a saved game of the same variant.

        :raises ZrfError: if it is of another game or doesn't fit the rules; the session stays as it is.
        """
        from zrf_py.play.replay import replay

        saved = load_game(path)
        if saved.variant and folded(saved.variant) != folded(self.game.title):
            raise ZrfError([Diagnostic(
                "other-game", f"{path} is a game of `{saved.variant}`, not of `{self.game.title}`", None,
                help=f"`zrf play --load {path}` starts the right one")])
        result = replay(self.game, saved)
        if result.stop:
            raise ZrfError([Diagnostic(
                "bad-record", f"{path}, line {result.stop.entry.line}: {result.stop.reason}", None,
                notes=(f"recorded: {result.stop.entry.text}",), help=f"`zrf replay {path}` shows the board there")])
        self.position = self.saved = result.position
        self.undone.clear()


def read_controllers(game: Game, wish: str | None) -> dict[str, str]:
    """Who plays: `wish` lists it in the order of the players with `,` between, the last for all further ones.

    Random players (`?`) always play by themselves. Without a wish all others are human.

    :raises ZrfError: if there is no such player.
    """
    names = [w.strip().lower() for w in (wish or HUMAN).split(",") if w.strip()] or [HUMAN]
    for name in names:
        if name != HUMAN:
            player(name)
    chosen = {}
    rest = iter(names)
    current = names[0]
    for seat in game.program.game.players:
        if seat.kind == "random":
            chosen[seat.name] = "random"
        elif seat.kind != "neutral":
            current = next(rest, current)
            chosen[seat.name] = current
    return chosen
