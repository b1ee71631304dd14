"""The actions of a game: its legs, numbered; as text; and as tables for the kernel.

Numbers depend on the rules alone: the legs are sorted. They are worked out once for a game and kept on disk.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from functools import cached_property

from zrf_py import cache
from zrf_py.envs.kernel import names as n
from zrf_py.envs.legs import Legs, legs_of
from zrf_py.envs.written import CAPTURE, MOVEMENT, PROMOTION, Leg, TooMany
from zrf_py.front.model import Game
from zrf_py.ir.ops import Program
from zrf_py.native.kernel import board as b
from zrf_py.native.kernel import masks as k
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import Layout, lay_out
from zrf_py.native.records import EFFECTS, encode
from zrf_py.run.position import ANY_TYPE, COPY, DROP, KEEP, MOVE, NOT_PARTIAL, Effect, Move, Movement
from zrf_py.text.diagnostics import Diagnostic, ZrfError

VERSION = "1"
"""Of how legs are named: another one makes other numbers."""
LARGEST_DIRECT = 1 << 21
_WORD = (1 << 64) - 1
_NO_LEGS = "none"


@dataclass(frozen=True)
class Actions:
    """Every action of a game: `legs[action]` is its leg. `kinds` are the kinds of parts that names hold."""

    program: Program
    legs: tuple[Leg, ...]
    kinds: frozenset[str]

    @staticmethod
    def of(program: Program) -> Actions:
        """The actions of a program.

        :raises ZrfError: if it has more legs than anybody wants to number.
        """
        found = _kept(program)
        if found is None:
            raise ZrfError([Diagnostic(
                "too-many-actions", f"{program.game.title} has too many different legs to number them", None,
                help="a block that can do the same in many ways, for instance with counters or captures at a "
                     "distance, is the reason; play it with `Position`")])
        return Actions(program, found.legs, found.kinds)

    def __len__(self) -> int:
        return len(self.legs)

    # -------------------------------------------------------------------------------------------------------- text

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each action as it is read; no two are the same."""
        game = self.program.game
        return tuple(leg_text(game, self.program, leg) for leg in self.legs)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Text → action."""
        return {text: number for number, text in enumerate(self.texts)}

    # ------------------------------------------------------------------------------------------------------ moves

    @cached_property
    def _by_key(self) -> dict[int, int]:
        return {key: number for number, key in reversed([*enumerate(self.keys)])}

    @cached_property
    def keys(self) -> list[int]:
        """A hash of each name, as `kernel/names.py` has it; legs of one name share it.

        :raises ZrfError: never yet seen: if two names had the same.
        """
        keys = [self.key(record_of(leg)) for leg in self.legs]
        plain = {leg: key for leg, key in zip(self.legs, keys, strict=True) if leg.way == 0}
        if len(set(plain.values())) < len(plain):
            raise ZrfError([Diagnostic("too-many-actions", "two actions have the same hash", None)])
        return keys

    def key(self, record: Sequence[int]) -> int:
        """The hash of the name of a record."""
        head, movements = record[0], record[0] & b.SMALL
        effects = head >> 12 & b.SMALL
        how, ends = head >> n.PARTIAL, record[1] & (1 << 40) - 1
        key = _mix(how + 1)
        if movements == 0:
            key = _mix(key ^ ends + n.ENDS_SALT)
        elif how & b.WIDE:
            key = _mix(key ^ (ends >> 20 << 20) + n.ENDS_SALT)
        parts = record[b.HEAD :]
        for word in parts[: movements if MOVEMENT in self.kinds else 1 if movements else 0]:
            key = _mix(key ^ word + n.MOVEMENT_SALT)
        arrival = parts[0] >> 28 & b.SQUARE if movements else -1
        for word in parts[movements : movements + effects]:
            if self._names(word, arrival):
                key = _mix(key ^ (word + n.EFFECT_SALT) & _WORD)
        if CAPTURE in self.kinds:
            key ^= sum(_mix(square + n.CAPTURE_SALT) for square in parts[movements + effects :]) & _WORD
        return key or 1

    def _names(self, effect: int, arrival: int) -> bool:
        which = effect & 255
        return EFFECTS[which] in self.kinds or (
            PROMOTION in self.kinds and which == b.CHANGE_TYPE and effect >> 8 & b.SQUARE == arrival)

    def number(self, move: Move, moves: tuple[Move, ...]) -> int:
        """The action of one of the legal moves of a position.

        :raises ZrfError: if two different moves have one name.
        """
        action = self._by_key[self.key(encode(move))]
        if action + 1 == len(self.legs) or self.legs[action + 1].way == 0:
            return action
        return next(number for number, other in self.numbered(moves).items() if _is_same(other, move))

    def numbered(self, moves: tuple[Move, ...]) -> dict[int, Move]:
        """The legal moves of a position by their actions; of moves that do the same the first one.

        :raises ZrfError: if two different moves have one name.
        """
        found: dict[int, Move] = {}
        for move in moves:
            action = self._by_key[self.key(encode(move))]
            while action in found and not _is_same(found[action], move):
                action += 1
                if action >= len(self.legs) or self.legs[action].way == 0:
                    raise ambiguous(self.texts[action - 1])
            found.setdefault(action, move)
        return found

    # ----------------------------------------------------------------------------------------------------- tables

    def tables(self) -> Tables:
        """What the kernel looks actions up in."""
        squares, types = len(self.program.game.board.places), len(self.program.game.pieces)
        direct = array("i", [-1]) * ((squares + types) * squares)
        plain = len(direct) <= LARGEST_DIRECT
        size = 4
        while size < 2 * len(self.legs):
            size *= 2
        keys, numbers = array("Q", bytes(8 * size)), array("i", bytes(4 * size))
        for action, (leg, key) in enumerate(zip(self.legs, self.keys, strict=True)):
            if leg.way:
                continue
            at = key & size - 1
            while keys[at]:
                at = at + 1 & size - 1
            keys[at], numbers[at] = key, action
            row = self._row(leg)
            if plain and row >= 0:
                direct[row * squares + leg.movements[0][2]] = action
        more = array("b", (int(leg.way > 0) for leg in self.legs[1:]))
        more.append(0)
        return Tables(direct if plain else array("i", [-1]), array("q", keys.tobytes()), numbers, more)

    def yields(self, layout: Layout) -> array[int]:
        """
        The action of each record that a block writes on a square, for games that list legs by sets of squares: where
        blocks begin says all that names hold. Empty for other games.
        """
        tables, params, squares = layout.tables, layout.params, len(self.program.game.board.places)
        setting = k.Setting.over(array("q", tables[k.setting.name]))
        moves_more = self.program.uses("cascade")
        if not setting.sets or params.must_finish or self.kinds or moves_more or any(leg.way for leg in self.legs):
            return array("i")
        found, most, kinds = array("i"), setting.most_types, layout.tables[m.routine_type.name]
        routines, heads = tables[k.yield_routine.name], tables[k.yield_head.name]
        ends = list(zip(tables[k.yield_from.name], tables[k.yield_end.name], strict=True))
        types = tables[k.yield_types.name]
        for number, routine in enumerate(routines):
            for from_, end in ends[number * squares : (number + 1) * squares]:
                for kind in types[number * most : (number + 1) * most]:
                    is_drop = routine >= params.routines
                    part = (DROP, -1, end, kinds[routine]) if is_drop else (MOVE, from_, end, kind)
                    known = end >= 0 and (is_drop or (from_ >= 0 and from_ != end))
                    found.append(self._by_key.get(self.key([heads[number], 0, _word(part)]), -1) if known else -1)
        return found

    @property
    def pass_action(self) -> int:
        """The action of a pass; -1 if there is none."""
        return next((number for number, leg in enumerate(self.legs) if leg.is_pass), -1)

    def _row(self, leg: Leg) -> int:
        """The row of `leg_direct` where a leg of one movement stands, -1 for others."""
        if leg.effects or leg.captures or len(leg.movements) != 1 or leg.partial != NOT_PARTIAL:
            return -1
        how, start, _, kind = leg.movements[0]
        if how == DROP and start == -1:
            return len(self.program.game.board.places) + kind
        return start if how != DROP and how != COPY and kind == KEEP else -1


@dataclass(frozen=True)
class Tables:
    """The constant arrays of `kernel/memory.py` that begin with `leg_`."""

    direct: array[int]
    key: array[int]
    action: array[int]
    more: array[int]


def _word(movement: Movement) -> int:
    """A movement as records have it."""
    return encode(Move(0, (movement,)))[b.HEAD]


def record_of(leg: Leg) -> Sequence[int]:
    """A record whose name is the leg's."""
    start, end = leg.ends
    return encode(Move(0, leg.movements, leg.effects, leg.captures, leg.partial, start, end, leg.must))


