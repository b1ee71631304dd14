"""Exported pages in node: the same engine, the same words and pictures as here, ply by ply of random games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

import zrf_py
from tests.exporting import Paged, compare
from zrf_py.export.bundle import BundleError, bundle
from zrf_py.export.page import games_of
from zrf_py.library import shelf
from zrf_py.play.game import Game, Position
from zrf_py.search import preparation
from zrf_py.serve.describe import describe, describe_ply
from zrf_py.serve.reach import ways
from zrf_py.view.scene import scene
from zrf_py.view.svg import Style, svg

MANY = ["chess", "halma", "shogi", "othello", "checkers", "wuerfel-2p", "peg-solitaire", "platonic-adv-3p",
        "monks-sol-I", "stern-4p", "gefangen2-3p", "highscore-square"]


@pytest.fixture(autouse=True)
def _measured_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is measured before a search is the same for a page and for us, however busy the machine is."""
    monkeypatch.setattr(preparation, "PATIENCE", 3600.0)


@contextmanager
def paged(game: Game, folder: Path) -> Iterator[Paged]:
    page = Paged([game], folder)
    try:
        page("open", 0)
        yield page
    finally:
        page.close()


def plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value))


def seen(position: Position) -> dict[str, Any]:
    """What `view` of a page answers, by Python."""
    told, outcome = describe(position), position.outcome()
    numbers = [p.name for p in position.game.program.game.players]
    ending = outcome and outcome.why and {
        "winners": [numbers.index(name) for name in outcome.winners], "reason": outcome.reason,
        "losers": [numbers.index(name) for name in outcome.losers],
        "why": {"code": outcome.why.code, "number": outcome.why.number, "name": outcome.why.name,
                "places": outcome.why.places}}
    return plain({
        "player": told["player"], "inTurn": told["inTurn"], "outcome": ending, "scores": told["scores"],
        "check": told["check"], "repetitions": position.repetitions,
        "ply": describe_ply(position.previous, position) if position.previous else None})


def shown(page: Paged) -> dict[str, Any]:
    view: dict[str, Any] = page("view")
    return {**view, "check": view["check"] if not view["outcome"] else []}


def follow(page: Paged, game: Game, plies: int, seed: int) -> None:
    """A random game: legs, words, pictures and ends are the same; now and then, where men may come to."""
    random, position = Random(seed), game.start()
    for ply in range(plies):
        assert shown(page) == seen(position)
        assert page("legs") == plain(describe(position)["legs"]) or position.outcome()
        assert page("svg") == svg(scene(position), style=Style(every=True))
        moves = position.moves()
        if position.outcome() or not moves:
            break
        move = random.choice(moves)
        if ply % 10 == 3 and move.raw.key[0] >= 0:
            assert page("ways", move.raw.key[0]) == plain(ways(position, move.raw.key[0]))
        position = position.play(move)
        page("play", [move.text])


def agree(name: str, folder: Path, plies: int = 40) -> None:
    game = zrf_py.load(name)
    with paged(game, folder) as page:
        compare(page, game, plies // 2)
        page("start")
        follow(page, game, plies, 1)


def test_a_page_plays_and_searches_as_we_do(tmp_path: Path) -> None:
    agree("tictactoe", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_pages_of_many_kinds_agree(name: str, tmp_path: Path) -> None:
    agree(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shelf()))
def test_every_variant_of_the_shelf_agrees(name: str, tmp_path: Path) -> None:
    """All variants of a file in one page: perft, random games, searches, and what is seen of a few plies."""
    games, _ = games_of(name)
    page = Paged(games, tmp_path)
    try:
        for number, game in enumerate(games):
            assert page("open", number) == game.title.replace("`", '"')
            compare(page, game, 6)
            page("start")
            follow(page, game, 6, 1)
    finally:
        page.close()


# ------------------------------------------------------------------------------------------------------------- scripts


def test_modules_become_one_script() -> None:
    script = bundle({"a": 'import { b, c as d } from "./b.js";\nconsole.log(b, d());\n',
                     "b": "// words\nexport const b = [1, 2];\nexport function c() { return b; }\n"}, "a")
    assert "const { b, c: d } = $b;" in script and "return { b, c };" in script and "words" not in script


@pytest.mark.parametrize("text", [
    "export const a = 0, b = 1;", "export const a = f(1, 2), b = 1;", "export { a };", "export default 1;",
    'export * from "./b.js";', 'import a from "./b.js";', 'import "./b.js";', "export let a = 1;",
    "export const { a, b } = c;", "const a = `one\ntwo`;",
])
def test_what_the_bundler_does_not_know_it_refuses(text: str) -> None:
    with pytest.raises(BundleError):
        bundle({"a": text + "\n", "b": "export const a = 1;\n"}, "a")


def test_modules_that_are_missing_or_need_each_other_are_refused() -> None:
    with pytest.raises(BundleError, match="there is no module b"):
        bundle({"a": 'import { b } from "./b.js";\n'}, "a")
    with pytest.raises(BundleError, match="need each other"):
        bundle({"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'}, "a")
