"""The code of the rules, or of one game: loaded from the cache, or compiled and kept there."""

from __future__ import annotations

import functools
from array import array
from collections.abc import Collection

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
"""Operations in different blocks up to which a game is compiled for itself."""
BLOCKS = 800
"""Blocks up to which it is: each is called from the code of its type, and four hundred take LLVM some four seconds."""
LOOPS = 64
"""Loops of one block up to which it is: so many take LLVM two seconds."""


def is_small(layout: Layout) -> bool:
    """Whether compiling this game for itself takes a bounded time."""
    return not too_much(layout)


def too_much(layout: Layout) -> str:
    """What of a game is more than is compiled for itself, in words; empty if nothing is."""
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
    """The layout for long work, as it is for the kernel for any game and for a game's own code."""
    return for_any_game(with_sets(program, layout)[0])


def knowing(program: Program, layout: Layout) -> Layout:
    """The layout with everything that can be known beforehand, for compiling."""
    return own_layout(program, layout, known_attacks(program))


def own_layout(program: Program, layout: Layout, attacks: bytes) -> Layout:
    """The layout for a game's own code: what is known about attacks is told as `known_attacks` does."""
    return with_sets(program, with_attacks(layout, _split(attacks)) if attacks else layout)[0]


def kernel_code(also: Extension = NOTHING) -> bytes:
    """The object code of the kernel for any game: from the cache or the package, else compiled and kept.

    It runs on every processor of this family (`baseline`), so that a package can bring it along.
    """
    return cache.load(kernel_name(also)) or make_kernel(also)


@functools.cache
def make_kernel(also: Extension = NOTHING) -> bytes:
    """Compile the kernel for any game and keep it: some two seconds."""
    from zrf_py.jit.compiler import compile_module
    from zrf_py.native.compiler import kernel_module

    found = compile_module(kernel_module(also), processor=baseline())
    _check()
    cache.store(kernel_name(also), found)
    return found


def kernel_name(also: Extension) -> str:
    """The name under which the kernel for any game is kept; the same in a package and in the user's cache."""
    return cache.key(_source_of(also), host(), baseline() or versions(), *also.modules) + ".kernel"


def game_key(layout: Layout) -> str:
    """What a game's code and tables are kept under."""
    tables = [name.encode() + table.tobytes() for name, table in layout.tables.items()]
    return cache.key(versions_of(), repr(sorted(layout.sizes.items())), *tables)


def known_attacks(program: Program) -> bytes:
    """What can be known about attacks beforehand: tables, each after its length; nothing where that is nothing.

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
    for where in ATTACKS:
        end = at + 8 + 8 * int.from_bytes(data[at : at + 8], "little")
        tables[where.name] = array("q", data[at + 8 : end])
        at = end
    return tables


def game_code(program: Program, layout: Layout, also: Extension = NOTHING) -> bytes:
    """The object code of one game, made unless it is kept."""
    name = game_name(layout, also)
    found = cache.load(name)
    if not found:
        from zrf_py.jit.compiler import compile_module
        from zrf_py.native.compiler import game_module

        found = compile_module(game_module(program, layout, also=also))
        _check()
        cache.store(name, found)
    return found


def code_elsewhere(
    triple: str, keep: Collection[str], also: Extension = NOTHING, game: tuple[Program, Layout] | None = None,
) -> bytes:
    """The object code for another machine: of one game, or of the kernel for any. Of the functions only those that
    `keep` names can be called, and what they don't need isn't in it."""
    of_game = game_key(game[1]) if game else ""
    name = cache.key(of_game, versions_of(also), triple, *sorted(keep), *also.modules) + ".elsewhere"
    found = cache.load(name)
    if found is None:
        from zrf_py.jit.compiler import compile_module
        from zrf_py.native.compiler import game_module, kernel_module

        module = game_module(*game, also=also, triple=triple) if game else kernel_module(also, triple)
        found = compile_module(module, keep)
        _check()
        cache.store(name, found)
    return found


def kept_game(program: Program, layout: Layout, also: Extension = NOTHING) -> tuple[Layout, bytes] | None:
    """The layout and the object code of one game, if all of it is kept."""
    attacks = cache.load(_attacks_name(lay_out(program)))
    if attacks is None:
        return None
    layout = own_layout(program, layout, attacks)
    code = cache.load(game_name(layout, also))
    return (layout, code) if code else None


def is_given_up(layout: Layout, also: Extension = NOTHING) -> bool:
    """Whether it was tried to compile this game, and took too much."""
    return cache.load(game_name(layout, also)) == b""


def game_name(layout: Layout, also: Extension) -> str:
    """What the code of a game is kept under; nothing is kept there of one that took too much."""
    return cache.key(game_key(layout), versions_of(also), *also.modules) + ".game"


@functools.cache
def versions_of(also: Extension = NOTHING) -> str:
    """What besides the rules decides about the code: this package's own source, how memory looks, LLVM, the processor.

    :raises NoRoom: if the source is no longer what this process has loaded.
    """
    return _source_of(also) + versions()


def _source_of(also: Extension) -> str:
    found = release(*(f"{folder}/**/*.py" for folder in also.folders)) + cache.key(also.shape())
    _check()
    return found


def _check() -> None:
    """Code that is made from other source than what is in memory must neither run nor be kept."""
    if sources.have_changed():
        raise NoRoom("the source of zrf_py has changed since this process has loaded it")
