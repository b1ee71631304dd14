"""Names of the directions of a game: compass words, or the names in the rules file."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from zrf_py.author.words.compass import DIAGONAL, SECTORS, STRAIGHT, Compass
from zrf_py.author.words.language import Language
from zrf_py.ir.ops import Program

Names = Callable[[int], str]
"""Maps a motion to its name in the sentence at hand."""


class Bearings:
    """Phrases for motions and choices among them; `Phrases` adds all others."""

    def __init__(self, program: Program, say: Language) -> None:
        self.program, self.game, self.say = program, program.game, say
        self.compass = Compass(program.game)
        self.named: set[int] = set()
        """Motions called by the name of their direction, which the board section must explain."""

    def sector(self, word: str) -> str:
        """Translate a compass word; if players face each other, "up" becomes "forward" and "down" "backward"."""
        if self.compass.facing:
            word = word.replace("up", "forward").replace("down", "backward")
        return self.say(word)

    def direction(self, motion: int) -> str:
        """Return a motion as a phrase: `up left`, `in the direction ‘next’`."""
        word = "" if motion % 2 else self.compass.word[motion // 2]
        if word:
            return self.sector(word)
        if not motion % 2:
            return self._named([motion])
        self.named.add(motion)
        return self.say("against", name=self.game.board.directions[motion // 2])

    def _named(self, motions: Sequence[int]) -> str:
        """Return a phrase for a choice among directions without a compass word; it gives their names in the rules."""
        self.named.update(motions)
        names = (self.say("quoted", name=self.game.board.directions[motion // 2]) for motion in motions)
        return self.say("named-direction", name=self.say.either(names))

    def directions(self, motions: Iterable[int]) -> str:
        """Return a phrase for a choice among motions."""
        motions = list(dict.fromkeys(motions))
        words = {m: "" if m % 2 else self.compass.word[m // 2] for m in motions}
        drawn = {2 * d for d, vector in enumerate(self.compass.vectors) if vector}
        if len(drawn) > 2 and drawn == set(motions) and set(words.values()) not in (set(SECTORS), STRAIGHT, DIAGONAL):
            return self.say("all-n", count=self.say.count(len(motions)))
        board = self.game.board
        tables = [(board.reverse if motion % 2 else board.links)[motion // 2] for motion in motions]
        if len(motions) > 2 and not all(words.values()) and all(
                {table[n] for table in tables} >= {end for end in near if not board.places[end].dummy}
                for n, near in enumerate(self.program.neighbours) if not board.places[n].dummy):
            return self.say("all-lines")
        return self.sectors(words)

    def sectors(self, words: dict[int, str]) -> str:
        """Return a phrase for a choice among motions, given their compass words ("": called by its direction)."""
        present = set(words.values()) - {""}
        facing = self.compass.facing
        if len(present) == len(words):
            for group, key in ((STRAIGHT, "straight-facing" if facing else "straight"), (DIAGONAL, "diagonally"),
                               (set(SECTORS), "all-8")):
                if present == set(group):
                    return self.say(key)
        phrases = []
        for pair, key in (({"up-left", "up-right"}, "diagonally-forward"), ({"left", "right"}, "sideways"),
                          ({"down-left", "down-right"}, "diagonally-backward")):
            if pair <= present and (facing or key == "sideways"):
                phrases.append(self.say(key))
                words = {m: word for m, word in words.items() if word not in pair}
        named = [motion for motion, word in words.items() if not word and not motion % 2]
        rest = [self.sector(word) if word else self.direction(m) for m, word in words.items() if m not in named]
        return self.say.either([*rest, *phrases, *([self._named(named)] if named else [])])

    def lines(self, motions: Sequence[int]) -> str:
        """Return a phrase for the directions of rows along these motions, forwards or backwards."""
        board = self.game.board
        both = {d for m in motions for d, links in enumerate(board.links) if links in (
            board.links[m // 2], board.reverse[m // 2])}
        numbers = [SECTORS.index(word) for d in both if (word := self.compass.word[d])]
        words = {SECTORS[(number + turn) % 8] for number in numbers for turn in (0, 4)}
        return (self.say("row.all") if words == set(SECTORS) else self.say("row.straight") if words == STRAIGHT
                else self.directions(motions))

    def path_words(self, motions: Iterable[int], names: Names) -> str:
        """Return steps as words: `two squares up, then one square left`."""
        phrases = [self.say("way.steps" if count > 1 else "way.step", count=self.say.count(count), dir=names(motion))
                   for motion, run in groupby(motions) if (count := len(list(run)))]
        return f", {self.say('way.then')} ".join(phrases)
