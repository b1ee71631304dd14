"""Pure Python Monte-Carlo tree search over any engine, for games that the native engine can't take.

The kernel can't serve here: as native code it needs LLVM, which isn't on every machine, and as Python it is slower than
the interpreter. Above all, some games are too large for its arrays.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from math import sqrt
from random import Random
from statistics import mean

from zrf_py.run.engine import Engine
from zrf_py.run.goals import score
from zrf_py.run.position import NOBODY, Move, Outcome, Position
from zrf_py.search import chance, memory, plan
from zrf_py.search.evaluation.lines import lines
from zrf_py.search.evaluation.weights import shows_leader, weights
from zrf_py.search.result import Analysis, Expected, Request, SearchLine, by_value, hundredths

EXPLORE = 0.7
PLAYED_ON = 2
"""Random legs beyond the tree before the evaluation is applied."""
TO_THE_END = 60
"""Maximum number of random legs beyond the tree if the evaluation does not show who is ahead."""
NODES_PER_LEG = 40
"""Positions charged against the limit for each leg: a leg takes that many times as long as in native code."""


@dataclass(slots=True)
class _Node:
    """Tree node: `rewards[player]` sums the rewards of `visits` simulations; `after`: children by index of move."""

    position: Position
    moves: tuple[Move, ...] | None = None
    after: dict[int, _Node] = field(default_factory=dict)
    visits: int = 0
    rewards: list[float] = field(default_factory=list)


class Slow:
    """Tree search for one game through its engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.program = engine.program
        self.weights: plan.Weights = weights(self.program)
        self.lines = lines(self.program)
        self.rollout_legs = PLAYED_ON if shows_leader(self.weights, self.lines) else TO_THE_END
        self.playing = self.program.game.playing

    def analyse(self, request: Request) -> Analysis:
        """Return the best lines of a position in which the game goes on.

        Each move is tried at least once, unless time is up.
        """
        began, cpu_began = time.perf_counter(), time.thread_time()
        random, limits, position = Random(request.seed), request.limits, request.position
        root = self._node(position)
        legs = 0
        most = max(1, (limits.nodes or 10**12) // NODES_PER_LEG)
        choice = len(self.engine.moves(position))
        reported_at = began
        while legs < most or (root.visits < choice and not chance.is_drawn(self.program, position)):
            now = time.perf_counter()
            used = (limits.time, now - began), (limits.cpu, time.thread_time() - cpu_began)
            is_late = any(limit is not None and seconds >= limit * 0.97 for limit, seconds in used)
            if legs and (is_late or (request.stop and request.stop())):
                break
            legs += self._line(root, random)
            if request.progress and now - reported_at > 1:
                reported_at = now
                request.progress(self._result(root, request.count, legs, now - began))
        return self._result(root, request.count, legs, time.perf_counter() - began)

    def _node(self, position: Position) -> _Node:
        return _Node(position, rewards=[0.0] * len(self.program.game.players))

    def _line(self, root: _Node, random: Random) -> int:
        """Run one simulation; return its number of legs."""
        path, node = [root], root
        while node.visits or node is root:
            if node.moves is None:
                node.moves = () if node.position.result else tuple(self.engine.moves(node.position))
            if not node.moves or len(path) > 300:
                break
            number = self._choose(node, random)
            if number not in node.after:
                node.after[number] = self._node(self.engine.after(node.position, node.moves[number]))
            node = node.after[number]
            path.append(node)
        shares, more = self._play_on(node.position, random)
        for node in path:
            node.visits += 1
            node.rewards = [a + b for a, b in zip(node.rewards, shares, strict=True)]
        return len(path) + more

    def _choose(self, node: _Node, random: Random) -> int:
        """Choose a move's index by UCB, untried moves first; moves of a random player are drawn."""
        assert node.moves
        mover = self.program.game.turns[node.position.turn].mover
        fresh = [i for i in range(len(node.moves)) if i not in node.after]
        if fresh or mover not in self.playing:
            return random.choice(fresh) if fresh and mover in self.playing else random.randrange(len(node.moves))
        return max(node.after, key=lambda i: self._merit(node, node.after[i], mover))

    @staticmethod
    def _merit(node: _Node, child: _Node, mover: int) -> float:
        return child.rewards[mover] / child.visits + EXPLORE * sqrt(node.visits) / (1 + child.visits)

    def _play_on(self, position: Position, random: Random) -> tuple[list[float], int]:
        legs = 0
        while position.result is None:
            moves = self.engine.moves(position)
            if not moves:
                outcome = self.engine.outcome(position)
                return self._shares(outcome) if outcome else self._estimate(position), legs
            if legs >= self.rollout_legs and (position.chain is None or legs > TO_THE_END + 40):
                return self._estimate(position), legs
            position = self.engine.after(position, random.choice(moves))
            legs += 1
        return self._shares(position.result), legs

    def _shares(self, outcome: Outcome) -> list[float]:
        winners = [player for player in self.playing if outcome.is_won_by(player)] or self.playing
        return [1 / len(winners) if i in winners else 0.0 for i in range(len(self.program.game.players))]

    def _estimate(self, position: Position) -> list[float]:
        """Return the reward of each player, computed from the lead of its side over the best other side."""
        rows = self._evaluate_lines(position)
        owned = [self._evaluate(position, player) + rows[player] for player in range(len(rows))]
        together = self.program.game.are_together
        sums = {p: sum(owned[q] for q in self.playing if together(p, q)) for p in self.playing}
        shares = [0.0] * len(owned)
        for player in self.playing:
            ahead = sums[player] - max((sums[p] for p in self.playing if not together(p, player)), default=0)
            shares[player] = 0.5 + 0.5 * ahead / (abs(ahead) + memory.SPREAD)
        return shares

    def _evaluate(self, position: Position, player: int) -> int:
        """Return the value of a player's pieces and points."""
        total = self.weights.men(position, player)
        if point := self.weights.terms["per_point"]:
            total += point * score(self.program, position, player) * (-1 if self.program.game.lowest_wins else 1)
        return total

    def _evaluate_lines(self, position: Position) -> list[int]:
        """Return the value of each player's lines that can still be completed."""
        values = [0] * len(self.program.game.players)
        has, blocked = [0] * len(self.lines.players), set()
        for square, places in enumerate(self.lines.at):
            owner, piece = position.owner[square], position.piece[square]
            for line, seat, other, kind, negated in places:
                fits = owner != NOBODY and piece == kind - 1 and (not seat or (owner == seat - 1) != bool(other))
                if fits != bool(negated):
                    has[line] += 1
                elif owner != NOBODY:
                    blocked.add(line)
        for line, player in enumerate(self.lines.players):
            if line not in blocked:
                worth = self.weights.lines[self.lines.lengths[line] - has[line]]
                values[player if player >= 0 else -1 - player] += worth if player >= 0 else -worth
        return values

    def _result(self, root: _Node, count: int, legs: int, seconds: float) -> Analysis:
        player = chance.next_player(self.engine, root.position)
        expected = None
        if chance.is_drawn(self.program, root.position):
            shares = {i: child.rewards[player] / child.visits for i, child in sorted(root.after.items())}
            expected = Expected(player, hundredths(mean(shares.values())))
            order = sorted(shares, key=lambda i: shares[i], reverse=True)
        else:
            order = sorted(root.after, key=lambda i: self._rank(root.after[i], player), reverse=True)
        best_lines = by_value(self._best(root, i, player) for i in order[:count])
        return Analysis(tuple(best_lines), legs * NODES_PER_LEG, seconds, False, expected)

    @staticmethod
    def _rank(child: _Node, player: int) -> tuple[bool, int, float]:
        """Return the sort key of a move: immediate win, then visits, then reward."""
        result = child.position.result
        return result is not None and player in result.winners, child.visits, child.rewards[player]

    @staticmethod
    def _best(root: _Node, number: int, player: int) -> SearchLine:
        first = root.after[number]
        legs, node = [], root
        while node.moves:
            legs.append(node.moves[number])
            node = node.after[number]
            if not node.after:
                break
            number = max(node.after, key=lambda i: node.after[i].visits)
        result = first.position.result
        value = hundredths(first.rewards[player] / first.visits)
        if result is not None and player in result.winners:
            value = memory.WIN - 1
        return SearchLine(value, tuple(legs), len(legs))
