"""Pictures of positions: every title can be drawn, nothing overlaps or is cut, names are escaped, bitmaps are local.

Some drawings are kept in `golden/`; `ZRF_WRITE_GOLDEN=1 python -m pytest tests/test_view.py` regenerates them. Look at
them before you commit them.
"""

from __future__ import annotations

import base64
import io
import os
import random
import re
import sys
from functools import cache
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.playing import HANG, ROOT, RULES, counted, games, of_every_kind, time_limit
from zrf_py.cli.main import main
from zrf_py.library import RulesFile, load_file
from zrf_py.play.aims import goals_of
from zrf_py.play.game import Game, Position, load, loads
from zrf_py.run.position import NOBODY
from zrf_py.text.diagnostics import ZrfError
from zrf_py.view import svg as svg_file
from zrf_py.view.bitmaps import Bitmaps, as_png, available, size_of
from zrf_py.view.drawings import bitmap, board_svg, picture_svg
from zrf_py.view.field import Field
from zrf_py.view.geometry import DrawnPlace
from zrf_py.view.honeycomb import honeycomb
from zrf_py.view.layout import extent, visible
from zrf_py.view.looks import Looks, goes_down, is_figure
from zrf_py.view.png import png
from zrf_py.view.scene import OVERLAYS, Scene, scene
from zrf_py.view.svg import Style, svg
from zrf_py.view.trays import held_types

FILES = sorted(RULES.rglob("*.zrf"))
GOLDEN = ROOT / "tests" / "golden"
CORPUS = os.environ.get("ZRF_CORPUS", "")
SVG = "{http://www.w3.org/2000/svg}"


@cache
def loaded(path: Path) -> RulesFile:
    return load_file(path)


def name_of(path: Path) -> str:
    return path.relative_to(RULES).with_suffix("").as_posix()


def drawn(position: Position, **options: object) -> tuple[Scene, ElementTree.Element]:
    """Return the scene of a position and its SVG, parsed."""
    seen = scene(position, **options)  # type: ignore[arg-type]
    return seen, ElementTree.fromstring(svg(seen))


