"""Turns: which of the generated moves are legal, what follows a leg, when a game is over.

The interpreter's engine. In order: what the turn allows (side, move type, the piece in the middle of a chain), move
priorities, maximal captures, safety of royal pieces, passing. Priorities come before safety, as in the original.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zrf_py.ir.ops import Program
from zrf_py.run import goals
from zrf_py.run.interpret import can_capture, generate, generate_from
from zrf_py.run.position import NOBODY, NOT_PARTIAL, Move, Outcome, Position, initial, play

MAX_CHAIN = 200
"""Legs that are looked ahead in one turn."""


class Rules:
    """The interpreter as an engine: see `run/engine.py` for what each method promises."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.game = program.game
        self.turns = program.game.turns
        self.options = program.game.options
        self.royals = goals.royals(program)
        self.has_royals = any(self.royals)
        self.maximal = self.options.get("maximal captures", "false")
        self._values: list[int] | None = None
        self._last: tuple[Position, tuple[Move, ...]] | None = None

    def start(self) -> Position:
        return initial(self.program)

    def player_to_move(self, position: Position) -> int:
        """The player who chooses the next move; -1 in a game without turns."""
        return self.turns[position.turn].mover if self.turns else -1

    # ------------------------------------------------------------------------------------------------------- moves

    def moves(self, position: Position) -> tuple[Move, ...]:
        if position.result is not None or not self.turns:
            return ()
        if self._last is None or self._last[0] is not position:
            self._last = position, tuple(self._legal(position))
        return self._last[1]

    def _legal(self, position: Position) -> list[Move]:
        candidates = self.candidates(position)
        if self.maximal in ("true", "2"):
            candidates = self._longest(position, candidates)
        if self.has_royals:
            candidates = [m for m in candidates if self._is_safe(position, m)]
        return candidates + self._passes(position, candidates)

    def candidates(self, position: Position) -> list[Move]:
        """What the turn and the move priorities allow; royal pieces may still be left in danger."""
        turn = self.turns[position.turn]
        move_type = turn.move_type
        if position.chain:
            square, move_type = position.chain
            moves = generate_from(self.program, position, turn.side, square, move_type)
        else:
            moves = generate(self.program, position, turn.side, move_type)
        if self.game.priorities and move_type < 0 and moves:
            return self._first_class(position, moves)
        return moves

    def _first_class(self, position: Position, moves: list[Move]) -> list[Move]:
        """Only the moves of the first priority that has any; moves of other types come last."""
        side = self.turns[position.turn].side
        for wanted in self.game.priorities:
            if position.chain:
                found = generate_from(self.program, position, side, position.chain[0], wanted)
            else:
                found = generate(self.program, position, side, wanted)
            if found:
                return found
        return moves

    def _passes(self, position: Position, moves: list[Move]) -> list[Move]:
        side = self.turns[position.turn].side
        if position.chain:
            offered = self.options.get("pass partial") == "true"
        else:
            rule = self.options.get("pass turn", "false")
            offered = not moves if rule == "forced" else rule not in ("false", "default")
        if not offered:
            return []
        stop = Move(side, is_pass=True)
        return [stop] if not self.has_royals or self._is_safe(position, stop) else []

    # ------------------------------------------------------------------------------------------------ after a move

    def after(self, position: Position, move: Move) -> Position:
        new = play(self.program, position, move)
        if move.partial != NOT_PARTIAL and new.owner[move.end] != NOBODY:
            chained = replace(new, chain=(move.end, move.partial))
            if self.candidates(chained):
                return chained
        return self._end_turn(position, new)

    def _end_turn(self, position: Position, new: Position) -> Position:
        turn = position.turn + 1
        if turn >= len(self.turns):
            turn = self.game.repeat
        new = replace(new, turn=turn, mover=self.turns[position.turn].mover)
        result = goals.board_result(self.program, new)
        return replace(new, result=result) if result else new

    # ------------------------------------------------------------------------------------------------ royal pieces

    def _is_safe(self, position: Position, move: Move) -> bool:
        """Whether the turn can end without the next player being able to take a royal piece of somebody else."""
        return self._can_end_safely(self.after(position, move), set())

    def _can_end_safely(self, position: Position, seen: set[object]) -> bool:
        if position.chain is None:
            return not self.royal_in_danger(position)
        key = position.key()
        if key in seen or len(seen) > MAX_CHAIN:
            return False
        seen.add(key)
        if self.options.get("pass partial") == "true" and not self.royal_in_danger(
            self._end_turn(position, replace(position, chain=None))
        ):
            return True
        return any(self._can_end_safely(self.after(position, m), seen) for m in self.candidates(position))

    def royal_in_danger(self, position: Position) -> bool:
        """Whether the player to move could take a royal piece that belongs to another player."""
        turn = self.turns[position.turn]
        targets = {
            square for square, owner in enumerate(position.owner)
            if owner not in (NOBODY, turn.side) and position.piece[square] in self.royals[owner]
        }
        return bool(targets) and can_capture(self.program, position, turn.side, targets, turn.move_type)

    def is_attacked(self, position: Position, player: int) -> bool:
        """Whether some opponent could take a royal piece of the player."""
        targets = {
            square for square, owner in enumerate(position.owner)
            if owner == player and position.piece[square] in self.royals[player]
        }
        sides = {turn.side for turn in self.turns} - {player}
        return bool(targets) and any(can_capture(self.program, position, side, targets) for side in sorted(sides))

    # -------------------------------------------------------------------------------------------- maximal captures

    def _longest(self, position: Position, moves: list[Move]) -> list[Move]:
        """Only the legs that begin a longest chain; with "2", of those the ones that capture most value."""
        scores = [self._reach(position, move, frozenset()) for move in moves]
        best = max(scores, default=(0, 0))
        return [move for move, score in zip(moves, scores, strict=True) if score == best]

    def _reach(self, position: Position, move: Move, path: frozenset[object]) -> tuple[int, int]:
        """(legs, value) of the longest chain that begins with a move."""
        new = self.after(position, move)
        value = self._value_of(new.taken[len(position.taken) if position.chain else 0 :])
        legs = int(move.partial != NOT_PARTIAL)
        key = new.key()
        if new.chain is None or key in path or len(path) > MAX_CHAIN:
            return legs, value
        further = (self._reach(new, m, path | {key}) for m in self.candidates(new))
        more_legs, more_value = max(further, default=(0, 0))
        return legs + more_legs, value + more_value

    def _value_of(self, taken: Iterable[tuple[int, int]]) -> int:
        """What captured pieces are worth for "maximal captures" 2: the squares a lone piece of the type can reach.

        The original keeps its own values, computed once for each game and documented nowhere; mobility on an empty
        board orders men below kings as every published rule of that kind wants it.
        """
        return sum(self.worth(kind) for _, kind in taken) if self.maximal == "2" else 0

    def worth(self, kind: int) -> int:
        """What a captured piece of a type counts."""
        if self._values is None:
            self._values = [self._mobility(kind) for kind in range(len(self.game.pieces))]
        return self._values[kind]

    def _mobility(self, kind: int) -> int:
        side = self.turns[0].side
        total = 0
        empty = initial(self.program)
        size = len(empty.owner)
        for square in range(size):
            owner = tuple(side if s == square else NOBODY for s in range(size))
            lone = replace(empty, owner=owner, piece=(kind,) * size)
            total += len(generate_from(self.program, lone, side, square, -1))
        return total

    # ----------------------------------------------------------------------------------------------- end of a game

    def outcome(self, position: Position, repetitions: int = 1) -> Outcome | None:
        if position.result is not None or not self.turns:
            return position.result
        player = self.player_to_move(position)
        if not self.moves(position):
            if self.has_royals and self.is_attacked(position, player):
                found = goals.state_result(self.program, position, player, "checkmated")
                return found or Outcome((), (player,), "checkmated")
            found = goals.state_result(self.program, position, player, "stalemated")
            return found or goals.default_stalemate(self.program, player)
        return self.repeated(position, repetitions)

    def repeated(self, position: Position, repetitions: int) -> Outcome | None:
        """What the player to move gets out of a position that has occurred so often."""
        player = self.player_to_move(position)
        if repetitions >= 3 and position.chain is None and len({t.mover for t in self.turns}) > 1:
            found = goals.state_result(self.program, position, player, "repetition")
            return found or Outcome((), (), "repetition")
        return None
