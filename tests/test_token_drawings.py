"""Pieces without a picture: letters as strokes or text, a rim for each player, wedges and discs, marks."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import zrf_py
from zrf_py.view import tokens
from zrf_py.view.looks import Look, table
from zrf_py.view.scene import Scene, Token, scene
from zrf_py.view.tokens import Tokens

TOKEN = Token(0, 0, "Man", "M")
LIGHT, DARK = Look("White", "player", "#fdfcf7", "#25221e", 0), Look("Black", "player", "#38342f", "#f7f5ef", 1)


@pytest.fixture(scope="module")
def seen() -> Scene:
    return scene(zrf_py.load("tictactoe").start())


def drawn(seen: Scene, token: Token, *players: Look, bare: bool = False) -> ElementTree.Element:
    """Return the symbol of a token in a game with these players."""
    made = Tokens(replace(seen, players=players or (LIGHT, DARK), bare=bare), "x-")
    made.use(token, 40)
    (symbol,) = made.definitions(lambda key, transparent: f"{key}?{transparent}")
    return ElementTree.fromstring(symbol)


def spans(group: str) -> list[tuple[float, float, float]]:
    """Return the left edge, top and scale of each letter's strokes."""
    found = re.findall(r"translate\(([\d.-]+) ([\d.-]+)\) scale\(([\d.]+)\)", group)
    return [(float(x), float(y), float(scale)) for x, y, scale in found]


@pytest.mark.parametrize(("label", "high"), [("A", 40.0), ("AB", 30.0), ("ABC", 24.0), ("ABCD", 24.0)])
def test_letters_are_centred_and_shrink_with_their_number(label: str, high: float) -> None:
    letters = spans(tokens._letters(label, "#123456"))
    width, (first, top, scale) = tokens._LETTER[0], letters[0]
    assert len(letters) == min(len(label), 3) and scale == pytest.approx(high / 6, abs=0.01)
    assert top + high / 2 == pytest.approx(50, abs=0.1)
    assert (first + letters[-1][0] + width * scale) / 2 == pytest.approx(50, abs=0.1)
    gaps = {round(b[0] - a[0], 1) for a, b in pairwise(letters)}
    assert not gaps or gaps == {round((width + 1.8) * scale, 1)}


def test_letters_without_strokes_are_drawn_as_text() -> None:
    for label, size in (("汉", "36"), ("汉字", "30"), ("A汉字x", "30")):
        text = ElementTree.fromstring(tokens._letters(label, "#123456"))
        assert (text.tag, text.text, text.get("font-size"), text.get("fill")) == ("text", label[:3], size, "#123456")
    assert "<text" not in tokens._letters("a", "#123456") == tokens._letters("A", "#123456")


@pytest.mark.parametrize(("rim", "rings", "dashes", "widths"), [
    (0, 0, [], []), (1, 1, [None], ["4"]), (2, 1, ["26 26.8"], ["8"]), (3, 2, [None, None], ["4", "4"]),
    (4, 1, ["0.1 11"], ["8"]), (5, 1, ["24 9 4 9"], ["4"]), (6, 1, [None], ["4"]), (7, 1, [None], ["4"]),
    (8, 1, ["26 26.8"], ["8"]),
])
def test_each_player_has_a_rim_of_its_own(rim: int, rings: int, dashes: list[str | None], widths: list[str]) -> None:
    found = [ElementTree.fromstring(text) for text in tokens._rim(replace(DARK, rim=rim), tokens.DISC)]
    paths = [group[0] for group in found]
    assert len(paths) == rings and [p.get("stroke-dasharray") for p in paths] == dashes
    assert [p.get("stroke-width") for p in paths] == widths and {p.get("stroke") for p in paths} <= {DARK.ink}
    assert [p.get("stroke-linecap") for p in paths] == [("round" if rim == 4 else None)] * rings
    for x, y, scale in (spans(group.get("transform", ""))[0] for group in found):
        assert x == y == pytest.approx(50 * (1 - scale)) and 0.7 < scale < 0.9
    assert list(tokens._rim(replace(DARK, rim=rim, kind="neutral"), tokens.DISC)) == []


def test_rims_of_six_players_differ() -> None:
    assert len({"".join(tokens._rim(replace(DARK, rim=rim), tokens.DISC)) for rim in range(1, 7)}) == 6


@pytest.mark.parametrize("turned", [False, True])
def test_a_wedge_points_to_where_its_player_goes_and_a_coin_is_round(seen: Scene, turned: bool) -> None:
    sign = next(iter(table()["signs"]))
    wedge = replace(TOKEN, shape="wedge", sign=sign, ink="#aa0000", turned=turned)
    group = drawn(seen, wedge)[0]
    assert group.get("transform") == ("rotate(180 50 50)" if turned else None)
    assert [e.get("d") for e in group.iter("path")] == [tokens.WEDGE, table()["signs"][sign]]
    assert list(group.iter("path"))[1].get("stroke") == "#aa0000"
    coin = drawn(seen, replace(wedge, shape="coin", turned=None))
    assert coin[0].get("d") == tokens.DISC and coin[0].get("stroke") == coin[1].get("stroke") == "#aa0000"
    lettered = drawn(seen, replace(wedge, sign="", label="A"))
    assert len(spans(ElementTree.tostring(lettered, "unicode"))) == 1


def test_marks_stand_below_each_other_and_dark_pieces_have_a_darker_edge(seen: Scene) -> None:
    for count in (0, 1, 3):
        root = drawn(seen, replace(TOKEN, glyph="king" + "*" * count))
        found = [c for c in root.iter("circle") if c.get("fill") == tokens.MARKED]
        assert [(c.get("cx"), c.get("cy")) for c in found] == [("84", str(20 + 17 * i)) for i in range(count)]
    edges = [drawn(seen, TOKEN, look)[0].get("stroke") for look in (LIGHT, DARK)]
    assert edges[0] != edges[1] == "#12100e"


def test_a_bitmap_is_shrunk_only_on_request(seen: Scene) -> None:
    made = Tokens(replace(seen, sizes={"big": (100, 50), "small": (20, 30)}), "x-")
    sizes = {}
    for image in ("big", "small"):
        for fit in (False, True):
            use = ElementTree.fromstring(made.use(replace(TOKEN, image=image), 40, fit=fit))
            x, y, w, h = (float(use.get(name, "")) for name in ("x", "y", "width", "height"))
            assert (x, y) == (-w / 2, -h / 2) and use.get("href") == "#x-piece-0-0"
            sizes[image, fit] = w, h
    assert sizes == {("big", False): (100, 50), ("big", True): (40, 20), ("small", False): (20, 30),
                     ("small", True): (20, 30)}
    (symbol,) = made.definitions(lambda key, transparent: f"{key}?{transparent}")
    assert 'viewBox="0 0 20 30"' in symbol and 'href="small?True"' in symbol
