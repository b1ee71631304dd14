"""Turns: legal moves, the course of a turn after a leg, the end of the game.

The interpreter's engine. Filters, in order: the turn (side, move type, piece in a chain), move priorities, maximal
captures, safety of royal pieces, passing. Priorities come before safety, as in the original.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count

from zrf_py.front.model import EndCondition
from zrf_py.ir.ops import Program
from zrf_py.run import goals
from zrf_py.run.faults import MAX_LOOKS, RulesFault, endless_turn
from zrf_py.run.interpret import can_capture, can_move, generate, generate_from
from zrf_py.run.position import NOBODY, NOT_PARTIAL, Move, Outcome, Position, initial, play

MAX_CHAIN = 200
"""Limit on look-ahead within a turn, in legs."""


class Rules:
    """The interpreter as an engine; `run/engine.py` has the contract of its methods. Threads may share it."""

    def __init__(self, program: Program, between: Callable[[], None] | None = None) -> None:
        """`between` is called before each priority and each leg of look-ahead; its exception aborts the query."""
        self.program = program
        self.between = between
        self.game = program.game
        self.turns = program.game.turns
        self.options = program.game.options
        self.royals = program.aims.royals
        self.has_royals = any(self.royals)
        self.null_turns = self.options.null_turns
        self.has_unfinished = not self.null_turns or (self.game.plus and program.uses("must-continue"))
        """True if turns may be impossible to finish even without royal pieces; a priority with only such turns is
        skipped."""
        self.must_finish = self.has_royals or self.has_unfinished
        """True if some generated moves may begin a turn that cannot be finished legally."""
        self.repetition = program.aims.repetition
        self.has_outs = any(end.result == "out" for end in program.game.ends)
        self.plain_turns = not self.has_outs and not any(turn.guards for turn in self.turns)
        self._values: list[int] | None = None
        self._last: tuple[Position, tuple[Move, ...]] | None = None

    def start(self) -> Position:
        position = initial(self.program)
        return position if self.plain_turns else replace(position, turn=self._turn_after(position, 0, 0))

    def player_to_move(self, position: Position) -> int:
        """Return the player who chooses the next move; -1 in a game without turns."""
        return self.turns[position.turn].mover if self.turns else -1

    # ------------------------------------------------------------------------------------------------------- moves

    def moves(self, position: Position) -> tuple[Move, ...]:
        if position.result is not None or not self.turns:
            return ()
        last = self._last
        if last is None or last[0] is not position:
            last = self._last = position, tuple(self._legal(position))
        return last[1]

    def _legal(self, position: Position) -> list[Move]:
        candidates = self.candidates(position)
        if self.options.maximal_captures:
            candidates = self._longest(position, candidates)
        passes = [m for m in candidates if m.is_pass][:1]
        candidates = [m for m in candidates if not m.is_pass]
        if self.must_finish:
            candidates = [m for m in candidates if self._can_finish(position, m)]
            passes = [m for m in passes if self._can_finish(position, m)]
        return candidates + (self._passes(position, candidates) or passes)

    def candidates(self, position: Position, ahead: bool = False) -> list[Move]:
        """Return the moves that the turn and the move priorities allow; royal pieces may still be left in danger.

        `ahead`: the call is part of a look-ahead, so priorities don't start another.
        """
        move_type = position.chain[1] if position.chain else self.turns[position.turn].move_type
        moves = self.generated(position, move_type)
        if self.game.priorities and move_type < 0 and moves:
            return self._first_class(position, moves, ahead)
        return moves

    def generated(self, position: Position, move_type: int) -> list[Move]:
        """Generate the moves of a type (-1: of all types); within a turn, those of the piece that continues it."""
        side = self.turns[position.turn].side
        if position.chain:
            return generate_from(self.program, position, side, position.chain[0], move_type)
        return generate(self.program, position, side, move_type)

    def _first_class(self, position: Position, moves: list[Move], ahead: bool) -> list[Move]:
        """Return the moves of the first priority with a move that can finish the turn (with any move if `ahead`, or
        if not `has_unfinished`); all moves if there is no such priority."""
        for priority in self.game.priorities:
            if self.between:
                self.between()
            preferred = self.generated(position, priority)
            finishing = (self._finishes(position, move, set(), any_end=True) for move in preferred)
            if self.has_unfinished and not ahead and not any(finishing):
                continue
            if preferred:
                return preferred
        return moves

    def _passes(self, position: Position, moves: list[Move]) -> list[Move]:
        side = self.turns[position.turn].side
        if position.chain:
            offered = self.options.pass_partial and not position.must
        else:
            rule = self.options.pass_turn
            offered = rule == "always" or (rule == "forced" and not moves)
        if not offered:
            return []
        stop = Move(side)
        return [stop] if not self.must_finish or self._can_finish(position, stop) else []

    # ------------------------------------------------------------------------------------------------ after a move

    def after(self, position: Position, move: Move) -> Position:
        new = self._after(position, move)
        if new.chain is None:
            new = replace(new, result=new.result or goals.board_result(self.program, new))
        return self._skip_the_stuck(new) if self.has_outs and new.chain is None else new

    def _after(self, position: Position, move: Move, ahead: bool = False) -> Position:
        """Return the position after a move, without testing goals and without eliminating players who have no move.

        Look-ahead within a turn needs no more: the end of the game, the scores and the mobility of other players
        matter only for moves actually played.
        """
        new = play(self.program, position, move)
        if move.partial != NOT_PARTIAL and new.owner[move.end] != NOBODY:
            origin = position.origin if position.chain else (position.owner, position.piece)
            legs = position.legs + 1
            chained = replace(new, chain=(move.end, move.partial), legs=legs, must=move.must, origin=origin)
            if self.candidates(chained, ahead):
                return chained
        return self._end_turn(position, new)

    def _end_turn(self, position: Position, new: Position) -> Position:
        mover = self.turns[position.turn].mover
        made = tuple(n + (player == mover) for player, n in enumerate(new.made))
        new = replace(new, mover=mover, made=made, legs=0, must=False, origin=None)
        if self.has_outs:
            new = self._put_out(new)
        return replace(new, turn=self._turn_after(new, position.turn, new.step), step=1)

    def _turn_after(self, position: Position, turn: int, step: int) -> int:
        """Return the turn index `step` turns later, or the next one after it that is not skipped."""
        count = len(self.turns)
        turn += step
        if turn < 0:
            turn %= count
        if turn >= count:
            turn = self.game.repeat + (turn - count) % (count - self.game.repeat)
        if not self.plain_turns:
            for _ in range(count):
                mover, side, guards = self.turns[turn].mover, self.turns[turn].side, self.turns[turn].guards
                if mover not in position.out and all(goals.holds(self.program, position, g, side) for g in guards):
                    break
                turn = turn + 1 if turn + 1 < count else self.game.repeat
        return turn

    # ---------------------------------------------------------------------------------------------- dropping out

    def _put_out(self, position: Position) -> Position:
        """Eliminate the players whose `out-condition` about the board holds."""
        for player in range(len(self.game.players)):
            if player not in position.out and (end := goals.goes_out(self.program, position, player)):
                position = self._out(position, player, end)
        return position

    def _skip_the_stuck(self, position: Position) -> Position:
        """Eliminate a player without moves if an `out-condition` demands it; repeat for the next player."""
        while position.result is None and not self._can_move(position):
            player = self.player_to_move(position)
            end = goals.goes_out(self.program, position, player, "stalemated")
            if end is None or player in position.out:
                return position
            position = self._out(position, player, end)
            if position.result is None:
                position = replace(position, turn=self._turn_after(position, position.turn, 1))
        return position

    def _can_move(self, position: Position) -> bool:
        """Return whether the player to move has a move. Usually the first generated move settles this."""
        turn = self.turns[position.turn]
        may_stop = self.options.pass_partial

        def ends_turn(move: Move) -> bool:
            return not move.must and (move.partial == NOT_PARTIAL or may_stop)

        quick = not self.has_royals and can_move(self.program, position, turn.side, turn.move_type, ends_turn)
        return quick or bool(self.moves(position))

    def _out(self, position: Position, player: int, end: EndCondition) -> Position:
        zone = self.game.board.zones[end.remove][player] if end.remove >= 0 else ()
        empty = [(square, NOBODY, 0, 0) for square in zone if position.owner[square] == player]
        position = replace(position.with_pieces(*empty), out=position.out | {player})
        return replace(position, result=goals.last_team(self.program, position))

    # ------------------------------------------------------------------------------------------- finishing a turn

    def _can_finish(self, position: Position, move: Move) -> bool:
        """Return whether the turn can be finished legally with this move.

        It can't be finished if every continuation ends on a leg that may not be the last, restores the board (unless
        null turns are allowed), or leaves a royal piece that the next player could capture.
        """
        ends = move.partial == NOT_PARTIAL
        if ends and not self.has_royals and (self.null_turns or position.chain is None):
            return True
        return self._finishes(position, move, set())

    def _finishes(self, position: Position, move: Move, visited: set[object], any_end: bool = False) -> bool:
        """Like `_can_finish`, but not returning to positions in `visited`; `any_end`: royal pieces may be in danger."""
        if self.between:
            self.between()
        new = self._after(position, move, ahead=True)
        if new.chain is None:
            return not move.must and not self._is_null(position, new) and (any_end or not self.royal_in_danger(new))
        key = (new.key(), new.last_from)
        if key in visited or len(visited) > MAX_CHAIN:
            return False
        visited.add(key)
        further = self.candidates(new, ahead=True)
        if self.options.pass_partial and not new.must:
            further = [Move(move.side), *further]
        return any(self._finishes(new, m, visited, any_end) for m in further)

    def _is_null(self, position: Position, new: Position) -> bool:
        """Return whether a turn of several legs restored the board although null turns are forbidden."""
        if self.null_turns:
            return False
        before = position.origin if position.chain else (position.owner, position.piece)
        return before == (new.owner, new.piece) and (position.chain is not None)

    # ------------------------------------------------------------------------------------------------ royal pieces

    def royal_in_danger(self, position: Position) -> bool:
        """Return whether the player to move could capture a royal piece of another player."""
        turn = self.turns[position.turn]
        targets = {
            square for square, owner in enumerate(position.owner)
            if owner not in (NOBODY, turn.side) and position.piece[square] in self.royals[owner]
        }
        return bool(targets) and can_capture(self.program, position, turn.side, targets, turn.move_type)

    def is_attacked(self, position: Position, player: int) -> bool:
        """Return whether some opponent could capture a royal piece of the player."""
        targets = {
            square for square, owner in enumerate(position.owner)
            if owner == player and position.piece[square] in self.royals[player]
        }
        sides = {turn.side for turn in self.turns} - {player}
        return bool(targets) and any(can_capture(self.program, position, side, targets) for side in sorted(sides))

    # -------------------------------------------------------------------------------------------- maximal captures

    def _longest(self, position: Position, moves: list[Move]) -> list[Move]:
        """Return the legs that begin a longest chain; with "maximal captures" 2, only those of the highest value."""
        looks = count(1)
        scores = [self._reach(position, move, frozenset(), looks) for move in moves]
        best = max(scores, default=(0, 0))
        return [move for move, score in zip(moves, scores, strict=True) if score == best]

    def _reach(
        self, position: Position, move: Move, path: frozenset[object], looks: Iterator[int],
    ) -> tuple[int, int]:
        """Return (number of partial legs, value) of the longest chain that begins with a move.

        :raises RulesFault: if more than `MAX_LOOKS` legs are tried.
        """
        if next(looks) > MAX_LOOKS:
            raise endless_turn()
        new = self._after(position, move)
        taken = new.taken[len(position.taken) if position.chain else 0 :] if self.options.maximal_captures == 2 else ()
        value = sum(self.worth(kind) for _, kind in taken)
        legs = int(move.partial != NOT_PARTIAL)
        key = new.key()
        if new.chain is None or key in path or len(path) > MAX_CHAIN:
            return legs, value
        further = (self._reach(new, m, path | {key}, looks) for m in self.candidates(new))
        more_legs, more_value = max(further, default=(0, 0))
        return legs + more_legs, value + more_value

    def worth(self, kind: int) -> int:
        """Return the value of a captured piece type for "maximal captures" 2: its mobility on an empty board. The
        original's values are undocumented; mobility ranks men below kings, as every published rule on captures does."""
        if self._values is None:
            self._values = [self._mobility(kind) for kind in range(len(self.game.pieces))]
        return self._values[kind]

    def _mobility(self, kind: int) -> int:
        """Count a lone piece's moves from all squares; a fault ends the count, as games may never reach such boards."""
        side = self.turns[0].side
        total = 0
        empty = initial(self.program)
        size = len(empty.owner)
        with suppress(RulesFault):
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
                declared = goals.state_result(self.program, position, player, "checkmated")
                return declared or Outcome((), (player,), "checkmated")
            declared = goals.state_result(self.program, position, player, "stalemated")
            return declared or goals.default_stalemate(self.program, player)
        return self.repeated(position, repetitions)

    def repeated(self, position: Position, repetitions: int) -> Outcome | None:
        """Return the outcome if the position occurred `repetitions` times; None below the limit and within a turn."""
        if 0 < self.repetition <= repetitions and position.chain is None:
            # The mover has repeated the position, so an end condition about repetition is about this player.
            declared = goals.state_result(self.program, position, position.mover, "repetition")
            return declared or Outcome((), (), "repetition")
        return None
