"""Inheritance of sections: a variant's own sections laid over those of the game.

Reports: defined-twice, incomplete.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from zrf_py.front import syntax
from zrf_py.text.diagnostics import Report
from zrf_py.text.source import Origin

_FIELDS = {"players": "players", "move-priorities": "priorities", "TurnOrder": "turns", "Board": "board",
           "Setup": "setup", "Score": "score", "EndCondition": "ends"}
_WORDS = {"pieces": "piece", "options": "option", "counters": "counter", "teams": "team", "turns": "turn-order",
          "priorities": "move-priorities", "setup": "board-setup"}
"""Field of `Sections` → keyword, where they differ; without `texts` (its keys are the keywords) and `ends`."""


@dataclass(slots=True)
class Sections:
    """The effective sections of a game, by kind."""

    texts: dict[str, syntax.Text] = field(default_factory=dict)
    options: dict[str, syntax.Option] = field(default_factory=dict)
    players: syntax.Names | None = None
    turns: syntax.TurnOrder | None = None
    priorities: syntax.Names | None = None
    board: syntax.Board | None = None
    setup: syntax.Setup | None = None
    pieces: dict[str, syntax.Piece] = field(default_factory=dict)
    ends: list[syntax.EndCondition] = field(default_factory=list)
    counters: dict[str, syntax.Counter] = field(default_factory=dict)
    teams: dict[str, syntax.Team] = field(default_factory=dict)
    score: syntax.Score | None = None

    def overlaid(self, game: syntax.GameTree) -> Sections:
        """Return a copy in which the sections of `game` override the inherited ones."""
        new = Sections(
            {k: v for k, v in self.texts.items() if k not in ("default", "title")}, dict(self.options), self.players,
            self.turns, self.priorities, self.board, self.setup, dict(self.pieces), list(self.ends),
            dict(self.counters), dict(self.teams), self.score,
        )
        if any(isinstance(section, syntax.EndCondition) for section in game.sections):
            new.ends = []
        for section in game.sections:
            new._put(section)
        return new

    def _put(self, section: syntax.Section) -> None:
        field, name = _slot(section)
        if field == "ends":
            self.ends.append(section)  # type: ignore[arg-type]
        elif isinstance(slot := getattr(self, field), dict):
            if name:
                slot[name] = section
        else:
            setattr(self, field, section)

    def title(self, game: syntax.GameTree) -> str:
        text = self.texts.get("title")
        return " ".join(text.values).strip() if text else ""


def check_sections(game: syntax.GameTree, report: Report) -> None:
    """Report pieces without a name, unless the game has errors: a form that was left out may have held the name. Warn
    about sections given twice (the later one counts) and about repeated `moves` or `drops` (all of them count)."""
    for section in game.sections if not report.errors_of(game.number) else ():
        if isinstance(section, syntax.Piece) and section.name is None:
            report.add("incomplete", "this piece has no name", section.origin)
    first: dict[tuple[str, str], Origin] = {}
    for section in game.sections:
        key = _slot(section)
        if key in (("ends", ""), ("pieces", "")):
            continue
        if key in first:
            word, named = _WORDS.get(key[0], key[1] or key[0]), key[1] and key[0] != "texts"
            name = f"{word} `{key[1]}`" if named else f"`{word}`"
            report.add("defined-twice", f"{name} occurs twice in one {game.word}; this one is used", section.origin,
                       severity="warning", related=[(first[key].span, "this one is not used")],
                       help="remove one of them" + (", or give it a different name" if named else ""))
        first[key] = section.origin
        if isinstance(section, syntax.Piece):
            _repeated_blocks(section, report)


def _repeated_blocks(piece: syntax.Piece, report: Report) -> None:
    codes: dict[str, syntax.Code] = {}
    for code in piece.codes:
        first = codes.setdefault(code.word, code)
        if first is not code:
            report.add("defined-twice", f"this piece has two `{code.word}` forms; both are used", code.origin,
                       severity="warning", related=[(first.origin.span, "the first one")],
                       help=f"put all blocks into one `({code.word} …)`")


def _slot(section: syntax.Section) -> tuple[str, str]:
    """Return the field of `Sections` that a section belongs in, and its key there, "" for fields without keys."""
    match section:
        case syntax.Text():
            return "texts", section.word
        case syntax.Option():
            return "options", section.name
        case syntax.Names():
            return _FIELDS[section.word], ""
        case syntax.Piece() | syntax.Counter() | syntax.Team():
            return f"{type(section).__name__.lower()}s", section.name.text if section.name else ""
    return _FIELDS[type(section).__name__], ""


def images_of(trees: Iterable[syntax.Image]) -> dict[str, tuple[str, ...]]:
    """Return image files by player name, in file order; key "" holds the files before any player."""
    files: dict[str, list[str]] = {}
    owner = ""
    for tree in trees:
        for atom in tree.items:
            if atom.kind == "name":
                owner = atom.text
            files.setdefault(owner, [])
            if atom.kind != "name":
                files[owner].append(atom.text)
    return {player: tuple(names) for player, names in files.items()}
