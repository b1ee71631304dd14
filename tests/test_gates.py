"""Gates, the sets of squares from which blocks may move, do not change the turns that blocks generate."""

from __future__ import annotations

import pytest

pytest.importorskip("llvmlite", reason="machine code needs llvmlite")

from llvmlite import ir

from tests.engines import any_game
from tests.playing import slow, some_of
from tests.test_own_code import plays_as_defined, unoptimised
from tests.test_reaches import CHAINS, KINDS, compare, read
from zrf_py.data import data_file
from zrf_py.jit.translate import Kernel, Memory
from zrf_py.library import load_file
from zrf_py.native import Native, code
from zrf_py.native.specialise.gates import Gates
from zrf_py.native.specialise.templates import demands_of

BLOCKS = {
    "over anybody": "({d} (verify not-empty?) {d} (verify empty?) (add-partial))",
    "over friends": "({d} (verify friend?) {d} (verify empty?) (add-partial))",
    "over enemies, twice as far": "({d} (verify enemy?) {d} (verify empty?) {d} (verify empty?) (add-partial))",
    "over no friend": "({d} (verify not-friend?) {d} (verify empty?) (add-partial))",
    "to and fro": "({d} (verify empty?) (opposite {d}) (verify not-empty?) {d} (add-partial))",
    "a neighbour asked": "({d} (verify (empty? {d})) (verify empty?) (add-partial))",
    "along a line": "({d} (while empty? {d}) {d} (verify empty?) (add-partial))",
    "never, beside another": "({d} (verify not-empty?) {d} (verify empty?) (verify false) (add-partial)) "
                             "({d} (verify not-empty?) {d} (verify empty?) (add-partial))",
    "one of two": "({d} (if empty? {d}) (verify empty?) (add-partial))",
}


@pytest.fixture(autouse=True)
def quick_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "game_code", unoptimised)


@pytest.mark.share(3)
@pytest.mark.parametrize("block", some_of([*BLOCKS, *KINDS], 1))
def test_gates_change_the_turns_of_no_kind_of_block(block: str) -> None:
    blocks = KINDS[block] if block in KINDS else (BLOCKS[block],)
    moves = " ".join(text.format(d=d) for text in blocks for d in "nesw")
    program = read(CHAINS.format(partial="true", turn="forced", more="", moves=moves))
    assert compare(program, 12, compiled=True) >= (1 if block == "takes" else 6)
    plays_as_defined(program, 3, 12, 10)


@pytest.mark.parametrize(("name", "variant", "gates"), [
    ("monks/monks-halma", 0, 16),
    *slow([("booklet/sternhalma", 4, 12), ("booklet/super-halma", 0, 16), ("booklet/farbenhalma", 2, 12),
           ("booklet/treffhalma", 0, 16)])])
def test_gates_change_no_turns_of_the_shelf(name: str, variant: int, gates: int) -> None:
    program = load_file(data_file("rules") / f"{name}.zrf").programs[variant]
    own, other = Native(program, compiled=True), any_game(program)
    for seed in range(3):
        assert own.turn_playouts(3, seed, 150) == other.turn_playouts(3, seed, 150)
    assert own.turn_perft(own.start(), 2) == other.turn_perft(other.start(), 2)
    found = Gates(Kernel(module := ir.Module(), Memory(module), ()), program)
    each = (found.routes(demands_of(routine)[1]) for routines in program.moves for routine in routines)
    assert len({routes for routes in each if routes and routes[2]}) == gates
