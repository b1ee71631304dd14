"""The catalogue is complete, every game in it can be played, and the tables in rules/README.md are current.

`ZRF_PLAY=SECONDS` plays each random game for that long (or to its end, or for 300 turns); the default is a moment.
"""

from __future__ import annotations

import json
import os
import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from tests.playing import RULES, counted, of_every_kind, random_game, slow
from tests.rules_table import CATALOGUE, README, SOURCES, documented, entries, ids, load, players, written
from tests.small_games import MARCH
from zrf_py import library
from zrf_py.catalogue import catalogue
from zrf_py.cli.main import main
from zrf_py.front.goals import leaves
from zrf_py.ir.ops import Program
from zrf_py.play.game import Game, Position, loads
from zrf_py.play.game import load as load_game
from zrf_py.play.reasons import _reason, reason_of
from zrf_py.play.turns import turns
from zrf_py.run import goals
from zrf_py.run import position as run
from zrf_py.view.describe import TEXTS, describe, describe_game, describe_ply

SECONDS = float(os.environ.get("ZRF_PLAY", "0.15"))
SEEDS = (1, 2)
TURNS = 300
FILES = sorted(RULES.rglob("*.zrf"))


def name_of(path: Path) -> str:
    return path.relative_to(RULES).with_suffix("").as_posix()


# ------------------------------------------------------------------------------------------------------ completeness


def test_every_game_of_the_documents_has_one_title() -> None:
    found = Counter(name for path in documented() for name, _ in ids(path))
    assert set(CATALOGUE) <= set(found)
    assert [name for name, count in found.items() if count > 1] == []


@pytest.mark.parametrize("path", documented(), ids=name_of)
def test_every_title_has_an_id(path: Path) -> None:
    """The line with the id stands right before the title, and a file has no title twice."""
    titles = [program.game.title for program in load(path).programs]
    assert [title for _, title in ids(path)] == titles
    assert len(set(titles)) == len(titles)
    assert path.read_text("utf-8").count("; id:") == len(titles)


def shown_texts(game: Game, position: Position) -> Iterator[str]:
    """Yield the texts that a board shows of a game and of one position: notes, names, legs, moves, the end."""
    told, now = describe_game(game), describe(position)
    yield from (told["title"], told["about"], *told["variants"], *(line for _, line in told["help"]))
    yield from (line for note in told["notes"] for line in note["lines"])
    yield from (leg[4] for leg in now["legs"])
    yield from () if position.previous is None else (describe_ply(position.previous, position)[5],)
    yield from () if now["outcome"] is None else (now["outcome"]["text"], now["outcome"]["reason"])


def names_of_the_file(program: Program) -> set[str]:
    """Return the names in a rules file that look like identifiers, except those of pieces, players and places."""
    game = program.game
    names = {*game.board.zone_names, *game.board.measure_names, *game.board.directions, *game.attributes,
             *game.symbols.move_types, *(counter.name for counter in game.counters)}
    return {name for name in names if re.search(r"[-_]", name)}


@pytest.mark.share(3)
@pytest.mark.parametrize("path", of_every_kind(path for path in FILES if "positions" not in path.stem), ids=name_of)
def test_players_see_no_names_of_zones_and_counters(path: Path) -> None:
    """Names of zones, counters and the like appear neither on a board nor in the words for end conditions."""
    for number, program in enumerate(counted(load(path).programs, 1)):
        names = names_of_the_file(program)
        game = load_game(path, program.game.title)
        plies = 0 if number else 3
        texts = [text for position in random_game(game, plies, 1) for text in shown_texts(game, position)]
        start = game.start().state
        for end in program.game.ends:
            for player in range(len(program.game.players)):
                outcome = run.Outcome((player,), (), goals.word_of(end.goal))
                texts.append(reason_of(program, start, outcome).words)
                texts += [why.words for goal in leaves(end.goal) if (why := _reason(program, start, goal, player))]
        assert not {(name, text) for text in texts for name in names if name in text}
        assert not [text for text in texts if re.search(r"absolute-config|piece-count|pieces-remaining", text)]


def test_every_rules_file_is_in_the_folder_of_its_source() -> None:
    """It is in the folder of a document, or on the shelf itself."""
    assert {path.parent for path in FILES} == {RULES, *(RULES / folder for folder in SOURCES)}


def test_players_teams_and_sources_match_the_documents() -> None:
    for entry in counted(entries(), 50):
        if facts := CATALOGUE.get(entry.id):
            said = re.match(r"\d+", facts["players"])
            assert said
            sides = "2" if "plays both" in facts["players"] else said[0]
            assert players(entry.program).split()[0] == sides, entry.id
            assert ("teams" in facts["players"]) == ("teams" in players(entry.program)), entry.id
            assert facts["source"] == SOURCES[entry.path.parent.name]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_catalogue_games_have_no_problems(path: Path) -> None:
    assert [str(item) for item in load(path).report.items if item.severity != "note"] == []


