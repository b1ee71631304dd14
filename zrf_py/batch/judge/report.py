"""Data of a report: facts with intervals, findings in words, numbers for plots. Types only."""

from dataclasses import dataclass, field
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Fact:
    """A measured value; `form` is its format: "share" (0 to 1), "number", "turns" or "exponent" (of ten).

    `value` None: unknown from these games. `source` names the origin of the measure.
    """

    key: str
    group: str
    name: str
    value: float | None
    interval: Interval | None = None
    form: str = "number"
    text: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding; `weight`: "fault" (surely unintended), "doubt" (the author should check) or "note"."""

    weight: str
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the game, with its shares of wins in the decided games of random and of the strongest players."""

    name: str
    random: float | None
    random_interval: Interval
    strong: float | None
    strong_interval: Interval

    @property
    def shares(self) -> dict[str, tuple[float, Interval]]:
        """The known shares with their intervals, by the players: "random", "strong"."""
        shares = {"random": (self.random, self.random_interval), "strong": (self.strong, self.strong_interval)}
        return {play: (share, interval) for play, (share, interval) in shares.items() if share is not None}


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of the ladder: the score of the stronger of two neighbours; `early`: the result was soon clear."""

    weaker: str
    stronger: str
    games: int
    score: float
    interval: Interval
    elo: str
    early: bool = False


@dataclass(frozen=True, slots=True)
class Use:
    """Use of a piece type, block or end condition in the watched games.

    `games` is the share of games with it; `offered`: it was possible at least once.
    """

    name: str
    place: str
    count: int
    games: float
    offered: bool = True
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Square:
    """A square of the board: centre and size in the pixels of the rules file; `arrivals` per game."""

    name: str
    x: float
    y: float
    size: float
    arrivals: float
    reached: bool


@dataclass(frozen=True)
class JudgeReport:
    """Report on one game."""

    title: str
    file: str
    settings: dict[str, Any]
    facts: list[Fact] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    ladder: list[Rung] = field(default_factory=list)
    pieces: list[Use] = field(default_factory=list)
    blocks: list[Use] = field(default_factory=list)
    ends: list[Use] = field(default_factory=list)
    squares: list[Square] = field(default_factory=list)
    lengths: dict[str, list[int]] = field(default_factory=dict)
    """By player: turns of each watched game that ended by itself."""
    choices: dict[str, list[float]] = field(default_factory=dict)
    """By player: mean number of choices in each tenth of the games."""
    courses: list[list[tuple[float, float]]] = field(default_factory=list)
    """Games as lists of (part of the game from 0 to 1, lead of the first side from -1 to 1)."""

    def fact(self, key: str) -> Fact | None:
        return next((f for f in self.facts if f.key == key), None)

    def value(self, key: str) -> float | None:
        """Return the value of a fact; None if it is unknown."""
        fact = self.fact(key)
        return fact.value if fact else None
