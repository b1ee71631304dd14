"""Numbers shown beside the players: the score, or else the number of pieces that an end condition counts; each player's
counters; and how far a counter is from its limit in this turn."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from zrf_py.front import model
from zrf_py.ir.ops import Program
from zrf_py.play.reasons import STANDINGS, spoken
from zrf_py.run import goals
from zrf_py.run.numbers import value
from zrf_py.run.position import NOBODY, Position
from zrf_py.run.rules import Rules

FEW = 8
"""A type with at most this many pieces, on and off the board, counts as limited, even if it could fill the board."""


class Standing(NamedTuple):
    """A number shown for a player, with words for it; `of` is the number that wins (0: no such number).

    `name` is the name of the counter in words ("": the number is not a counter). `turn` is True for the remainder of
    a limit in this turn, which is shown only for the player to move.
    """

    player: int
    words: str
    counted: model.Number | model.Count
    of: int = 0
    name: str = ""
    turn: bool = False

    def number(self, program: Program, position: Position) -> int:
        if isinstance(self.counted, model.Count):
            return goals.count(program, position, self.counted, self.player)
        return value(program, position, self.player, self.counted)


@lru_cache(maxsize=32)
def standings(program: Program) -> tuple[Standing, ...]:
    """Return the standings of all players, in their order."""
    return tuple(standing for p, player in enumerate(program.game.players) if player.kind == "player"
                 for standing in (_standing(program, p), *_counters(program, p)) if standing)


def shown(program: Program, position: Position, is_over: bool) -> list[list[str | int]]:
    """Return [player, number, words, of] for each number shown in a position; a counter's name follows these."""
    turns = program.game.turns
    mover = turns[position.turn].mover if turns and not is_over else -1
    return [[program.game.players[row.player].name, row.number(program, position), row.words, row.of,
             *([row.name] if row.name else [])]
            for row in standings(program) if not row.turn or row.player == mover]


def supplies(program: Program, position: Position) -> set[int]:
    """Return the piece types that can't run out: players hold one for every free square, and there are more than `FEW`.
    Keep it in step with `supplies` in `serve/static/drawing.js`."""
    in_play = [not place.dummy for place in program.game.board.places]
    free = sum(owner == NOBODY and seen for owner, seen in zip(position.owner, in_play, strict=True))
    held = [sum(counts) for counts in zip(*position.stores, strict=True)]
    placed = Counter(kind for owner, kind in zip(position.owner, position.piece, strict=True) if owner != NOBODY)
    return {kind for kind, count in enumerate(held) if count >= free and count + placed[kind] > FEW}


def _counters(program: Program, player: int) -> Iterator[Standing]:
    """Yield the per-player counters that moves change, except flags and those in the score. If moves increase a counter
    up to a limit and reset it, also yield its difference from that limit."""
    ops = [op for code in program.codes() for op in code]
    for at, counter in enumerate(program.game.counters):
        mine = model.Number("counter", at, model.SIDE)
        values = [op.numbers[0] for op in ops if op.name == "set-counter" and op.a == at]
        grows = any(op.name == "add-to-counter" and op.a == at for op in ops)
        is_flag = not grows and {number.a if number.kind == "number" else -1 for number in values} <= {0, 1}
        if counter.each and not is_flag and mine not in _parts(program.game.score):
            yield Standing(player, STANDINGS["counter"], mine, name=spoken(counter.name))
        limits = {op.numbers[1] for op in ops if op.name == "less?" and op.numbers[0] == mine}
        if grows and len(limits) == 1 and (limit := limits.pop()).kind in ("number", "counter") and any(
                number.kind == "number" for number in values):
            left = model.Number("difference", parts=(limit, mine))
            yield Standing(player, STANDINGS["turn"], left, name=spoken(counter.name), turn=True)


def _parts(number: model.Number | None) -> list[model.Number]:
    return [number, *(inner for part in number.parts for inner in _parts(part))] if number else []


def _standing(program: Program, player: int) -> Standing | None:
    game, start = program.game, Rules(program).start()
    if game.score:
        return Standing(player, STANDINGS["score"], game.score)
    if any(end.result == "count" for end in game.ends):
        return Standing(player, STANDINGS["most"], model.Number("count", model.FRIEND, -1, -1))
    for goal in program.aims.wanted(player):
        match goal:
            case model.Compare("equal?", model.Number("count", model.FRIEND, _, zone) as men, model.Number(a=most)):
                if zone >= 0 and most > 1:
                    return Standing(player, STANDINGS["home"], men, most)
    tested = (leaf.goal for leaf in program.aims.leaves
              if leaf.player == player and isinstance(leaf.goal, model.Count) and not leaf.goal.everybody)
    # Where one capture ends the game, no number is shown.
    return next((Standing(player, STANDINGS["left"], goal) for goal in tested
                 if goals.count(program, start, goal, player) > goal.number + 1), None)
