"""What a judgement holds: facts with intervals, suspicions in words, the numbers behind the plots. Types only."""

from dataclasses import asdict, dataclass, field
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Fact:
    """`form` says how the value is written: "share" (0 to 1), "number", "turns" or "exponent" (of ten).

    `value` is None where the games don't tell. `source` names who proposed the measure.
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
    """A suspicion: `weight` is "fault" (surely not meant), "doubt" (an author should look) or "note"."""

    weight: str
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Side:
    """A side of the game: the share of decided games it won in random play and between the strongest players."""

    name: str
    random: float | None
    random_interval: Interval
    strong: float | None
    strong_interval: Interval


@dataclass(frozen=True, slots=True)
class Step:
    """A rung of the ladder: what the stronger of two neighbouring players scores."""

    weaker: str
    stronger: str
    games: int
    score: float
    interval: Interval
    elo: str


@dataclass(frozen=True, slots=True)
class Use:
    """How much a piece type, block or end condition was used in the games that were watched.

    `games` is the share of games in which it was; `offered` whether it was ever possible.
    """

    name: str
    place: str
    count: int
    games: float
    offered: bool = True
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Square:
    """A position of the board: centre and size in the pixels of the rules file; `arrivals` a game."""

    name: str
    x: float
    y: float
    size: float
    arrivals: float
    reached: bool


@dataclass(frozen=True)
class Report:
    """One game, judged."""

    title: str
    file: str
    settings: dict[str, Any]
    facts: list[Fact] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    sides: list[Side] = field(default_factory=list)
    ladder: list[Step] = field(default_factory=list)
    pieces: list[Use] = field(default_factory=list)
    blocks: list[Use] = field(default_factory=list)
    ends: list[Use] = field(default_factory=list)
    squares: list[Square] = field(default_factory=list)
    lengths: dict[str, list[int]] = field(default_factory=dict)
    """Turns of each watched game that ended by itself, by who played."""
    choices: dict[str, list[float]] = field(default_factory=dict)
    """Mean number of choices in each tenth of the games, by who played."""
    courses: list[list[tuple[float, float]]] = field(default_factory=list)
    """Games as (part of the game from 0 to 1, lead of the first side from -1 to 1)."""

    def fact(self, key: str) -> Fact | None:
        return next((f for f in self.facts if f.key == key), None)

    def as_data(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        return asdict(self)