def texts_of_authors() -> Iterator[str]:
    """Yield the texts of all rules files that pages show, with whitespace normalised."""
    for program in (program for path in FILES for program in load(path).programs):
        texts = [text for word, text in program.game.texts.items() if word in TEXTS]
        texts += [piece.description or piece.help for piece in program.game.pieces]
        yield from (" ".join(text.split()) for text in texts if text)


def test_every_text_of_an_author_has_a_german_translation() -> None:
    """Numbers of lines agree, no translation equals its original, and no translation of a removed text is left."""
    table: dict[str, str] = json.loads((RULES / "de.json").read_text("utf-8"))
    texts = {*texts_of_authors()}
    assert sorted(texts - table.keys()) == [] and sorted(table.keys() - texts) == []
    assert [english for english, german in table.items() if german == english] == []
    assert [english for english, german in table.items() if english.count("\\") != german.count("\\")] == []
    assert [german for german in table.values() if german != " ".join(german.split())] == []


def test_pages_and_rules_in_words_are_german(capsys: pytest.CaptureFixture[str]) -> None:
    facts = describe_game(load_game(RULES / "halma.zrf"))
    german = {**facts, **facts["de"]}
    assert german["about"].startswith("Bring alle deine Steine in den Hof gegenüber. Ein Stein zieht")
    assert "neighbouring" in str(facts["notes"]) and "neighbouring" not in str([german["notes"], german["help"]])
    assert german["help"] == [[0, german["notes"][-1]["lines"][0]]] and german["help"][0][1].startswith("Stein: Zieht")
    assert main(["words", "halma", "--lang", "de"]) == 0
    words = capsys.readouterr().out
    assert f"„{german['about']}" in words and f"„{german['help'][0][1]}“" in words and "neighbouring" not in words
    assert main(["words", "halma"]) == 0 and f"“{facts['about']}" in capsys.readouterr().out


def test_texts_of_other_authors_are_not_translated() -> None:
    facts = describe_game(loads(MARCH.format(ends='(description "A text of nobody else.")')))
    assert facts["about"] == "A text of nobody else." and facts["de"] == {}


# -------------------------------------------------------------------------------------------------------------- play


@pytest.mark.share(3)
@pytest.mark.slow
@pytest.mark.parametrize(("path", "title"), [
    pytest.param(path, title, id=name) for path in documented() for name, title in ids(path)])
def test_every_player_has_a_turn_in_random_games(path: Path, title: str) -> None:
    """Games are played to the end or for as many turns as time allows; every player has a turn, and nobody is left
    without a move."""
    (program,) = (program for program in load(path).programs if program.game.title == title)
    game = Game(program)
    movers = {turn.mover for turn in program.game.turns if not turn.guards}
    for seed in SEEDS:
        last, began = game.start(), time.process_time()
        for last in random_game(game, 20 * TURNS, seed):
            if sum(last.state.made) >= TURNS or (last.move and time.process_time() - began > SECONDS):
                break
        else:
            assert last.outcome() is not None
        assert last.move is not None
        if sum(last.state.made) >= 20 * len(movers) and last.outcome() is None:
            assert all(last.state.made[mover] for mover in movers - last.state.out)


@pytest.mark.parametrize("count", [2, *slow([3, 4, 5]), 6])
def test_gefangen2_is_won_by_the_highest_score_of_two_to_six(count: int) -> None:
    """Gefangen 2 ends quickly: two to six players have their turns, and capture men without an owner, at least one in
    each turn."""
    for seed in SEEDS:
        line = list(random_game(load_game(f"gefangen2-{count}p"), 500, seed))
        assert len({position.player for position in line}) == count
        end = line[-1].outcome()
        assert end is not None
        scores = dict(end.scores)
        assert len(scores) == count
        assert sum(line[-1].state.made) <= sum(scores.values()) <= 60
        assert set(end.winners) == {name for name in scores if scores[name] == max(scores.values())} or not end.winners


NUMBERS = re.compile(r"One|Two|Three|Four|Five|Six")


@pytest.mark.parametrize("name", [*slow(["rakado-square-2p", "rakado-star-2p"]), "rakado-star-3p"])
def test_a_die_shows_every_number(name: str) -> None:
    """The die has its turns and shows every number; men are captured."""
    game = load_game(name)
    chance = {i for i, player in enumerate(game.program.game.players) if player.kind == "random"}
    for seed in SEEDS:
        rolls: Counter[str] = Counter()
        men = []
        for before, after in pairwise(random_game(game, 240, seed)):
            if game.program.game.turns[before.state.turn].mover in chance:
                rolls.update(NUMBERS.findall(str(after.move)))
            men.append(sum(owner not in (-1, *chance) for owner in after.state.owner))
        assert len(rolls) == 6
        assert min(rolls.values()) >= 5
        assert men[-1] < men[0]