def ambiguous(text: str) -> ZrfError:
    """The refusal of a game in which one name is not enough."""
    return ZrfError([Diagnostic(
        "too-many-actions", f"different legs of one position are all called `{text}`", None,
        help="the rules let one block do many different things with the same movement; play the game with `Position`")])


def _is_same(one: Move, other: Move) -> bool:
    same = (one.movements, one.effects, sorted(one.captures), one.partial, one.must) == (
        other.movements, other.effects, sorted(other.captures), other.partial, other.must)
    return same and (one.partial == NOT_PARTIAL or one.end == other.end) and (
        bool(one.movements) or (one.start, one.end) == (other.start, other.end))


def _mix(value: int) -> int:
    """`board.mix` with numbers that have no sign."""
    value &= _WORD
    value = (value ^ value >> 31) * 0x9E37_79B9_7F4A_7C15 & _WORD
    value = (value ^ value >> 29) * 0xBF58_476D_1CE4_E5B9 & _WORD
    return value ^ value >> 32


# ---------------------------------------------------------------------------------------------------------- on disk


def _kept(program: Program) -> Legs | None:
    """The legs of a program, from the disk if they were found before; None if there are too many."""
    tables = lay_out(program).tables
    name = cache.key(VERSION, *(key.encode() + table.tobytes() for key, table in tables.items())) + ".legs"
    data = cache.load(name)
    if data is None:
        try:
            found: Legs | None = legs_of(program)
        except TooMany:
            found = None
        cache.store(name, _written(found).encode())
        return found
    return _read(data.decode())


