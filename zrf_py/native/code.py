"""Machine code of the kernel or of one game: loaded from the cache, or compiled and stored there."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Collection
from typing import Any

from zrf_py import cache
from zrf_py.data import release
from zrf_py.ir.ops import Program
from zrf_py.jit.loader import baseline, host, versions
from zrf_py.native import sources
from zrf_py.native.bitboards.counting import for_any_game, with_sets
from zrf_py.native.errors import NoRoom
from zrf_py.native.extension import NOTHING, Extension
from zrf_py.native.layout import ATTACKS, Layout, attack_tables, lay_out, with_attacks
from zrf_py.native.specialise import analysis, templates

LARGEST = 4000
"""Limit on operations in distinct blocks; a larger game gets no code of its own."""
BLOCKS = 800
"""Limit on blocks. Each is called from the code of its type; four hundred take LLVM about four seconds."""
LOOPS = 64
"""Limit on loops in one block; LLVM takes two seconds for that many."""
DECIDING = ("front/goals.py", "front/model.py", "ir/*.py", "run/goals.py")
"""Files outside the compiled folders that influence the code, too; the key of the code contains their hash."""


def is_small(layout: Layout) -> bool:
    """Return whether the game is small enough to be compiled to code of its own in bounded time."""
    return not too_much(layout)


def too_much(layout: Layout) -> str:
    """Return, in words, the limit that the game exceeds; empty if it exceeds none and can have its own code."""
    every = sum(len(r.code) for r in layout.routines)
    if len(layout.routines) > BLOCKS:
        return f"{len(layout.routines):,} blocks, more than {BLOCKS}"
    if every > 40 * LARGEST:
        return f"{every:,} operations, more than {40 * LARGEST:,}"
    if (size := templates.size_of(layout)) > LARGEST:
        return f"{size:,} operations in different blocks, more than {LARGEST:,}"
    loops = templates.most_loops(layout)
    return f"{loops} loops in one block, more than {LOOPS}" if loops > LOOPS else ""


def common(program: Program, layout: Layout) -> Layout:
    """Return the layout that the kernel for any game uses for long work; `knowing` extends it for a game's own code."""
    return for_any_game(with_sets(program, layout)[0])


def knowing(program: Program, layout: Layout) -> Layout:
    """Return the layout for a game's own code, with the attack tables of the game."""
    return own_layout(program, layout, known_attacks(program))


def own_layout(program: Program, layout: Layout, attacks: bytes) -> Layout:
    """Return the layout for a game's own code; `attacks` is the result of `known_attacks`."""
    return with_sets(program, with_attacks(layout, _split(attacks)) if attacks else layout)[0]


def kernel_code(also: Extension = NOTHING) -> bytes:
    """Return the object code of the kernel for any game: from the cache or the package, else newly compiled and cached.

    It runs on every processor of this family (`baseline`), so that a package can ship it.
    """
    return cache.load(kernel_name(also)) or make_kernel(also)


@functools.cache
def make_kernel(also: Extension = NOTHING) -> bytes:
    """Compile the kernel for any game and cache it; this takes a few seconds."""
    from zrf_py.native.compiler import kernel_module

    return _compiled(kernel_name(also), kernel_module(also), processor=baseline())


def kernel_name(also: Extension) -> str:
    """Return the cache key of the kernel for any game; the same in a package and in the user's cache."""
    return cache.key(_source_of(also), host(), baseline() or versions(), *also.modules) + ".kernel"


def game_key(layout: Layout) -> str:
    """Return the cache key of a game's tables; the keys of its attack tables and its code depend on it."""
    tables = [name.encode() + table.tobytes() for name, table in layout.tables.items()]
    return cache.key(versions_of(), repr(sorted(layout.sizes.items())), *tables)


def known_attacks(program: Program) -> bytes:
    """Return the precomputed attack tables, each preceded by its length; empty if nothing can be precomputed.

    :raises TooLarge: if the game does not fit into native memory.
    """
    layout = lay_out(program)
    name = _attacks_name(layout)
    data = cache.load(name)
    if data is None:
        attacks = analysis.analyse(program)
        tables = attack_tables(layout, attacks) if attacks else {}
        data = b"".join(len(t).to_bytes(8, "little") + t.tobytes() for t in tables.values())
        cache.store(name, data)
    return data


def _attacks_name(layout: Layout) -> str:
    return game_key(layout) + ".attacks"


def _split(data: bytes) -> dict[str, array[int]]:
    tables = {}
    at = 0
    for storage in ATTACKS:
        end = at + 8 + 8 * int.from_bytes(data[at : at + 8], "little")
        tables[storage.name] = array("q", data[at + 8 : end])
        at = end
    return tables


def game_code(program: Program, layout: Layout, also: Extension = NOTHING) -> bytes:
    """Return the object code of one game; compile it if it is not cached."""
    name = game_name(layout, also)
    if data := cache.load(name):
        return data
    from zrf_py.native.compiler import game_module

    return _compiled(name, game_module(program, layout, also=also))


def code_elsewhere(
    triple: str, keep: Collection[str], also: Extension = NOTHING, game: tuple[Program, Layout] | None = None,
) -> bytes:
    """Return object code for another machine: that of `game`, or (None) of the kernel for any game. Only the functions
    in `keep` can be called; code they don't need is left out."""
    of_game = game_key(game[1]) if game else ""
    name = cache.key(of_game, _source_of(also), triple, *sorted(keep), *also.modules) + ".elsewhere"
    if data := cache.load(name):
        return data
    from zrf_py.native.compiler import game_module, kernel_module

    module = game_module(*game, also=also, triple=triple) if game else kernel_module(also, triple)
    return _compiled(name, module, keep)


def _compiled(name: str, module: Any, keep: Collection[str] | None = None, processor: str = "") -> bytes:
    """Compile an LLVM module, as `compile_module` does, and cache its object code."""
    from zrf_py.jit.compiler import compile_module

    data = compile_module(module, keep, processor)
    _check()
    cache.store(name, data)
    return data


def kept_game(program: Program, layout: Layout, also: Extension = NOTHING) -> tuple[Layout, bytes] | None:
    """Return the layout and the object code of one game if both are cached, else None."""
    attacks = cache.load(_attacks_name(lay_out(program)))
    if attacks is None:
        return None
    layout = own_layout(program, layout, attacks)
    code = cache.load(game_name(layout, also))
    return (layout, code) if code else None


def is_given_up(layout: Layout, also: Extension = NOTHING) -> bool:
    """Return whether compiling this game was tried and exceeded the limits."""
    return cache.load(game_name(layout, also)) == b""


def game_name(layout: Layout, also: Extension) -> str:
    """Return the cache key of a game's code; the entry is empty if compilation exceeded the limits."""
    return cache.key(game_key(layout), versions_of(also), *also.modules) + ".game"


@functools.cache
def versions_of(also: Extension = NOTHING) -> str:
    """Return the inputs of the code besides the rules: the package's source, the memory layout, LLVM, the processor.

    :raises NoRoom: if the source has changed since this process loaded it.
    """
    return _source_of(also) + versions()


def _source_of(also: Extension) -> str:
    source = release(*(f"{folder}/**/*.py" for folder in also.folders), *DECIDING) + cache.key(also.shape())
    _check()
    return source


def _check() -> None:
    """Raise NoRoom if the source has changed since it was loaded: code made from it must neither run nor be cached."""
    if sources.have_changed():
        raise NoRoom("the source of zrf_py has changed since this process loaded it")
