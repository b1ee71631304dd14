"""The page of a board shows the right texts and sends the right requests; its modules run in node, with its markup.

`dom.js` has the parts of a document that they use, `pages/` the scripts, and `golden/pages/` the scripts' output.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import zrf_py
from tests.playing import HANG, ROOT
from zrf_py.export.bundle import bundle
from zrf_py.view.describe import describe, describe_ply
from zrf_py.view.scene import scene
from zrf_py.view.svg import Style, svg

STATIC = ROOT / "zrf_py" / "serve" / "static"
MODULES = {path.stem: path.read_text("utf-8") for path in STATIC.glob("*.js")}
SERVER = """export const PEOPLE = ["human", "link"];
export const home = "/";
export const shown = null;
export const soundAt = (kind) => `/sound/${kind}`;
export const rulesInWords = async () => ({ html: "" });
"""
"""Stand-in for the part of `server.js` that other modules of the page import."""


def on_page(script: str, page: str = "board.html", language: str = "en", before: str = "", **modules: str) -> Any:
    """Return the values shown by a script that imports modules of the page; `ask` records its messages in `asked`."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    body = re.sub(r"<!doctype html>|</?(html|body)[^>]*>", "", (STATIC / page).read_text("utf-8"))
    words = (STATIC / f"words-{language}.json").read_text("utf-8") if language != "en" else "{}"
    translations = f"export async function translations() {{ return {words}; }}"
    text = "\n".join([
        before, "const show = (it) => console.log(JSON.stringify(it));",
        f'globalThis.location = {{ search: "?lang={language}", pathname: "/t/1", hash: "", origin: "http://x" }};',
        (ROOT / "tests" / "dom.js").read_text("utf-8"), f"parse({json.dumps(body)}, document.body);",
        "const asked = [];", "const ask = (message) => asked.push(message);",
        bundle({**MODULES, "server": SERVER, "translations": translations, **modules, "test": script}, "test")])
    done = subprocess.run([node, "-"], input=text, capture_output=True, text=True, encoding="utf-8", timeout=HANG)
    assert done.returncode == 0 and not done.stderr, done.stderr[-2000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


GOLDEN = ROOT / "tests" / "golden" / "pages"
SCRIPTS = sorted((ROOT / "tests" / "pages").glob("*.js"))


def compare(name: str, shown: list[Any]) -> None:
    """Compare the values that a script has shown with the golden file, which `ZRF_WRITE_GOLDEN=1` regenerates."""
    path, text = GOLDEN / f"{name}.txt", "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in shown)
    if os.environ.get("ZRF_WRITE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert text.splitlines() == path.read_text("utf-8").splitlines()


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_page_matches_its_golden_scripts(path: Path) -> None:
    """Each script feeds states to one part of the page and presses its buttons and keys."""
    compare(path.stem, on_page(path.read_text("utf-8")))


def test_the_page_is_in_german() -> None:
    compare("words-de", on_page((ROOT / "tests" / "pages" / "words.js").read_text("utf-8"), language="de"))


RACE = """(game (title "Race") (players White Black) (turn-order White Black) (option "pass turn" true)
  (board (grid (start-rectangle 0 0 40 40) (dimensions ("a/b/c" (40 0)) ("2/1" (0 40)))
    (directions (n 0 -1) (e 1 0) (s 0 1) (w -1 0))) (symmetry Black (n s) (s n)))
  (piece (name Man) (moves (n (verify not-friend?) add) (e (verify empty?) (add Man King)))
    (drops ((verify empty?) add)))
  (piece (name King) (moves (n (verify not-friend?) add) (e (verify not-friend?) add)))
  (board-setup (White (Man a1 off 2) (King b1)) (Black (Man b2 c2) (King off 1)))
  (loss-condition (White Black) (pieces-remaining 1)))"""
CONNECTED = """export const handlers = {};
export const asked = [];
export function connect(them) {
  Object.assign(handlers, them);
  return { open: () => asked.push("opened"), ask: (message) => asked.push(message) };
}
export const about = async () => ({ address: "", local: true, watch: true });
export const keep = (facts) => asked.push(["keep", facts]);
export const offerSave = (anchor) => { anchor.href = "/saved"; };
export const shared = (message) => ["Share", "words", message.link];
export const invitation = (name, seat) => ["Play", name, seat];
export const moveOn = () => null;
export const LEAVING = "It remains.";
"""
"""Stand-in for the connection of a page; the script calls its handlers with messages."""


def states(texts: list[str]) -> list[dict[str, Any]]:
    """Return the server's messages about a game: at its start, and after each of the moves `texts`."""
    position = zrf_py.loads(RACE).start()
    plies, nodes = [], []
    info = {"title": "Race", "about": "", "types": ["Man", "King"], "places": [], "variants": ["Race", "Other"],
            "notes": [], "stores": [[0, 0]], "help": [], "kinds": ["ai:4"], "warnings": "", "signs": True, "called": [],
            "players": [{"name": "White", "kind": "player"}, {"name": "Black", "kind": "player"}]}
    seats = {"White": "human", "Black": "human"}
    common = {"seats": seats, "you": ["White", "Black"], "owner": True, "live": True, "turn": "play",
              "error": "", "note": "", "may": {"hint": "yes", "resign": "yes", "new": "yes", "overlays": "yes"}}
    found = []
    for text in ["", *texts]:
        before = position
        position = position.play(text) if text else position
        fresh = [describe_ply(before, position)] if text else []
        plies += fresh
        nodes.append(len(nodes))
        drawn = svg(scene(position, held=False), style=Style(every=True))
        found.append({**describe(position), **common, "ply": len(plies), "length": len(plies), "tip": len(plies),
                      "game": len(plies), "node": len(plies), "from": max(0, len(plies) - 1), "plies": fresh,
                      "nodes": [len(plies)] if text else [], "svg": drawn,
                      **({} if text else {"info": info})})
    return found


@pytest.mark.parametrize("name", ["board", "narrow", "patching"])
def test_a_board_is_played_by_pointer_and_keys(name: str) -> None:
    """Clicks, drags, drops, keys, hints, marks and windows cause the right highlights, announcements and requests; the
    layout fits a phone; updated drawings equal new ones."""
    script = (ROOT / "tests" / "pages" / "boards" / f"{name}.js").read_text("utf-8")
    messages = json.dumps(states(["a1-a2", "c2-c1", "Pass", "b2xb1"]))
    before = f"globalThis.isNarrow = {str(name == 'narrow').lower()};\nconst STATES = {messages};"
    compare(name, on_page(script, before=before, server=SERVER + CONNECTED,
                          board=MODULES["board"] + "export const ready = true;\n"))


ALONE = """const told = (...words) => console.log(JSON.stringify(words));
globalThis.zrfAlone = { shown: { svg: "<svg/>", isTurned: false }, link: "abc", early: [{ data: { type: "x", n: 0 } }],
  worker: { postMessage: (message) => told("worker", message) }, fail: (why) => told("fails", why) };
const addresses = [];
const fragment = (address) => address.replace(/^[^#]*/, "");
globalThis.history = { replaceState: (_, __, to) => { addresses.push(to); location.hash = fragment(to); } };
URL.createObjectURL = (blob) => {
  blob.arrayBuffer().then((bytes) => told("file", blob.type, [...new Uint8Array(bytes)]));
  return "blob:1";
};
"""
"""Parts of a browser that the starter of a page without a server uses: addresses, frames and files."""


def test_a_page_without_a_server_asks_its_worker() -> None:
    """Messages wait for the frame of the move before them; the address holds the game, unless the reader changes it."""
    alone = ROOT / "zrf_py" / "export" / "static"
    script = (ROOT / "tests" / "pages" / "alone" / "server.js").read_text("utf-8")
    compare("alone-server", on_page(script, before=ALONE, server=(alone / "server.js").read_text("utf-8"),
                                    frames=(alone / "frames.js").read_text("utf-8")))


GAMES = [
    {"id": "hop", "title": "Hop", "about": "2 players, 16 squares", "words": "hop 2players small", "group": "Races",
     "file": "a.zrf"},
    {"id": "hop-3", "title": "Hop for three", "about": "3 players in 2 teams and chance", "group": "Races",
     "words": "hop 3players chance", "file": "a.zrf"},
    {"id": "b/caf\u00e9", "title": "Caf\u00e9", "about": "1 player", "words": "cafe 1players", "group": "Puzzles",
     "file": "b.zrf"},
    {"id": "hop-4", "title": "Chess hop", "about": "12 players", "words": "chess hop 12players", "group": "Races",
     "file": "a.zrf"}]
BOARDS = [
    {"id": "b1", "title": "One", "seats": {"White": "human", "?Dice": "random", "Black": "ai:3"}, "plies": 1,
     "player": "Black", "outcome": None, "touched": 5},
    {"id": "b2", "title": "Two", "seats": {"A": "greedy"}, "plies": 7, "player": "A", "outcome": None, "touched": 9},
    {"id": "b3", "title": "Three", "seats": {"A": "human"}, "plies": 3, "player": "", "outcome": {"text": "a draw"},
     "touched": 7}, {"id": "b4", "title": "Unplayed", "seats": {}, "plies": 0, "player": "A", "touched": 8}]
NET = """export const timers = [];
export const posted = [];
export const went = [];
export const world = { more: false, reply: REPLY };
globalThis.setTimeout = (act, time) => { timers.push([act, time]); };
Date.prototype.toLocaleString = function () { return `at ${this.getTime()}`; };
const later = (game) => ({ ...game, title: `${game.title}!`, words: "hop" });
globalThis.fetch = async (address, options) => {
  if (options?.body) posted.push([address, options.method ?? "", JSON.parse(options.body)]);
  if (FAILS === address) throw new Error("away");
  const answers = { "/api/games": () => ({ games: world.more ? GAMES.slice(1).map(later) : GAMES, waiting: WAITING }),
    "/api/site": () => ({ watch: true, edited: EDITED }), "/api/boards": () => ({ boards: BOARDS }),
    "/api/tables": () => world.reply };
  const answer = answers[address]?.() ?? { error: { summary: `no picture at ${address}`, text: "all of it" } };
  return { ok: true, json: async () => answer };
};
stored.set("zrf-boards", JSON.stringify(["b1", "b2", "gone", "b3", "b4"].map((id) => ({ id, token: `t-${id}` }))));
Object.assign(location, { assign: (to) => went.push(to), replace: (to) => went.push(to) });
for (const field of document.querySelectorAll("input")) field.value = "";
"""
"""Stand-in for the server of pages that list games or open a new board. It records what they post, the addresses that
they open, and their timers."""


def net(reply: Any = None, fails: str = "", waiting: int = 0, edited: str = "", **where: str) -> str:
    values = {"GAMES": GAMES, "EDITED": edited, "BOARDS": BOARDS, "REPLY": reply or {"id": "t9", "token": "k"},
              "FAILS": fails, "WAITING": waiting}
    text = NET
    for name, value in values.items():
        text = re.sub(rf"\b{name}\b", lambda _, value=value: json.dumps(value), text)  # type: ignore[misc]
    return text + f"Object.assign(location, {json.dumps(where)});\n"


def listed(name: str, page: str, world: str, language: str = "en") -> Any:
    """Return the values that a script shows on a page whose own script runs on loading."""
    script = (ROOT / "tests" / "pages" / "lists" / f"{name}.js").read_text("utf-8")
    begun = {name: MODULES[name] + "export const ready = true;\n"}
    return on_page(script, page, language, net=world, **begun)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_gallery_is_searched_and_opens_boards(language: str) -> None:
    """A gallery is searched by words, numbers of players, chance, families and versions; pictures may be missing, and
    boards may no longer exist."""
    compare(f"gallery-{language}", listed("gallery", "gallery.html", net(waiting=1), language))


def test_a_new_board_is_requested_and_opened() -> None:
    """It is requested by a game's name or by a link; errors are shown, and requests for watched files are repeated."""
    worlds = [net(search="?lang=en&game=hop&variant=B%20c&players=human,,greedy"), net(hash="#abc"), net(),
              net({"error": {"summary": "no", "text": "a\nb"}}), net({"error": {"summary": "no", "help": "try"}}),
              net({"error": {"summary": "no"}}), net(fails="/api/tables")]
    compare("new", [line for world in worlds for line in listed("new", "new.html", world)])


LINKS = """import { world } from "./net.js";
import { ready } from "./new.js";
const links = [...document.querySelectorAll('a[href="/desk"]')];
show(links.filter((link) => !link.parentNode.hidden).map((link) => link.textContent));
show([...document.querySelectorAll("#edit-where")].map((words) => words.hidden));
"""


@pytest.mark.parametrize(("token", "edited", "links"), [
    ("secret", "hop", ["Edit the rules"]), ("", "hop", []), ("secret", "", [])])
def test_rules_that_can_be_edited_lead_to_their_editor(token: str, edited: str, links: list[str]) -> None:
    """If they have errors, the browser that has opened the editor gets the link; other visitors read where its address
    is."""
    world = net({"error": {"summary": "no", "text": "hop.zrf contains no forms"}}, edited=edited,
                search="?game=hop&lang=en") + (f"stored.set('zrf-desk-token', '\"{token}\"');\n" if token else "")
    shown, where = on_page(LINKS, "new.html", net=world, new=MODULES["new"] + "export const ready = true;\n")
    assert shown == links and where == [not edited or bool(links)]