def _written(found: Legs | None) -> str:
    if found is None:
        return json.dumps(_NO_LEGS)
    return json.dumps([sorted(found.kinds), [astuple(leg) for leg in found.legs]], separators=(",", ":"))


def _read(text: str) -> Legs | None:
    data = json.loads(text)
    if data == _NO_LEGS:
        return None
    kinds, rows = data
    return Legs(tuple(
        Leg(tuple(map(tuple, movements)), tuple(ends), partial, must, tuple(map(tuple, effects)), tuple(captures), way)
        for movements, ends, partial, must, effects, captures, way in rows), frozenset(kinds))


# ------------------------------------------------------------------------------------------------------------- text


def leg_text(game: Game, program: Program, leg: Leg) -> str:
    """A leg as it is read: `e2-e4`, `e7-e8=Queen`, `Man@c3`, `a3-c5 x b4 …` where the turn may go on, `Pass`."""
    if leg.is_pass:
        return "Pass"
    parts = [*_movements(game, leg.movements), *(_effect(game, effect) for effect in leg.effects)]
    parts += (f"x {game.board.places[square].name}" for square in leg.captures)
    if not leg.movements:
        start, end = (game.board.places[square].name if square >= 0 else "-" for square in leg.ends)
        parts.insert(0, start if start == end else f"{start} pass" if end == "-" else f"{start}>{end}")
    elif leg.partial != NOT_PARTIAL and leg.ends[1] != leg.movements[0][2]:
        parts.append(f"on {game.board.places[leg.ends[1]].name}")
    if leg.partial != NOT_PARTIAL:
        parts.append("…" if leg.partial == ANY_TYPE else f"… {program.move_types[leg.partial]}")
        parts += ["!"] if leg.must else []
    if leg.way:
        parts.append(f"({leg.way + 1})")
    return " ".join(parts)


def _movements(game: Game, movements: tuple[Movement, ...]) -> Iterator[str]:
    places = game.board.places
    for how, start, end, kind in movements:
        name = "" if kind == KEEP else game.pieces[kind].name
        if how == DROP:
            store = "" if start == -1 else f"{game.pieces[-2 - start].name}="
            yield f"{store}{name}@{places[end].name}"
        else:
            mark = "+" if how == COPY else "-"
            yield f"{places[start].name}{mark}{places[end].name}" + (f"={name}" if name else "")


def _effect(game: Game, effect: Effect) -> str:
    name, square, a, value = effect
    if name.endswith("-counter"):
        each = f" {game.players[value].name}" if game.counters[square].each else ""
        return f"# {game.counters[square].name}{each} {a:+d}" if name == "add-to-counter" else (
            f"# {game.counters[square].name}{each} {a}")
    if name == "next-turn":
        return f"# next-turn {square}"
    place = game.board.places[square].name
    match name:
        case "create":
            return f"{game.players[value].name} {game.pieces[a].name}@{place}"
        case "change-type":
            return f"{place}={game.pieces[a].name}"
        case "change-owner":
            return f"{place}={game.players[a].name}"
        case "set-attribute":
            return f"@ {place} {game.attributes[a]} {value}"
    return f"{name} {place}"