def of_class(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [e for e in root.iter() if e.get("class", "").split()[:1] == [name]]


# ---------------------------------------------------------------------------------------------------------- every game


@pytest.mark.share(3)
@pytest.mark.parametrize("path", of_every_kind(FILES), ids=name_of)
def test_every_title_is_drawn_completely(path: Path) -> None:
    """Every place is drawn, with a piece if it holds one, and none overlaps another or the edge of the picture."""
    for game in games(loaded(path)):
        seen, root = drawn(game.start())
        state = game.start().state
        assert len(of_class(root, "place")) == len(seen.places) == len({p.index for p in seen.places})
        assert len(of_class(root, "piece")) == sum(state.owner[p.index] != NOBODY for p in seen.places)
        check_room(seen)


def check_room(seen: Scene) -> None:
    """Check that places, labels and stores are within the picture, that no label of a row or column is on a place,
    and, with fewer than 300 places, that pieces on them would not overlap."""
    for p in seen.places:
        assert p.room > 0
        assert p.room / 2 <= p.x <= seen.width - p.room / 2
        assert p.room / 2 <= p.y <= seen.height - p.room / 2
    if len(seen.places) < 300:
        for a, b in combinations(seen.places, 2):
            is_stack = a.stack == b.stack >= 0
            assert is_stack or hypot(a.x - b.x, a.y - b.y) >= 0.45 * (a.room + b.room), (a.name, b.name)
    names = {p.name for p in seen.places}
    for label in seen.labels:
        assert 0 < label.x < seen.width
        assert 0 < label.y < seen.height
        assert label.text in names or not any(
            abs(label.x - p.x) < p.w / 2 and abs(label.y - p.y) < p.h / 2 for p in seen.places)
    for store in seen.stores:
        assert store.size / 2 < store.x < seen.width - store.size / 2
        assert store.y < seen.height - store.size / 2


@pytest.mark.share(3)
@pytest.mark.parametrize("path", of_every_kind(FILES), ids=lambda path: path.stem)
def test_a_png_has_the_requested_width(path: Path) -> None:
    data = png(scene(games(loaded(path))[0].start()), width=64)
    assert data.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(data[16:20], "big") == 64


@pytest.mark.skipif(not CORPUS, reason="ZRF_CORPUS names no folder")
def test_corpus_is_drawn() -> None:
    """Every title of other authors' files is drawn with its bitmaps; the first of each file also without them, and as
    PNG."""
    for path in counted(sorted(Path(CORPUS).rglob("*.zrf"))):
        file = load_file(path)
        for program in counted(file.programs):
            position = Game(program, path=path).start()
            first = program is file.programs[0]
            for bitmaps in (True, False) if first else (True,):
                seen, root = drawn(position, bitmaps=bitmaps)
                assert len(of_class(root, "place")) == len(seen.places) > 0
                assert not first or png(seen, width=48).startswith(b"\x89PNG")


# ------------------------------------------------------------------------------------------------------------- goldens

KEPT = {
    "squares-and-figures": ("chess", None, "e2 - e4; c7 - c5", ()),
    "star": ("booklet/sternhalma", "Sternhalma for Four", "", ()),
    "cross": ("peg-solitaire", None, "", ()),
    "lines": ("nine-mens-morris", None, "a1; d2", ()),
    "crossings": ("xiangqi", None, "", ()),
    "reserves": ("minishogi", None, "", ()),
    "chance": ("booklet/rakado-star", None, "", ()),
    "four-players": ("platonic/platonic-simple", "Platonic Halma for Four, Simple Rules", "", ("zones",)),
    "stores": ("connect-four", None, "d1", ("links",)),
    "hands": ("shogi", None, "P-7f; P-3d; Bx2b+; Sx2b; B*5e; P-4d; Bx4d", ()),
    "hops": ("halma", None, "a4-a6; p13-n11", ()),
    "castled": ("chess", None, "e4; e5; Nf3; Nc6; Bc4; Bc5; O-O", ()),
    "river": ("xiangqi", None, "Che3; Hc8; Cxe7", ()),
    "dice": ("booklet/wuerfelhalma", "Würfel-Halma", "", ()),
    "arrows": ("amazons", None, "d1 d7", ("links",)),
    "shapes": ("platonic/platonic-advanced", None, "", ()),
    "mill": ("nine-mens-morris", None, "a1; b2; a4; b4; a7 xb2", ()),
    "draughts": ("international-draughts", None, "d4-e5", ()),
    "row": ("five-in-a-row", None, "h8; h9; i8; i9", ()),
    "small": ("tictactoe", None, "b2; a1", ("directions",)),
    "figures": ("tests/pictures/figures", None, "", ()),
    "nameless": ("tests/pictures/nameless", None, "", ()),
    "cells": ("tests/pictures/cells", None, "", ()),
    "floors": ("tests/pictures/floors", None, "A1a-B1a; A4d-A4c", ()),
    "bitmaps": ("tests/pictures/bitmaps", None, "b1xb2", ()),
}
"""Name of the golden file → game, variant, moves and overlays."""


@pytest.mark.parametrize("name", sorted(KEPT))
def test_pictures_match_their_golden_files(name: str) -> None:
    game, variant, moves, overlays = KEPT[name]
    position = load(ROOT / f"{game}.zrf" if "pictures" in game else game, variant).start()
    for move in filter(None, moves.split("; ")):
        position = position.play(move)
    targets = [m.raw.key[1] for m in position.moves()][:3] if moves else []
    text = svg(scene(position, targets=targets, overlays=overlays))
    path = GOLDEN / f"{name}.svg"
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8", newline="\n")
    assert text == path.read_text("utf-8")


@pytest.mark.share(3)
@pytest.mark.parametrize("path", of_every_kind(FILES), ids=name_of)
def test_figures_and_letters_are_not_mixed(path: Path) -> None:
    for game in games(loaded(path)):
        looks = Looks(game.program.game)
        drawn = {looks.glyph(p, k) for p in range(len(game.program.game.players)) for k in looks.symbols.kinds}
        assert not ("" in drawn and any(glyph and is_figure(glyph) for glyph in drawn)) or looks.shape()


# -------------------------------------------------------------------------------------------------------------- shapes


def board(tmp_path: Path, text: str) -> Scene:
    """Return the scene of a game with this board and a man on its first place."""
    path = tmp_path / "board.zrf"
    path.write_text(
        f"(game (title \"Board\") (players White Black) (turn-order White Black) (board {text})"
        "(piece (name Man) (moves ((verify true) add))) (board-setup (White (Man a1))))", "utf-8")
    return scene(load(path).start())


GRID = '(grid (start-rectangle {}) (dimensions ("a/b/c/d" ({} 0)) ("1/2/3/4" ({} {}))) (directions {}))'
ROUND = "(n 0 -1) (s 0 1) (e 1 0) (w -1 0)"
WEB = "".join(
    f"(links slant{x}{y} ({a}{y} {b}{y + 1}) ({b}{y + 1} {a}{y}))" if (x + y) % 2 else
    f"(links slant{x}{y} ({b}{y} {a}{y + 1}) ({a}{y + 1} {b}{y}))"
    for x, (a, b) in enumerate(("ab", "bc", "cd")) for y in (1, 2, 3))
"""Links in both directions along one diagonal of each square."""


@pytest.mark.parametrize(("text", "shape", "shades", "lines"), [
    (GRID.format("0 0 48 48", 48, 0, 48, ROUND), "square", 1, 0),
    (GRID.format("0 0 48 48", 48, 0, 48, ROUND + "(ne 1 -1) (sw -1 1)"), "square", 2, 0),
    (GRID.format("0 0 48 48", 50, 25, 44, ROUND), "hex", 1, 0),
    (GRID.format("0 0 20 20", 48, 0, 48, ROUND), "point", 1, 24),
    (GRID.format("0 0 20 20", 48, 0, 48, ROUND + "(ne 1 -1) (sw -1 1) (nw -1 -1) (se 1 1)"), "point", 1, 24),
    ("(positions (a1 0 0 20 20) (b1 60 10 80 30) (c1 20 80 40 100)) (links n (a1 b1) (b1 c1) (c1 a1))", "point", 1, 3),
    (GRID.format("0 0 48 48", 48, 0, 48, ROUND + "(ne 1 -1) (sw -1 1) (nw -1 -1) (se 1 1)") +
     GRID.format("300 0 348 48", 48, 0, 48, "").replace("a/b/c/d", "v/w/x/y/z"), "square", 2, 0),
    (GRID.format("0 0 48 48", 48, 0, 48, ROUND) + WEB, "point", 1, 33),
    (GRID.format("0 0 48 48", 48, 0, 48, ROUND) + "(positions (die 5000 9000 5048 9048))", "square", 1, 0),
    ("(positions (a1 0 0 40 40) (b1 40 0 80 40) (c1 90 80 130 120))", "square", 1, 0),
])
def test_places_have_their_shapes_shades_and_lines(
    tmp_path: Path, text: str, shape: str, shades: int, lines: int,
) -> None:
    seen = board(tmp_path, text)
    assert {p.shape for p in seen.places} == {shape}
    assert len({p.shade for p in seen.places}) == shades
    assert len(seen.lines) == lines
    check_room(seen)
    assert max(seen.width, seen.height) < 600


def test_places_without_rows_and_columns_have_their_names_inside(tmp_path: Path) -> None:
    """A grid of squares has letters and numbers at its edges; long names and those of small places are left out."""
    square, hexagons = (GRID.format("0 0 48 48", *step, ROUND) for step in ((48, 0, 48), (50, 25, 44)))
    assert {label.text for label in board(tmp_path, square).labels} == {*"abcd1234"}
    seen = board(tmp_path, hexagons)
    inside = [p.name for label in seen.labels for p in seen.places
              if abs(label.x - p.x) < p.w / 2 and abs(label.y - p.y) < p.h / 2]
    assert inside == [label.text for label in seen.labels] and sorted(inside) == sorted(p.name for p in seen.places)
    assert not board(tmp_path, hexagons.replace("a/b/c/d", "a/long/longer/longest")).labels
    many = GRID.format("0 0 48 48", 50, 25, 44, ROUND).replace("a/b/c/d", "a/" + "/".join(map(str, range(40))))
    assert not board(tmp_path, many.replace("1/2/3/4", "1/2")).labels


@pytest.mark.parametrize("text", [
    GRID.format("0 0 0 0", 0, 0, 0, ROUND),
    GRID.format("0 0 0 0", 48, 0, 48, ROUND),
    "(positions (a1 0 0 0 0) (b1 0 0 0 0) (c1 0 0 0 0)) (links n (a1 b1) (b1 c1))",
    "(positions (a1 0 0 0 0))",
    '(grid (start-rectangle 0 0 40 40) (dimensions ("a/b" (40 0)) ("1/2" (0 40)) ("x/y/z" (0 0)))'
    "(directions (n 0 1 0)))"
    "(positions (a1 100 100 140 140))",
    "(positions (a1 0 0 40 40) (b1 0 0 40 40) (c1 0 0 40 40) (d1 1 1 41 41) (e1 0 0 40 40))",
])
def test_places_on_one_spot_are_spread_out(tmp_path: Path, text: str) -> None:
    seen = board(tmp_path, text)
    assert seen.places
    check_room(seen)


@pytest.mark.parametrize("text", [
    "(positions (a1 0 0 2147483647 9) (b1 0 0 5 5)) (links n (a1 b1))",
    "(positions (a1 0 0 1 1) (b1 1000000 1000000 1000001 1000001))",
    "(positions (a1 99 99 9 9) (b1 -5 -5 0 0))",
    "(dummy a1)",
    "(positions " + " ".join(f"(a{i} {i % 40} {i % 47} {i % 40 + 800} {i % 47 + 800})" for i in range(900)) + ")",
    "(positions " + " ".join(f"(a{i} 0 0 9 9)" for i in range(900)) + ")",
])
def test_absurd_geometry_gives_a_drawing_of_finite_size(tmp_path: Path, text: str) -> None:
    """There are huge numbers, places far away, and many places on one spot, but the drawing stays finite."""
    with time_limit(HANG):
        seen = board(tmp_path, text)
    assert 0 < seen.width < 200_000
    assert "inf" not in repr(seen).lower()


def test_one_way_links_among_two_way_links_are_not_drawn(tmp_path: Path) -> None:
    """Such links may be part of a walk through all places, for example."""
    ring = "(positions (a1 0 0 20 20) (b1 100 0 120 20) (c1 100 100 120 120) (d1 0 100 20 120))"
    links = "(links e (a1 b1) (d1 c1)) (links w (b1 a1) (c1 d1)) (links s (a1 d1) (b1 c1)) (links n (d1 a1) (c1 b1))"
    assert len(board(tmp_path, f"{ring} {links} (links next (a1 c1))").lines) == 4


# ------------------------------------------------------------------------------------------------- marks, stores, looks


def test_a_turn_of_several_legs_is_marked() -> None:
    position = load("halma").start()
    first = next(m for m in position.moves() if m.is_partial)
    position = position.play(first)
    seen, root = drawn(position, targets=["a1", "nowhere", 5])
    assert seen.moved == (first.raw.key,)
    kinds = [mark.get("class", "").split()[1] for mark in of_class(root, "mark")]
    assert kinds == ["from", "to", "target", "target"]
    assert scene(position, last_move=()).moved == ()


def test_stores_show_their_counts() -> None:
    seen, root = drawn(load("connect-four").start())
    assert [(s.token.player, s.count) for s in seen.stores] == [(0, 21), (1, 21)]
    assert [e.get("data-count") for e in of_class(root, "store")] == ["21", "21"]


@pytest.mark.parametrize(("name", "upper"), [
    ("shogi", "Gote"), ("minishogi", "Gote"), ("connect-four", None), ("platonic-adv-2p", "North")])
def test_pieces_in_hand_lie_beside_their_owner(name: str, upper: str | None) -> None:
    """They lie in a tray large enough for them; no trays overlap, and none covers the board or leaves the picture."""
    seen, root = drawn(load(name).start())
    _, top, _, height = seen.board
    for tray in seen.trays:
        above = seen.players[tray.player].name == upper
        assert tray.y + tray.h <= top if above else tray.y >= top + height
        assert tray.x >= 0 and tray.x + tray.w <= seen.width and tray.y + tray.h <= seen.height
        assert all(tray.x < x < tray.x + tray.w and tray.y < y < tray.y + tray.h for _, x, y in tray.slots)
    for one, other in combinations(seen.trays, 2):
        assert one.x + one.w <= other.x or other.x + other.w <= one.x or one.y + one.h <= other.y or \
            other.y + other.h <= one.y
    assert len(of_class(root, "slot")) == sum(len(tray.slots) for tray in seen.trays) - len(seen.stores)


def test_pieces_that_no_player_can_hold_are_drawn_where_set_up() -> None:
    seen, _ = drawn(load("chess").start().edited("(store White Pawn 3)"))
    assert [(s.token.type, s.count) for s in seen.stores] == [("Pawn", 3)]
    assert seen.board[1] + seen.board[3] < seen.stores[0].y < seen.height


def test_a_board_for_wedges_has_one_shade() -> None:
    assert {place.shade for place in scene(load("shogi").start()).places} == {0}
    assert {place.shade for place in scene(load("chess").start()).places} == {0, 1}


@pytest.mark.share(3)
@pytest.mark.parametrize("path", of_every_kind(FILES), ids=name_of)
def test_pieces_can_be_told_apart(path: Path) -> None:
    """In the start position, pieces of different players or types differ in form, rim or sign; figures, which have no
    rim, differ in grey too."""
    for game in games(loaded(path))[:4]:
        seen = scene(game.start())
        tokens = {(p.token.player, p.token.kind): p.token for p in seen.pieces}
        looks = set()
        for token in tokens.values():
            seat = seen.players[token.player]
            shown = token.glyph or token.label
            looks.add((seat.kind, seat.rim if not seen.bare else grey(seat.fill), shown))
        assert len(looks) == len(tokens)


def grey(colour: str) -> int:
    red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    return round((0.3 * red + 0.59 * green + 0.11 * blue) / 40)


def test_overlays_show_zones_and_links() -> None:
    position = load("chess").start()
    _, root = drawn(position, overlays=("zones",))
    assert {e.get("data-zone") for e in of_class(root, "zone")} >= {"last-rank", "king-home"}
    assert len(svg(scene(position, overlays=("links",)))) > len(svg(scene(position)))
    assert scene(position, overlays=iter(("links",))).arrows
    with pytest.raises(ZrfError, match="no overlay `rivers`"):
        scene(position, overlays=("rivers",))


# ---------------------------------------------------------------------------------------------------------- strangers

MARKUP = "<script>alert(1)</script>"


def test_names_are_only_text(tmp_path: Path) -> None:
    """Markup in a name of a rules file never becomes an element or attribute of the drawing."""
    evil = ["<style>", "]]>", "&lt", "<svg/onload=x>", "'><img"]
    labels = f"{evil[1]}/{MARKUP.replace('/', '')}"
    quoted = MARKUP + "&'\x01\x0c"
    path = tmp_path / "evil.zrf"
    path.write_text(
        f'(game (title "{quoted}") (players {evil[3]} {evil[4]}) (turn-order {evil[3]} {evil[4]})'
        f'(board (image "{MARKUP}.bmp") (grid (start-rectangle 0 0 40 40)'
        f'(dimensions ("{labels}" (40 0)) ("{evil[2]}/b" (0 40))) (directions ({evil[0]} 1 0)))'
        f'(zone (name {evil[0]}) (players {evil[3]}) (positions {evil[1]}{evil[2]})))'
        f'(piece (name {evil[4]}) (image {evil[3]} "{MARKUP}") (drops ((verify true) add)))'
        f'(board-setup ({evil[3]} ({evil[4]} {evil[1]}{evil[2]} off 3))))', "utf-8")
    root = ElementTree.fromstring(svg(scene(load(path).start(), overlays=OVERLAYS)))
    tags = {e.tag.removeprefix(SVG) for e in root.iter()}
    drawn = {"svg", "title", "desc", "defs", "symbol", "g", "path", "rect", "circle", "line", "text", "tspan", "use"}
    assert tags <= drawn
    assert not [a for e in root.iter() for a in e.attrib if a.startswith("on")]
    assert MARKUP in (root.findtext(f"{SVG}title") or "")


def test_names_with_ampersands_are_text_too(tmp_path: Path) -> None:
    path = tmp_path / "amp.zrf"
    path.write_text('(game (title "M&M") (players White) (turn-order White) (board (positions (M&1 0 0 9 9)))'
                    '(piece (name M&M)) (board-setup (White (M&M M&1))))', "utf-8")
    root = ElementTree.fromstring(svg(scene(load(path).start())))
    assert [e.get("data-type") for e in of_class(root, "piece")] == ["M&M"]


def test_a_board_without_turns_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "still.zrf"
    path.write_text('(game (title "Still") (players ?Dice) (board (positions (a 0 0 9 9))) (piece (name Man))'
                    '(board-setup (?Dice (Man a))))', "utf-8")
    position = load(path).start()
    assert position.player == "" and not position.moves()
    assert scene(position).mover == ""


def bmp(path: Path, colours: list[tuple[int, int, int]]) -> None:
    from PIL import Image

    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", (len(colours), 1))
    image.putdata(colours)
    image.save(path, "BMP")


def test_bitmaps_beside_the_rules_file_are_found(tmp_path: Path) -> None:
    """They are found despite backslashes and a different case, also in a folder beside that of the rules; pure green is
    transparent in pieces only."""
    from PIL import Image

    bmp(tmp_path / "Images" / "Deep" / "Board.BMP", [(0, 255, 0), (1, 2, 3)])
    bmp(tmp_path / "rules" / "man.bmp", [(0, 255, 0), (0, 254, 0), (9, 9, 9)])
    (tmp_path / "rules" / "g.zrf").write_text(
        '(game (title "G") (players White) (turn-order White)'
        '(board (image "..\\images\\deep\\board.bmp") (positions (a 0 0 9 9)))'
        '(piece (name Man) (image White "no.bmp" "MAN.bmp")) (board-setup (White (Man a))))', "utf-8")
    position = load(tmp_path / "rules" / "g.zrf").start()
    seen, root = drawn(position)
    assert (seen.background, seen.pieces[0].token.image) == ("Images/Deep/Board.BMP", "rules/man.bmp")
    assert (seen.width, seen.height) == (2, 1)
    assert sum((e.get("href") or "").startswith("data:image/png;base64,") for e in root.iter(f"{SVG}image")) == 2
    man = Image.open(io.BytesIO(as_png(seen.images["rules/man.bmp"], True)))
    assert [man.getpixel((x, 0))[3] for x in range(3)] == [0, 255, 255]  # type: ignore[index]
    assert Image.open(io.BytesIO(as_png(seen.images[seen.background], False))).getpixel((0, 0)) == (0, 255, 0, 255)
    linked = svg(seen, style=Style(href=lambda key, path, transparent: f"/picture/{key}"))
    assert "data:" not in linked
    assert "/picture/rules/man.bmp" in linked
    assert scene(position, bitmaps=False).background == ""


def test_places_beyond_the_picture_are_not_drawn(tmp_path: Path) -> None:
    bmp(tmp_path / "board.bmp", [(1, 2, 3)] * 200)
    seen = board(tmp_path, '(image "board.bmp")' + GRID.format("0 0 48 2", 48, 0, 48, ROUND))
    assert {p.name for p in seen.places} == {"a1", "b1", "c1", "d1"}


def test_bitmaps_elsewhere_are_not_read(tmp_path: Path) -> None:
    inside = tmp_path / "a" / "rules"
    bmp(inside / "in.bmp", [(1, 1, 1)])
    bmp(tmp_path / "a" / "secret.bmp", [(1, 1, 1)])
    bmp(tmp_path / "far.bmp", [(1, 1, 1)])
    bmp(tmp_path / "a" / "other" / "x.bmp", [(1, 1, 1)])
    bmp(tmp_path / "a" / "images", [(1, 1, 1)])
    (inside / "link.bmp").symlink_to(tmp_path / "far.bmp")
    bitmaps = Bitmaps(inside / "g.zrf")
    assert bitmaps.first(["in.bmp"])
    for name in ("../secret.bmp", "..\\..\\far.bmp", "link.bmp", "../other/x.bmp", str(tmp_path / "far.bmp"), "",
                 "C:\\far.bmp", "\\far.bmp", "in.bmp\0", ".", "..", "images", "x" * 5000, "/etc/passwd"):
        assert bitmaps.first([name]) is None, name
    assert Bitmaps(None).first(["in.bmp"]) is None


def test_invalid_bitmaps_are_left_out(tmp_path: Path) -> None:
    huge = b"BM" + (54).to_bytes(4, "little") + bytes(4) + (54).to_bytes(4, "little") + (40).to_bytes(4, "little") + \
        (100_000).to_bytes(4, "little") * 2 + b"\1\0\x18\0" + bytes(24)
    for name, data in {"junk": b"BM" + bytes(60), "text": b"hello", "empty": b"", "huge": huge}.items():
        (tmp_path / f"{name}.bmp").write_bytes(data)
        assert size_of(tmp_path / f"{name}.bmp") is None
        assert as_png(tmp_path / f"{name}.bmp", True) == b""
        assert Bitmaps(tmp_path / "g.zrf").first([f"{name}.bmp"]) is None


# ---------------------------------------------------------------------------------------------------- command, Jupyter


def test_show_writes_pictures(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    out = tmp_path / "board.png"
    assert main(["show", "tictactoe", "--svg", "-", "--png", str(out), "--width", "99", "--play", "b2"]) == 0
    assert capfdbinary.readouterr().out == load("tictactoe").start().play("b2").svg().encode()
    assert out.read_bytes().startswith(b"\x89PNG")
    assert main(["show", "tictactoe", "--svg", str(tmp_path / "no" / "board.svg")]) == 1
    assert b"can't be written" in capfdbinary.readouterr().err


def test_png_without_resvg_names_a_package(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert main(["show", "tictactoe", "--png", "-"]) == 1
    assert re.search(r"pip install .*\bresvg-py\b", capsys.readouterr().err)


def test_without_pillow_bitmaps_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bmp(tmp_path / "in.bmp", [(1, 1, 1)])
    monkeypatch.setitem(sys.modules, "PIL", None)
    available.cache_clear()
    assert Bitmaps(tmp_path / "g.zrf").first(["in.bmp"]) is None
    monkeypatch.undo()
    available.cache_clear()
    assert Bitmaps(tmp_path / "g.zrf").first(["in.bmp"])


def test_a_position_has_an_svg_representation() -> None:
    position = load("tictactoe").start()
    assert position._repr_svg_() == position.svg()
    assert position.svg(overlays=("links",)) != position.svg()


def test_a_dimension_without_a_step_is_ignored() -> None:
    game = loads("""(game (title "Row") (players A) (turn-order A) (board (grid (start-rectangle 1 2 9 9)
        (dimensions ("a/b/c" (10)) ("1/2" ())) (directions (e 1 0)))) (piece (name P)))""")
    assert [place.rectangle for place in game.program.game.board.places] == [
        (1, 2, 9, 9), (1, 2, 9, 9), (11, 2, 19, 9), (11, 2, 19, 9), (21, 2, 29, 9), (21, 2, 29, 9)]


@pytest.mark.parametrize(("row", "down"), [(1, True), (2, True), (3, False), (4, False)])
def test_without_symmetry_men_above_the_middle_go_down(row: int, down: bool) -> None:
    """The first of the four rows is the upper one."""
    men = " ".join(f"{file}{row}" for file in "abcd")
    game = loads('(game (title "Rows") (players White Black) (turn-order White Black) '
                 f'(board {GRID.format("0 0 9 9", "10", "0", "10", ROUND)}) '
                 "(piece (name Man) (moves (n (verify empty?) add))) "
                 f"(board-setup (White (Man {men}))))")
    assert goes_down(game.program.game, 0) == down


@pytest.mark.parametrize(("count", "held"), [(0, {}), (2, {0: [0]})])
def test_an_empty_hand_has_no_tray(count: int, held: dict[int, list[int]]) -> None:
    game = loads('(game (title "Hold") (players White Black) (turn-order White Black) '
                 f'(board {GRID.format("0 0 9 9", "10", "0", "10", ROUND)}) '
                 "(piece (name Man) (drops ((verify empty?) add)) (moves (n add))) "
                 f"(board-setup (White (Man off {count} a1))))")
    assert held_types(game.program.game) == held


def test_dummies_are_never_shown() -> None:
    game = loads("""(game (title "Dummies") (players White Black) (turn-order White Black)
      (board (positions (a1 0 0 9 9) (a2 0 9 9 18) (out 9 9 18 18)) (dummy out) (links n (a1 a2)))
      (piece (name Man) (moves (n add))) (board-setup (White (Man a1)) (Black (Man a2))))""")
    board = game.program.game.board
    assert {board.places[i].name for i in visible(board)} == {"a1", "a2"}
    assert {place.name for place in scene(game.start()).places} == {"a1", "a2"}


# ------------------------------------------------------------------------------------- drawings for pages and notebooks


def test_the_address_of_a_bitmap_changes_with_its_file(tmp_path: Path) -> None:
    """A changed file gets another address; a drawing without bitmaps has none; `bitmap` returns the contents."""
    bmp(tmp_path / "man.bmp", [(1, 2, 3), (0, 255, 0)])
    path = tmp_path / "g.zrf"
    path.write_text("""(game (title "Drawn") (players White Black) (turn-order White Black)
        (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b" (48 0)) ("1" (0 48))) (directions (e 1 0))))
        (piece (name Man) (image White "man.bmp") (moves (e (verify empty?) add))) (board-setup (White (Man a1))))""")
    position = load(path).start()
    found, files = board_svg(position)
    (name,) = files
    assert files == {name: (str(tmp_path / "man.bmp"), True)} and len(name) == 24 and f'"/bitmap/{name}"' in found
    assert base64.b64decode(bitmap(*files[name])) == as_png(tmp_path / "man.bmp", True) != b""
    assert bitmap(str(tmp_path / "none.bmp"), True) == ""
    plain, none = board_svg(position, plain=True)
    assert none == {} and "/bitmap/" not in plain and plain != found
    os.utime(tmp_path / "man.bmp", (1, 1))
    assert set(board_svg(load(path).start())[1]).isdisjoint(files)
    assert board_svg(position, ["links", "nonsense"])[0] == board_svg(position, ["links"])[0] != found


def test_gallery_pictures_have_neither_background_nor_marks() -> None:
    position = load("tictactoe").start().play("b2")
    small, board_of_play = picture_svg(position), board_svg(position)[0]
    full = svg(scene(position))
    assert 'class="mark' in full and 'class="mark' in board_of_play and 'class="mark' not in small
    papers = [of_class(ElementTree.fromstring(text), "paper")[0].get("fill", "") for text in (full, small)]
    assert papers[0].startswith("#") and papers[1] == "none"


@pytest.mark.parametrize(("name", "held"), [("minishogi", True), ("connect-four", True), ("stern-2p", False)])
def test_gallery_pictures_show_only_the_board(name: str, held: bool) -> None:
    """Such a picture has no coordinates and no hands, and the squares fill it."""
    position = load(name).start()
    full, small = (ElementTree.fromstring(text) for text in (svg(scene(position)), picture_svg(position)))
    assert bool(of_class(full, "tray")) == held and not of_class(small, "tray")
    labels, none = ([form for form in drawing.iter() if form.tag.endswith("tspan")] for drawing in (full, small))
    assert len(labels) >= 10 and not none
    left, top, width, height = map(float, small.get("viewBox", "").split())
    places = scene(position).places
    across, down = ({getattr(place, axis) for place in places} for axis in "xy")
    for first, size, centres in ((left, width, across), (top, height, down)):
        assert 0 < min(centres) - first < places[0].w and 0 < first + size - max(centres) < places[0].w


def test_letters_replace_symbols_on_request() -> None:
    position = load("shogi").start()
    assert board_svg(position, letters=True)[0] != board_svg(position)[0] == board_svg(position, letters=False)[0]


STACKED = """(version "zrf+") (game (title "Stacks") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 40 40) (dimensions ("c/d/e/f" (48 0)) ("2/1" (0 48)))
                 (directions (e 1 0) (n 0 -1)))
           (grid (start-rectangle 250 0 290 40) (dimensions ("a1/a2/a3" (0 0))) (directions (up 1))))
    (piece (name Man) (moves (e add)) (drops ((verify empty?) add)))
    (piece (name King) (drops ((verify empty?) add)))
    (board-setup (White (Man a1 a2 a3 off 12) (King off 1)) (Black (Man d1 off 0))))"""


def test_trays_count_held_pieces_and_fade_possible_ones() -> None:
    position = loads(STACKED).start()
    seen, root = drawn(position)
    stores = of_class(root, "store")
    counts = {(s.get("data-player"), s.get("data-type")): (s.get("data-count"), s.findall(f"{SVG}text")[-1])
              for s in stores}
    assert {key: (count, label.text) for key, (count, label) in counts.items()} == {
        ("0", "Man"): ("12", "×12"), ("0", "King"): ("1", "×1")}
    sizes = [float(label.get("font-size", 0)) for _, label in counts.values()]
    assert sizes[0] < sizes[1], "two digits are smaller"
    trays = of_class(root, "tray")
    assert [t.get("data-player") for t in trays] == [str(tray.player) for tray in seen.trays]
    slots = of_class(root, "slot")
    held = {(store.token.player, store.token.kind) for store in seen.stores}
    empty = [(x, y) for tray in seen.trays for kind, x, y in tray.slots if (tray.player, kind) not in held]
    assert len(slots) == len(empty) and all(s.get("opacity") == "0.2" for s in slots)
    for rect in trays:
        x, y, w, h = (float(rect.get(name, 0)) for name in ("x", "y", "width", "height"))
        assert min(x, y) >= 0 and x + w <= seen.width + 0.01 and y + h <= seen.height + 0.01


def test_a_stack_shows_its_number() -> None:
    _, root = drawn(loads(STACKED).start())
    assert [e.findall(f"{SVG}text")[0].text for e in of_class(root, "count")] == ["3"]
    _, root = drawn(loads(STACKED.replace("(Man a1 a2 a3 off 12)", "(Man a1 off 12)")).start())
    assert of_class(root, "count") == []


AIMED = """(version "zrf+") (game (title "Aims") (players White Black) (turn-order White Black)
    (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c/d/e" (48 0)) ("2/1" (0 48))) (directions (e 1 0)))
           (zone (name far) (players White) (positions e1 e2)) (zone (name far) (players Black) (positions a1))
           (zone (name most) (players White Black) (positions a1 b1 c1 d1 e1 a2)) {zone})
    (piece (name Man) (moves (e (verify empty?) add))) (board-setup (White (Man a1)) (Black (Man a2))) {goal})"""


@pytest.mark.parametrize(("goal", "white", "black"), [
    ("(win-condition (White Black) (equal? (count friend Man far) 1))", "e1 e2", "a1"),
    ("(win-condition (White) (equal? (count friend far) (sum 1 (count friend Man near))))", "b1 e1 e2", ""),
    ("(win-condition (White) (absolute-config Man (c1 far)))", "c1 e1 e2", ""),
    ("(win-condition (White) (or (absolute-config Man (c1)) (absolute-config Man (d2))))", "c1 d2", ""),
    ("(win-condition (White) (equal? (count friend Man most) 3))", "", ""),
    ("(win-condition (White) (pieces-remaining 3))", "", ""),
    ("(loss-condition (White) (absolute-config Man (c1)))", "", ""),
    ("(win-condition (White) (and (absolute-config Man (a1 b1 c1 d1 e1)) stalemated))", "a1 b1 c1 d1 e1", ""),
])
def test_winning_squares_are_goals_unless_too_many(goal: str, white: str, black: str) -> None:
    """The goals include the first and the last zone; five of ten squares may be goals, but six are too many."""
    program = loads(AIMED.format(goal=goal, zone="(zone (name near) (players White Black) (positions b1))")).program
    names = [place.name for place in program.game.board.places]
    assert [" ".join(sorted(names[s] for s in squares)) for squares in goals_of(program)] == [white, black]


# -------------------------------------------------------------------------------------------------------- geometry


@pytest.mark.parametrize(("near", "links", "cells"), [
    (48.0, "near across", True), (42.0, "near across", True), (55.0, "near across", True),
    (48.0, "near", False), (48.0, "across", False), (20.0, "near across", False),
])
def test_small_places_that_touch_like_hexagons_are_cells(near: float, links: str, cells: bool) -> None:
    """The places of a honeycomb are linked to the six nearest, and to the next six, each behind two of the nearest.
    If the rows are much too close, or links of one kind are missing, the places are points of a net."""
    centres = {(x, y): (48 * (x + y / 2), near * y * 3 ** 0.5 / 2) for x in range(-3, 4) for y in range(-3, 4)
               if abs(x + y) <= 3}
    number = {at: i for i, at in enumerate(centres)}
    steps = {"near": ((1, 0), (0, 1), (1, -1)), "across": ((1, 1), (2, -1), (1, -2))}
    linked = {tuple(sorted((number[x, y], number[x + dx, y + dy]))) for x, y in centres for kind in links.split()
              for dx, dy in steps[kind] if (x + dx, y + dy) in number}
    rectangles = {number[at]: (cx - 5, cy - 5, cx + 5, cy + 5) for at, (cx, cy) in centres.items()}
    found = honeycomb(Field(rectangles), linked)  # type: ignore[arg-type]
    assert bool(found) == cells
    for i, (left, top, right, bottom) in found.items():
        a, b, c, d = rectangles[i]
        assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx(((a + c) / 2, (b + d) / 2))
        assert right - left == pytest.approx(bottom - top) == pytest.approx(Field(rectangles).spacing)


def test_extent_of_a_board_is_that_of_its_visible_places() -> None:
    board_of = loads("""(game (title "Places") (players A) (turn-order A) (board
        (positions (a 0 0 10 10) (b 30 0 40 20) (c 0 50 10 60) (flat 90 10 90 20) (low 90 20 99 20) (out -5 0 5 9)
                   (up 3 -1 9 9) (thin 70 5 71 6)) (dummy d))
        (piece (name P)))""").program.game.board
    names = [board_of.places[i].name for i in visible(board_of)]
    assert names == ["a", "b", "c", "thin"] and extent(board_of) == (70.5 - 5, 55 - 5)
    nothing = loads("""(game (title "None") (players A) (turn-order A) (board (dummy d)) (piece (name P)))""")
    assert extent(nothing.program.game.board) == (0, 0)


def test_places_that_overlap_are_found_without_comparing_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """On random places the answer is the same as from all pairs; on a board of 10,000 squares few pairs are
    compared."""
    chance, answers = random.Random(7), {True: 0, False: 0}
    for _ in range(3_000):
        places = [DrawnPlace(i, "", *(chance.uniform(-30, 30) for _ in "xy"), *chance.choices((1, 3, 8), k=2), "square")
                  for i in range(chance.randrange(9))]
        expected = any(svg_file._overlap(a, b) for a, b in combinations(places, 2))
        assert svg_file._any_overlap(places) == expected
        answers[expected] += 1
    assert min(answers.values()) > 100
    compared: list[DrawnPlace] = []
    monkeypatch.setattr(svg_file, "_overlap", lambda a, b: compared.append(a))
    assert not svg_file._any_overlap([
        DrawnPlace(i, "", i % 100 * 10, i // 100 * 10, 10, 10, "square") for i in range(10_000)])
    assert len(compared) < 20 * 10_000