def test_dice_and_players_both_have_turns() -> None:
    """In Würfel-Halma dice are thrown again and again, and players move in between."""
    chance = [before.player.startswith("?") for before, _ in pairwise(random_game(load_game("wuerfel-2p"), 100, 1))]
    assert sum(chance) >= 10
    assert not all(chance)


def test_teams_win_together() -> None:
    """In Gomoku, on a board where both sides have many open rows of four, a random drop soon ends the game, and
    both partners win."""
    game = load_game("gomoku-team")
    rows = [f"({player} {piece} {file}{rank})" for piece in [game.program.game.pieces[0].name]
            for player, ranks in (("Blue", (2, 6, 10, 14)), ("Red", (4, 8, 12, 16)))
            for rank in ranks for file in "bcdeghijlmno"]
    won = set()
    for seed in range(6):
        position, choice = game.position("\n".join(rows)), random.Random(seed)
        while position.outcome() is None:
            position = position.play(choice.choice(position.moves()))
        end = position.outcome()
        assert end is not None
        won.add(end.winners)
    assert won == {("Blue", "Blue-Partner"), ("Red", "Red-Partner")}


def test_players_drop_out_and_the_others_go_on() -> None:
    """In Gefangen 1 for three, NorthWest has cleared his home and holds a man of South captive there: in random games
    South is often out soon."""
    game = load_game("gefangen1-3p")
    start = game.start()
    for square, (player, _) in start.pieces().items():
        if player != "NorthEast":
            start = start.edited(f"(x {square})")
    ring = [f"NorthWest Man {square}" for square in ("b12", "b14", "c11", "c13", "c15", "k9")]
    for man in ("South Man a13", "South Man i13", *ring):
        start = start.edited(f"({man})")
    out = 0
    for seed in range(5):
        position, choice = start.at(replace(start.state, turn=1)), random.Random(seed)
        for _ in range(40):
            if position.outcome() is None:
                position = position.play(choice.choice(position.moves()))
                assert position.player != "South" or not position.state.out
        if position.state.out:
            out += 1
            assert "a13" not in position.pieces() or position.pieces()["a13"][0] != "South"
            assert sum(position.state.made) >= 10
    assert out >= 2


# --------------------------------------------------------------------------------------------------- page and command


def test_the_tables_are_current() -> None:
    text = README.read_text("utf-8")
    assert text == written(text), "run python -m tests.rules_table --write"


def test_the_ten_lines_of_the_readme_make_a_game(tmp_path: Path, capsys) -> None:
    """The ten lines, saved in any folder, are a game without problems that can be played."""
    (rules,) = re.findall(r"```zrf\n(.*?)```", README.read_text("utf-8"), re.S)
    assert len(rules.splitlines()) == 10
    path = tmp_path / "cross-halma.zrf"
    path.write_text(rules, "utf-8")
    assert main(["check", str(path)]) == 0
    assert "no problems" in capsys.readouterr().out
    game = load_game(path)
    assert game.title not in {entry.title for entry in entries()}
    count = re.search(r"lists (\d+) first turns", README.read_text("utf-8"))
    assert count and len(turns(game.engine, game.start().state)) == int(count[1])
    for seed in SEEDS:
        line = list(random_game(game, 60, seed))
        assert line[-1].outcome() is not None or len(line) == 61


def test_list_names_the_catalogue(capsys) -> None:
    main(["list"])
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in capsys.readouterr().out.splitlines()}
    for entry in counted(entries(), 50):
        assert rows[entry.id][0] == entry.title
        assert rows[entry.id][1:] == [catalogue()[entry.id].players, catalogue()[entry.id].board,
                                      SOURCES[entry.path.parent.name]]


def test_games_open_by_id() -> None:
    for name in ("stern-team", "platonic-adv-3p", "monks-sol-II-free"):
        assert load_game(name).title == catalogue()[name].title
    assert library.find("stern-team") == RULES / "booklet" / "sternhalma.zrf"


def test_readings_listed_as_missing_have_no_game() -> None:
    section = README.read_text("utf-8").partition("## Readings that are not here")[2].partition("\n## ")[0]
    named = [name for row in section.splitlines() if row.startswith("| `")
             for name in re.findall(r"`([^`]+)`", row.split("|")[1])]
    known = {entry.id for entry in entries()}
    assert len(named) > 15 and not known & set(named)
    assert set(re.findall(r"`(gefangen2-6p)`", section)) <= known
