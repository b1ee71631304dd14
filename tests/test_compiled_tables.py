"""The compiled tables of games of every kind, including flags that only affect speed and so show in no result.

`ZRF_WRITE_GOLDEN=1 python -m pytest tests/test_compiled_tables.py` regenerates them: every difference must be intended.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable
from zlib import crc32

import pytest

pytest.importorskip("llvmlite")
pytest.importorskip("numpy")

from tests.playing import ROOT
from tests.test_made_up_rules import program as made_up
from zrf_py.envs.actions import Actions
from zrf_py.envs.planes import Planes
from zrf_py.ir.ops import Program
from zrf_py.jit.language import Record
from zrf_py.library import load_file, named
from zrf_py.native import code, legs
from zrf_py.native.kernel import masks
from zrf_py.native.kernel import memory as m
from zrf_py.native.layout import ATTACKS, lay_out
from zrf_py.native.specialise import templates
from zrf_py.search.traits import game_traits

GOLDEN = ROOT / "tests" / "golden" / "compiled"
SHELF = ["chess", "minishogi", "checkers", "breakthrough", "othello", "nine-mens-morris", "amazons", "halma-2p",
         "stern-team", "xiangqi", "international-draughts", "catmouse-random", "rakado-square-2p", "tippy-nl-3p"]
SEEDS = range(36)


def set_fields(record: type[Record], numbers: Iterable[int]) -> str:
    """Return the fields of a record that are not 0."""
    values = list(numbers)
    return " ".join(f"{name} {values[field.at]}" for name, field in record.fields.items() if values[field.at])


def checksum(tables: dict[str, array[int]]) -> str:
    return f"{len(tables)} tables {crc32(repr(sorted(tables.items())).encode()):08x}"


def compiled(program: Program) -> list[str]:
    """Return the flags by name, checksums of tables, and numbers of actions and planes of one game."""
    plain = lay_out(program)
    layout = code.knowing(program, plain)
    attacks = {where.name: layout.tables[where.name] for where in ATTACKS}
    sets = {where.name: layout.tables[where.name] for where in masks.MASKS if where.name in layout.tables}
    actions, planes = Actions.of(program), Planes(program)
    sizes = crc32(repr(sorted(layout.sizes.items())).encode())
    last, are_counted = (legs.asks_last(program), legs.last_decides(program)), legs.legs_matter(program)
    return [
        f"  params: {set_fields(m.Params, layout.tables[m.params.name])}",
        f"  setting: {set_fields(masks.Setting, layout.tables[masks.setting.name])}",
        f"  any game: {checksum(code.for_any_game(layout).tables)}",
        f"  attacks: {checksum(attacks)}; sets: {checksum(sets)}",
        f"  all: {checksum(layout.tables)}; sizes {sizes:08x}; operations {templates.size_of(layout)},"
        f" loops {templates.most_loops(layout)}; {code.too_much(layout) or 'small'}",
        f"  last {last}, legs {are_counted}, one piece {legs.one_piece_turns(program)}; {game_traits(program)}",
        f"  {len(actions)} actions {crc32(repr(actions.texts).encode()):08x}, {len(planes.names)} planes"
        f" {crc32(repr(planes.names).encode()):08x}"]


def compare(name: str, found: list[str]) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text("\n".join(found) + "\n", "utf-8")
    assert found == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("name", SHELF)
def test_tables_of_the_shelf_match_the_golden_file(name: str) -> None:
    path, variant = named(name, None)
    compare(name, compiled(load_file(path).program(variant)))


def test_tables_of_random_rules_match_the_golden_file() -> None:
    found = []
    for seed in SEEDS:
        found += [f"{seed}:", *compiled(made_up(seed))]
    compare("made-up", found)
