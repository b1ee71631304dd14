"""Whole games generated at random from all of the language: valid rules that nobody would write.

Games of the shelf use a word where it makes sense; here any words may stand together. Half of the blocks are those of
real games (steps, slides, jumps, drops, dice), so that a game goes on for a while; the rest is anything that fits.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random
from typing import TypeVar

Way = TypeVar("Way")
OPTIONS = {"pass turn": ("false", "true", "forced", "forced"), "pass partial": ("false", "true"),
           "maximal captures": ("false", "false", "true", "2"), "recycle captures": ("false", "true", "captor"),
           "recycle promotions": ("false", "true"), "include off-pieces": ("false", "true"),
           "discard cascades": ("false", "true"), "null turns": ("true", "false"),
           "repetition": ("default", "none", "2", "5")}
TESTS = ("empty?", "friend?", "enemy?", "neutral?", "on-board?", "marked?", "last-from?", "last-to?",
         "adjacent-to-enemy?", "goal-position?", "attacked?", "defended?", "attacked?", "defended?")
COLUMNS, LEVELS, WORLDS = "abcdefghijklmnopqrst", "ABCDEFGH", "wxyz"
DEEP = 2
"""Maximum nesting of conditions and instructions."""


class Writer:
    """Writes the rules of one game: `text` is the file. The same random numbers give the same file."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.players = self._players()
        self.pieces = self._names("T", self.one(1, 2, 3, 3, 4, 4, 5, random.randint(6, 20), random.randint(20, 75)))
        self.attributes = self._names("at", self.one(0, 0, 1, 1, 2, 3, 3, random.randint(4, 43)))
        self.types = self._names("mt", self.one(1, 2, 2, 3))
        self.counters, self.each = self._names("c", self.one(1, 2, 3)), self._names("e", self.one(1, 2))
        self.flags = self._names("fl", 2)
        self.zones = self._names("zone", self.one(1, 1, 2, 4))
        self.measures = self._names("far", self.one(1, 2))
        board = self._board()
        self.text = f'(version "zrf+")\n(game\n  {self._game(board)})\n'

    # ---------------------------------------------------------------------------------------------------------- chance

    def one(self, *ways: Way) -> Way:
        return self.random.choice(ways)

    def some(self, names: list[str], most: int = 3) -> list[str]:
        """Return one to `most` of the names."""
        return self.random.sample(names, self.random.randint(1, min(most, len(names))))

    def seldom(self, chance: float = 0.2) -> bool:
        return self.random.random() < chance

    def either(self, *ways: Callable[[], str]) -> str:
        return self.random.choice(ways)()

    def many(self, write: Callable[[], str], least: int, most: int) -> str:
        return " ".join(write() for _ in range(self.random.randint(least, most)))

    def _names(self, stem: str, count: int) -> list[str]:
        return [f"{stem}{n}" for n in range(1, count + 1)]

    # ------------------------------------------------------------------------------------------------ players and board

    def _players(self) -> list[str]:
        """One to six players; those called `?…` move at random. The last may have no turns."""
        names = [f"P{n}" for n in range(1, self.one(1, 2, 2, 2, 2, 3, 3, 4, 5, 6) + 1)]
        names = [f"?{name}" if n and self.seldom() else name for n, name in enumerate(names)]
        self.moving = names[:-1] if len(names) > 1 and self.seldom(0.3) else names
        return names

    def _board(self) -> str:
        """Places and directions: 2 to 400 squares in one to four dimensions."""
        size = self.one(2, self.random.randint(3, 12), 16, self.random.randint(10, 40), 64,
                        self.random.randint(65, 120), self.random.randint(120, 400))
        sides = self._sides(size)
        labels = [COLUMNS, [str(n) for n in range(1, 21)], LEVELS, WORLDS]
        if len(sides) == 1:
            labels = [[f"s{n}" for n in range(1, 401)]]
        used = [list(names[:side]) for names, side in zip(labels, sides, strict=False)]
        self.places = ["".join(parts) for parts in product(*used)]
        steps = self._steps(len(sides))
        self.ways = list(steps)
        dimensions = " ".join(f'("{"/".join(names)}" ({10 * (n % 2 == 0)} {10 * (n % 2)}))'
                              for n, names in enumerate(used))
        directions = " ".join(f"({name} {' '.join(map(str, by))})" for name, by in steps.items())
        parts = [f"(grid (start-rectangle 0 0 9 9) (dimensions {dimensions})\n      (directions {directions}))"]
        if self.seldom():
            self.places += ["off1", "off2"]
            self.ways.append("leap")
            parts += ["(positions (off1 0 0 9 9) (off2 20 0 29 9))",
                      f"(links leap {self.many(self._pair, 1, 5)} (off1 off2))"]
        if self.seldom():
            parts.append(f"(unlink {self.place()} ({self.place()} {self.place()}) ({self.place()} {self.way()}))")
        if self.seldom() and len(self.places) > 5:
            parts.append(f"(kill-positions {(gone := self.place())})")
            self.places.remove(gone)
        if self.seldom():
            parts.append(f"(dummy {self.place()})")
        parts += [f"(symmetry {player} ({(way := self.way())} {(other := self.way())}) ({other} {way}))"
                  for player in self.players if self.seldom(0.4)]
        parts += [self._zone(name, player) for name in self.zones for player in self.players]
        parts += [f"(measure (name {name}) (players {' '.join(self.players)})"
                  f" (values (1 {self.place()} {self.place()}) ({self.number_written()} {self.place()})))"
                  for name in self.measures]
        return "(board " + "\n    ".join(parts) + ")"

    def _sides(self, size: int) -> list[int]:
        """Lengths of the sides of a board with about this many squares."""
        match self.one(1, 2, 2, 2, 2, 3, 4):
            case 1:
                return [size]
            case 2:
                side = max(1, min(20, round(size ** 0.5) + self.random.randint(-1, 2)))
                return [side, max(2, min(20, size // side))]
            case 3:
                side = max(1, min(8, round(size ** 0.34)))
                return [side, side, max(2, min(8, size // side // side))]
        side = max(1, min(4, round(size ** 0.25)))
        return [side, side, side, max(2, min(4, size // side ** 3))]

    def _steps(self, dimensions: int) -> dict[str, list[int]]:
        """Directions by name: each way along each dimension, and a few that go aslant or far."""
        found = {}
        for at, (more, less) in enumerate((("e", "w"), ("n", "s"), ("u", "d"), ("i", "o"))[:dimensions]):
            found[more] = [int(n == at) for n in range(dimensions)]
            found[less] = [-int(n == at) for n in range(dimensions)]
        for number in range(self.one(0, 0, 1, 2, 4)):
            found[f"x{number}"] = [self.random.randint(-2, 2) for _ in range(dimensions)]
        return {name: by for name, by in found.items() if any(by)}

    def _pair(self) -> str:
        return f"({self.place()} {self.place()})"

    def _zone(self, name: str, player: str) -> str:
        chosen = self.some(self.places, self.one(1, 3, 8))
        return f"(zone (name {name}) (players {player}) (positions {' '.join(chosen)}))"

    # ------------------------------------------------------------------------------------------------------------ words

    def place(self) -> str:
        return self.random.choice(self.places)

    def way(self) -> str:
        return self.random.choice(self.ways)

    def piece(self) -> str:
        return self.random.choice(self.pieces)

    def player(self) -> str:
        return self.random.choice(self.players)

    def zone(self) -> str:
        return self.random.choice(self.zones)

    def where(self) -> str:
        """A place that a condition or an effect is about; empty for the cursor."""
        return self.either(str, str, self.way, self.way, self.place, lambda: f"(opposite {self.way()})")

    def number_written(self) -> str:
        return self.one("0", "1", "2", "3", "-1", "5", "2147483647" if self.seldom(0.05) else "1")

    def number(self, depth: int = 1) -> str:
        """A number that depends on no square, for goals as well."""
        return self.either(
            self.number_written, self.number_written, self.number_of_counter,
            lambda: f"(count {self.one('friend', 'enemy', 'anybody', 'nobody', self.player())} "
                    f"{self.one('', self.piece())} {self.one('', self.zone())})",
            lambda: f"(turns-made {self.one('', self.player())})",
            lambda: f"(store {self.piece()} {self.one('', self.player())})",
            *[lambda: f"({self.one('sum', 'difference', 'product')} {self.number(0)} {self.number(0)})"] * depth)

    def number_of_counter(self) -> str:
        if self.seldom(0.5):
            return f"(counter {self.one(*self.counters)})"
        return f"(counter {self.one(*self.each)} {self.one('', self.player())})"

    def number_here(self) -> str:
        """A number in move code."""
        return self.either(self.number, self.number, lambda: "(legs-made)",
                           lambda: f"(at {self.one(*self.measures)} {self.where()})")

    def comparison(self, number: Callable[[], str]) -> str:
        return f"({self.one('equal?', 'less?', 'greater?')} {number()} {number()})"

    def condition(self, depth: int = DEEP) -> str:
        no = self.one("", "", "not-")
        if depth and self.seldom(0.3):
            inner = self.condition(depth - 1)
            return self.one(f"({self.one('and', 'or')} {inner} {self.condition(depth - 1)})", f"(not {inner})")
        return self.either(
            lambda: f"{no}{self.one(*TESTS)}",
            lambda: f"({no}{self.one(*TESTS)} {self.where()})",
            lambda: f"({no}{self.one('attacked?', 'defended?')} {self.one(*self.types)} {self.where()})",
            lambda: f"({no}piece? {self.piece()} {self.where()})",
            lambda: f"({no}in-zone? {self.zone()} {self.where()})",
            lambda: f"({no}position? {self.place()} {self.where()})",
            lambda: f"({no}position-flag? {self.one(*self.flags)} {self.where()})",
            lambda: f"({no}flag? {self.one(*self.flags)})",
            lambda: self.comparison(self.number_here),
            lambda: f"({self.one(*self.attributes)} {self.where()})" if self.attributes else "true",
            lambda: self.one(*self.attributes) if self.attributes else "false")

    # ------------------------------------------------------------------------------------------------------- move code

    def effect(self) -> str:
        """An effect of the move, or an instruction that later conditions depend on."""
        where = self.where()
        return self.either(
            lambda: f"(capture {where})" if where else "capture", lambda: f"(flip {where})" if where else "flip",
            lambda: f"(change-owner {where})" if where else "change-owner",
            lambda: f"(change-type {self.piece()} {where})",
            lambda: f"(create {self.one('', self.player())} {self.one('', self.piece())} {where})",
            lambda: f"(set-attribute {self.one(*self.attributes)} {self.condition(1)} {where})"
            if self.attributes else "flip",
            lambda: f"(set-flag {self.one(*self.flags)} {self.condition(1)})",
            lambda: f"(set-position-flag {self.one(*self.flags)} {self.condition(1)} {where})",
            self.counting, self.counting,
            lambda: f"(next-turn {self.one('0', '1', '2', '-1', '9')})", lambda: "must-continue", lambda: "cascade")

    def counting(self) -> str:
        """An effect on a counter."""
        what = self.one("set-counter", "add-to-counter")
        if self.seldom(0.5):
            return f"({what} {self.one(*self.counters)} {self.number_here()})"
        return f"({what} {self.one(*self.each)} {self.one('', self.player())} {self.number_here()})"

    def add(self) -> str:
        """An instruction that adds a move or a leg."""
        if self.seldom(0.5):
            return "add"
        word = self.one("add", "add-copy", "add-partial", "add-partial", "add-copy-partial")
        types = " ".join(self.some(self.pieces)) if self.seldom(0.4) else ""
        label = self.one("", *self.types) if word.endswith("partial") else ""
        return f"({word} {types} {label})" if types or label else word

    def instruction(self, depth: int = DEEP) -> str:
        return self.either(
            self.way, self.way, self.way, self.way, self.effect, self.effect, self.add,
            lambda: f"(verify {self.condition()})", lambda: f"(verify {self.condition()})",
            lambda: self.one("mark", f"(mark {self.way()})", "back", "from", "to", "(go from)", "(go to)", "(go mark)",
                             "(go last-from)", "(go last-to)", self.place(), f"(opposite {self.way()})", "add-pass"),
            *[lambda: f"(if {self.condition()} {self.many(lambda: self.instruction(depth - 1), 1, 2)}"
                      f"{self.one('', f' else {self.instruction(depth - 1)}')})",
              lambda: f"(while ({self.one('empty?', 'not-friend?', 'friend?', 'on-board?')} {(way := self.way())}) "
                      f"{way} {self.one('', '', self.add(), self.effect())})"] * bool(depth))

    def block(self) -> str:
        """A block of moves."""
        way, other = self.way(), self.way()
        effects = self.many(self.effect, 0, 2)
        fits = self.one("(verify empty?)", "(verify empty?)", "(verify not-friend?)", "(verify not-friend?)", "",
                        "(verify enemy?)", f"(verify {self.condition()})")
        jump = f"(add-partial {self.one(*self.types)})"
        return self.either(
            lambda: f"({way} {fits} {effects} {self.add()})",
            lambda: f"({way} {fits} add)",
            lambda: f"({way} {self.many(self.instruction, 1, 5)} {self.add()})",
            lambda: f"({way} {self.many(self.instruction, 1, 4)} {self.add()})",
            lambda: f"((while (empty? {way}) {way} {effects} add) {way} (verify enemy?) {self.one('add', jump)})",
            lambda: f"({way} (verify {self.one('enemy?', 'not-empty?')}) capture {way} (verify empty?) "
                    f"{self.one(jump, jump, 'add', f'must-continue {jump}')})",
            lambda: f"({way} {fits} to cascade {other} from {way} {self.one('to', self.condition_verified())} add)",
            lambda: f"({self.counting()} {self.one(effects, '')} add-pass)",
            lambda: f"({way} {fits} {self.counting()} (verify {self.condition()}) {effects} add)")

    def condition_verified(self) -> str:
        return f"(verify {self.condition(1)})"

    def drop(self) -> str:
        """A block of drops."""
        start = self.one("(verify empty?)", "(verify empty?)", f"(verify {self.condition()})",
                         f"(verify (in-zone? {self.zone()}))", "")
        return f"({start} {self.many(self.instruction, 0, 2)} {self.one('add', 'add', self.add())})"

    def blocks(self, write: Callable[[], str]) -> str:
        """Blocks under some of the move types."""
        return "\n      ".join(f"{self.one('', f'(move-type {name})')} {self.many(write, 1, 2)}"
                               for name in self.types if self.seldom(0.8))

    def steps(self) -> str:
        """Plain steps for any turn, so that there is usually a move."""
        return self.many(lambda: f"({self.way()} (verify {self.one('empty?', 'not-friend?')}) add)", 0, 2)

    def kind(self, name: str) -> str:
        """A type of piece."""
        parts = [f"(attribute {attribute} {self.one('true', 'false')})" for attribute in self.attributes
                 if name == self.pieces[0] or self.seldom(0.5)]
        if name == self.pieces[0] or self.seldom(0.85):
            parts.append(f"(moves {self.steps()} {self.blocks(self.block)})")
        if self.seldom(0.4):
            parts.append(f"(drops {self.blocks(self.drop)})")
        if self.seldom(0.15):
            parts.append(f"(captured-as {self.piece()})")
        if self.seldom(0.1):
            parts.append(self.one("(dummy)", '(notation "")', f'(notation "{name.lower()}")'))
        return f"(piece (name {name}) " + "\n    ".join(parts) + ")"

    # ------------------------------------------------------------------------------------------------- turns and goals

    def turn(self) -> str:
        player = self.one(*self.moving)
        if self.seldom(0.6):
            return player
        turn = self.one(f"({player} {self.one(*self.types)})", f"({player} {self.player()})",
                        f"({player} {self.player()} {self.one(*self.types)})")
        return f"(when {self.goal_of_numbers()} {turn})" if self.seldom(0.3) else turn

    def order(self) -> str:
        turns = self.moving[:] if self.seldom(0.7) else [self.turn() for _ in range(self.random.randint(1, 6))]
        if self.seldom(0.3):
            turns.insert(self.random.randrange(len(turns) + 1), self.turn())
        if self.seldom(0.3):
            turns.insert(self.random.randrange(len(turns)), "repeat")
        return " ".join(turns)

    def goal_of_numbers(self) -> str:
        return self.comparison(self.number)

    def goal(self, depth: int = 1) -> str:
        """A goal, often one that can't hold before a few turns have been made."""
        if depth and self.seldom(0.4):
            inner = self.pattern()
            later = f"(greater? (turns-made) {self.random.randint(1, 4)})"
            return self.one(f"({self.one('and', 'or')} {inner} {self.pattern()})", f"(and {later} {self.goal(0)})",
                            f"(and {later} (not {inner}))")
        return self.either(
            lambda: "stalemated", lambda: "repetition", lambda: f"(captured {' '.join(self.some(self.pieces))})",
            lambda: f"(checkmated {' '.join(self.some(self.pieces, 2))})", self.pattern, self.pattern,
            lambda: self.one(f"(pieces-remaining {self.one('0', '1')})",
                             f"(pieces-remaining {self.one('0', '1', '2')} {self.piece()})",
                             f"(total-piece-count {self.one('1', '4')})"),
            self.goal_of_numbers)

    def occupant(self) -> str:
        name = self.piece()
        return self.one(*[name] * 6, f"(not {name})", f"(opponent {name})", f"(any-owner {name})")

    def pattern(self) -> str:
        """A goal about the pieces on the board."""
        if self.seldom(0.5):
            on = " ".join(self.one(self.place(), self.zone()) for _ in range(self.random.randint(1, 3)))
            return f"(absolute-config {self.many(self.occupant, 1, 2)} ({on}))"
        return f"(relative-config {self.occupant()}{self.one('', f' {self.way()} {self.occupant()}')})"

    def ending(self) -> str:
        """A condition that ends the game."""
        whose = f"({' '.join(self.some(self.players, 6))})"
        return self.either(
            *[lambda: f"({self.one('win', 'loss', 'draw')}-condition {whose} {self.goal()})"] * 4,
            lambda: f"(count-condition {self.goal()})",
            lambda: f"(score-condition {self.one('', whose)} {self.goal()})",
            lambda: f"(out-condition {whose} {self.goal()} {self.one('', f'(remove {self.zone()})')})")

    def _setup(self) -> str:
        """Write the set-up: at most thirty men, so that wide boards aren't slow, and pieces of some types in store."""
        free = self.random.sample(self.places, min(len(self.places), self.one(1, 4, 8, 12, 12, 20, 30)))
        sides = []
        for player in self.players:
            men = []
            for name in dict.fromkeys([self.pieces[0], *self.some(self.pieces, 5)]):
                here = [free.pop() for _ in range(self.random.randint(1, 3)) if free]
                off = f"off {self.one('1', '2', '3', '40')}" if self.seldom(0.35) else ""
                men += [f"({name} {' '.join(here)} {off})"] if here or off else []
            sides += [f"({player} {' '.join(men)})"] if men else []
        return f"(board-setup {' '.join(sides)})"

    def _game(self, board: str) -> str:
        """All sections; the pieces, which are most of the text, come last."""
        parts = ['(title "Made up")', f"(players {' '.join(self.players)})", f"(turn-order {self.order()})"]
        parts += [f'(option "{name}" {self.one(*values)})' for name, values in OPTIONS.items() if self.seldom(0.6)]
        parts += [f"(counter {name} {self.one('', '1', '-3')})" for name in self.counters]
        parts += [f"(counter {name} each {self.one('', '2')})" for name in self.each]
        if self.seldom(0.4):
            parts.append(f"(move-priorities {' '.join(self.some(self.types))})")
        if len(self.players) > 2 and self.seldom(0.3):
            parts.append(f"(team together {' '.join(self.players[:2])})")
        endings = [self.ending() for _ in range(self.one(0, 1, 1, 2, 3))]
        if any("score-condition" in one for one in endings) or self.seldom(0.1):
            parts.append(f"(score {self.number()} {self.one('', 'lowest')})")
        return "\n  ".join([*parts, board, self._setup(), *endings, *map(self.kind, self.pieces)])
