"""Unique abbreviations of names, for text boards and for short move notation."""

from collections import Counter
from collections.abc import Iterable, Sequence

from zrf_py.front.model import Game

FEW_TYPES = 14
"""With at most this many names, any letter of a name may be its symbol: so few can be remembered."""


def abbreviations(names: Sequence[str]) -> list[str]:
    """Return a short symbol for each name, unique even without regard to case.

    >>> abbreviations(["Knight", "King", "Pawn"])
    ['N', 'K', 'P']

    Shorter names choose first; with many names the second choice is two letters, not an inner letter.
    """
    used: set[str] = set()
    symbols: dict[int, str] = {}
    for index in sorted(range(len(names)), key=lambda i: (len(names[i]), i)):
        symbol = next(c for c in _candidates(names[index], len(names) <= FEW_TYPES) if c.upper() not in used)
        used.add(symbol.upper())
        symbols[index] = symbol
    return [symbols[i] for i in range(len(names))]


def _candidates(name: str, few: bool) -> Iterable[str]:
    letters = [c for c in name if c.isalnum()] or ["?"]
    head = letters[0].upper()
    yield head
    if len(letters) == 2:
        yield head + letters[1].lower()
    capitals = [c for c in letters[1:] if c.isupper() or c.isdigit()]
    if few and not capitals:
        yield from (c.upper() for c in letters[1:] if c.isalpha())
    yield from (head + c.lower() for c in [*capitals, *letters[1:]])
    yield from (head + c for c in "23456789")
    yield from (a + b for a in "abcdefghijklmnopqrstuvwxyz" for b in "abcdefghijklmnopqrstuvwxyz0123456789")
    number = 1
    while True:
        yield f"{head}{number}"
        number += 1


def without_player(game: Game, name: str) -> str:
    """Remove a player's name from a type's name: `WhiteMan`, `White-Man` and `W-Man` become `Man`."""
    players = [p.name.lstrip("?").casefold() for p in game.players]
    first, _, rest = name.replace("_", "-").partition("-")
    if rest and any(p.startswith(first.casefold()) for p in players):
        return rest
    return next((name[len(p):].lstrip("-_") for p in players if p and len(name) > len(p)
                 and name.casefold().startswith(p)), name)


def move_letters(game: Game) -> dict[int, str]:
    """Return the letters of each type in moves: its `notation`, else an abbreviation; "" if all are of one type.

    Types that differ only in a player's name share a letter. If no type in play has a `notation` in the rules, a type
    that makes up at least half of the pieces has no letter: pawns beside officers, men beside kings.
    """
    stems = {k: without_player(game, p.name) for k, p in enumerate(game.pieces)}
    real = {stems[k] for k, p in enumerate(game.pieces) if not p.dummy and (p.moves or p.drops)}
    notations = {k: p.notation for k, p in enumerate(game.pieces) if p.notation != p.name and " " not in p.notation}
    if len(real) <= 1:
        return dict.fromkeys(stems, "") | {k: t for k, t in notations.items() if game.pieces[k].dummy or t}
    unnamed = sorted({stem for k, stem in stems.items() if k not in notations})
    letters = dict(zip(unnamed, abbreviations(unnamed), strict=True))
    if not {k for p, k, _ in (*game.setup, *game.stores) if game.players[p].kind == "player"} & set(notations):
        letters |= dict.fromkeys(_usual(game, stems), "")
    return {k: notations.get(k, letters.get(stem, "")) for k, stem in stems.items()}


def _usual(game: Game, stems: dict[int, str]) -> list[str]:
    """Return the name of the one type that makes up at least half of the pieces at the start, in a list; [] if none."""
    count: Counter[str] = Counter()
    held = [(p, k, 1) for p, k, _ in game.setup] + list(game.stores)
    for player, kind, number in held:
        if game.players[player].kind == "player" and not game.pieces[kind].dummy:
            count[stems[kind]] += number
    (stem, most), *others = [*count.most_common(2), ("", 0)]
    return [stem] if 2 * most >= count.total() > 0 and all(n < most for _, n in others) else []
