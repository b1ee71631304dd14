"""Scripts of pages without a server, in node: worker, address, sounds, sites, advice."""

from __future__ import annotations

import base64
import json
import zlib
from random import Random
from typing import Any

import pytest

pytest.importorskip("llvmlite", reason="pages are made by llvmlite")

from tests.exporting import in_node, plain
from tests.playing import ROOT
from zrf_py.export.facts import fields
from zrf_py.export.payload import Payload
from zrf_py.export.sources import text_of
from zrf_py.play.game import loads
from zrf_py.play.players import random_turn
from zrf_py.run.rules import Rules
from zrf_py.search.limits import limits

BROWSER = """const posted = [], failed = [], replaced = [], late = [], anchors = [], revoked = [], listeners = {};
globalThis.zrfAlone = { words: {}, shown: { isTurned: true }, link: "begun", early: [{ data: { type: "state", n: 1 } }],
  worker: { postMessage: (message) => posted.push(message) }, fail: (why) => failed.push(why) };
Object.assign(location, { hash: "#begun", pathname: "/p", href: "http://x/p?lang=en#begun" });
globalThis.history = { replaceState(_, __, address) {
  replaced.push(address);
  location.hash = /#.*|$/.exec(address)[0];
} };
globalThis.addEventListener = (name, act) => { listeners[name] = act; };
const timer = setTimeout;
let frames = true;
globalThis.requestAnimationFrame = (act) => { if (frames) timer(act, 5); };
globalThis.setTimeout = (act, time = 0) => (time < 500 ? timer(act, time) : late.push([act, time]));
URL.createObjectURL = () => "blob:1";
URL.revokeObjectURL = (address) => revoked.push(address);
globalThis.document = { createElement() {
  const anchor = { append() {}, click() { const { href, download } = anchor; anchors.push({ href, download }); } };
  return anchor;
} };
const wait = async (turns = 30) => { // of the loop in which timers ring, however long they take
  for (let n = 0; n < turns; n += 1) await new Promise((go) => { timer(go, 2); });
};
"""


def test_a_page_keeps_its_game_in_its_address() -> None:
    """After each frame the address becomes the newest link; if the reader changes the address, that link is followed
    once."""
    script = """import { connect } from "./server.js";
const heard = [];
const { worker } = globalThis.zrfAlone;
const link = connect({ state: ({ n }) => heard.push(n) });
link.open();
show([heard, posted]);
link.ask({ type: "undo" });
show(posted.splice(0));
const address = (link) => worker.onmessage({ data: { type: "address", link } });
address("one");
address("two");
show(replaced.splice(0));
await wait();
show([replaced.splice(0), location.hash]);
address("");
await wait();
show([replaced.splice(0), location.hash]);
location.hash = "#reader";
address("three");
await wait();
show([replaced.splice(0), location.hash]);
listeners.hashchange();
listeners.hashchange();
show(posted.splice(0));
address("four");
await wait();
show(replaced.splice(0));
history.replaceState = () => { throw new Error("not here"); };
address("five");
await wait();
listeners.hashchange();
show([location.hash, posted]);
"""
    assert in_node(script, BROWSER) == [
        [[1], []], [{"type": "undo"}], [], [["/p?lang=en#two"], "#two"], [["/p?lang=en"], ""], [[], "#reader"],
        [{"type": "follow", "link": "reader"}], ["/p?lang=en#four"], ["#four", []]]


def test_messages_wait_for_the_animation_of_a_move() -> None:
    """Messages wait for one frame after a drawing; if there are no frames, for half a second."""
    script = """import { connect } from "./server.js";
const heard = [];
const { worker } = globalThis.zrfAlone;
connect({ state: ({ n }) => heard.push(n), drawn: ({ n }) => heard.push(n) }).open();
const come = (type, n) => worker.onmessage({ data: { type, n } });
for (const [n, type] of ["state", "drawn", "state", "unknown", "drawn", "state"].entries()) come(type, n + 2);
show([...heard]);
await wait();
show([...heard]);
frames = false;
come("drawn", 8);
come("state", 9);
await wait();
show([...heard]);
const patience = late.splice(0);
show(patience.at(-1)[1]);
patience.at(-1)[0]();
await wait();
show([...heard]);
worker.onmessage({ data: { type: "broken", summary: "why" } });
connect({}).open();
worker.onmessage({ data: { type: "broken", summary: "of no board" } });
show(failed);
process.exit(); // a channel that is open would go on
"""
    assert in_node(script, BROWSER) == [
        [1, 2, 3], [1, 2, 3, 4, 6, 7], [1, 2, 3, 4, 6, 7, 8], 500, [1, 2, 3, 4, 6, 7, 8, 9], ["why"]]


def test_a_game_is_saved_as_a_file_and_shared_by_a_link() -> None:
    script = """import { connect, offerSave, shared, shown, PEOPLE, soundAt, invitation, about } from "./server.js";
const acts = [];
const anchor = { dataset: {}, addEventListener: (name, act) => acts.push([name, act]) };
connect({}).open();
offerSave(anchor);
offerSave(anchor);
let prevented = 0;
acts[0][1]({ preventDefault: () => { prevented += 1; } });
show([acts.length, acts[0][0], anchor.href, prevented, posted.splice(0)]);
globalThis.zrfAlone.worker.onmessage({ data: { type: "saved", text: "a game", name: "chess.zsg" } });
show([anchors, revoked, late.length, late[0][1] > 1000]);
late[0][0]();
show(revoked);
show([shared({ link: "L" })[2], shown, PEOPLE, soundAt("move"), invitation(), await about()]);
"""
    saved = [{"href": "blob:1", "download": "chess.zsg"}]
    assert in_node(script, BROWSER) == [
        [1, "click", "#", 1, [{"type": "save"}]], [saved, [], 1, True], ["blob:1"],
        ["http://x/p?lang=en#L", {"isTurned": True}, ["human"], "", ["", "", ""],
         {"watch": False}]]


def packed(**parts: str) -> str:
    payload = Payload()
    for name, text in parts.items():
        payload.name(name, text)
    tables = {"fields": {"f": 1}, "shared": ["zero", "one"], "games": [{"title": 0, "tables": {"inner": 1}}],
              "images": [7]}
    return base64.b64encode(zlib.compress(payload.packed(tables))).decode()


def test_a_worker_unpacks_the_page_and_sends_back_its_script() -> None:
    """The page is decoded by the browser's decoder or character by character; damaged data is reported."""
    whole = packed(board="the board “é”", words='{"de": {"a": "b"}}', worker="the worker")
    before = "const posted = [], imported = [];\nglobalThis.self = globalThis;\n" + """
self.postMessage = (message) => posted.push(message);
globalThis.importScripts = (address) => imported.push(address);
URL.createObjectURL = (blob) => blob;
"""
    script = text_of("boot.js") + f"""
for (const decoder of [undefined, (text) => Uint8Array.from(Buffer.from(text, "base64"))]) {{
  Uint8Array.fromBase64 = decoder;
  await self.onmessage({{ data: {{ packed: "{whole}", link: "L" }} }});
  const {{ link, page, names, part }} = self.zrfOpened;
  show([posted.splice(0), await imported.pop().text(), link, page, new TextDecoder().decode(part(names.board))]);
}}
await self.onmessage({{ data: {{ packed: "{whole[:40]}", link: "L" }} }});
const why = await new Response(new Blob([Buffer.from("{whole[:40]}", "base64")]).stream()
  .pipeThrough(new DecompressionStream("deflate"))).arrayBuffer().catch((error) => error.message);
show([posted[0].type, why.length > 3, posted[0].summary === why, posted.length, imported.length]);
"""
    game = {"title": "zero", "tables": {"inner": "one"}}
    page = {"fields": {"f": 1}, "first": 0, "variants": [{"game": game, "image": 7}]}
    opened = [[{"type": "script", "board": "the board “é”", "words": {"de": {"a": "b"}}}], "the worker", "L", page,
              "the board “é”"]
    assert in_node(script, before) == [opened, opened, ["broken", True, True, 1, 0]]


SOUNDS = """const heard = [], own = [];
let contexts = 0;
const joined = (kind, more) => ({ kind, connect(other) { this.to = other; return other; }, ...more });
globalThis.AudioContext = class {
  constructor() { contexts += 1; this.currentTime = 7; this.destination = "ear"; }
  createGain() {
    const course = [];
    return joined("volume", { course, gain: { setValueAtTime: (...at) => course.push(at),
      exponentialRampToValueAtTime: (...at) => course.push(at) } });
  }
  createOscillator() {
    const tone = joined("tone", { frequency: {}, start(at) { tone.from = at; }, stop(at) {
      heard.push([tone.frequency.value, tone.from, at, tone.to.course, tone.to.to]);
    } });
    return tone;
  }
};
globalThis.Audio = class {
  play() { own.push([this.src, this.currentTime]); return Promise.reject(new Error("no sound")); }
};
"""


def test_each_event_plays_its_tones_or_the_sound_of_the_rules() -> None:
    """Tones follow one another and fade out; a sound of the rules file restarts each time."""
    script = """import { ownSounds, play, sounds } from "./sounds.js";
const events = ["drop", "move", "take", "end", "check", "low"];
sounds.isOn = false;
for (const event of events) play(event);
show([heard.length, contexts]);
sounds.isOn = true;
for (const event of events) { play(event); show(heard.splice(0)); }
ownSounds(["take"]);
play("take");
play("take");
play("move");
show([own, heard.length, contexts]);
"""
    silent, *events, last = in_node(script, BROWSER + SOUNDS)
    assert silent == [0, 0] and last == [[["", 0], ["", 0]], 1, 1]
    assert len({tuple(tone[0] for tone in tones) for tones in events}) == len(events) == 6
    for tones in events:
        ends = [7, *(stop for _, _, stop, *_ in tones)]
        for (pitch, start, stop, course, ear), before in zip(tones, ends, strict=False):
            assert 100 < pitch < 1000 and ear == "ear"
            assert start == pytest.approx(before) and 0.02 < stop - start < 0.5
            (loud, begins), (quiet, fades) = course
            assert (begins, fades) == (start, stop) and 0.1 < loud < 0.5 and quiet < loud / 100


HOME = """<main><input id="search"><p id="filters"></p><button id="theme"></button><p id="count"></p>
<ul id="today"></ul><div id="games">
<section><h2>Chess<small></small></h2><li data-words="chess schach 2players"><a href="chess.html"></a></li>
<li data-words="chess for three 3players"><a href="three.html"></a></li></section>
<section><h2>Rows<small></small></h2><li data-words="muhle strasse 2players"><a href="muhle.html"></a></li>
</section></div></main>"""


def test_a_list_of_games_is_searched() -> None:
    """Every word typed must begin a word of the game, ignoring accents; sections without a match are hidden."""
    search = """
for (const wish of ["", "chess", "CHESS 3 players", "mühle", "straße", "hess", "2 Spieler", "xyz"]) {
  it("search").value = wish;
  it("search").dispatch("input");
  show([document.querySelectorAll("li").map((card) => Boolean(card.hidden)), it("count").textContent,
    document.querySelectorAll("section").map((one) => [Boolean(one.hidden), one.querySelector("small").textContent])]);
}
show(registered);"""
    dom = (ROOT / "tests" / "dom.js").read_text("utf-8")
    before = f"""const registered = [];
globalThis.zrfAlone = {{ words: {{}} }};
Object.defineProperty(globalThis, "navigator", {{ configurable: true, value: {{ language: "en",
  serviceWorker: {{ register: async (name) => registered.push(name) }} }} }});
location.protocol = "https:";
{dom}
parse({json.dumps(HOME)}, document.body);
document.getElementById("search").value = "";
"""
    found = in_node(text_of("site.js") + search, before)
    none, both = [[True, "0"]], [[False, "2"]]
    expected: list[Any] = [
        [[False, False, False], "3 games", [*both, [False, "1"]]],
        [[False, False, True], "2 of 3 games", [*both, *none]],
        [[True, False, True], "1 of 3 games", [[False, "1"], *none]],
        [[True, True, False], "1 of 3 games", [*none, [False, "1"]]],
        [[True, True, False], "1 of 3 games", [*none, [False, "1"]]],
        [[True, True, True], "0 of 3 games", [*none, *none]],
        [[False, True, False], "2 of 3 games", [[False, "1"], [False, "1"]]],
        [[True, True, True], "0 of 3 games", [*none, *none]]]
    assert found == [*expected, ["sw.js"]]


@pytest.mark.parametrize(("games", "days"), [(9, ["g0", "g1", "g2", "g0"]), (7, [None] * 4)])
def test_the_game_of_the_day_changes_daily(games: int, days: list[str | None]) -> None:
    """The games of the first family take turns; none is recommended above search results or a short list."""
    cards = "".join(f'<li><a href="g{n}"><div class="words"><b>{n}</b></div></a></li>' for n in range(games))
    script = """
import { listing } from "./listing.js";
const section = document.querySelector("section");
const cards = section.querySelectorAll("li").map((item, n) => ({ item, section, words: `game ${n}`, file: `g${n}` }));
for (const day of [900, 901, 902, 909]) {
  Date.now = () => day * 864e5 + 5;
  listing(cards);
  const part = (selector) => it("today").querySelector(selector);
  show([part("a")?.getAttribute("href") ?? null, part("span")?.textContent ?? null, Boolean(it("today").hidden)]);
}
it("search").value = "game";
it("search").dispatch("input");
show(it("today").hidden);"""
    page = ('<input id="search"><p id="filters"></p><p id="count"></p><ul id="today"></ul>'
            f"<section><h2>G<small></small></h2>{cards}</section>")
    before = f"""globalThis.zrfAlone = {{ words: {{}} }};
{(ROOT / "tests" / "dom.js").read_text("utf-8")}
parse({json.dumps(page)}, document.body);
document.getElementById("search").value = "";
"""
    label = "Game of the day" if games > 7 else None
    assert in_node(script, before) == [*([day, label, False] for day in days), True]


WORKER = """const events = {}, kept = new Map([["other", new Map()], ["zrf-old", new Map()]]), fetched = [];
globalThis.self = { addEventListener: (name, act) => { events[name] = act; }, skipWaiting: () => "skipped",
  clients: { claim: () => "claimed" } };
globalThis.caches = {
  async open(name) {
    if (!kept.has(name)) kept.set(name, new Map());
    const cache = kept.get(name);
    return { addAll: async (names) => names.forEach((one) => cache.set(one, `first ${one}`)),
      match: async ({ url }, { ignoreSearch }) => cache.get(ignoreSearch ? url.split("?")[0] : url),
      put: async ({ url }, found) => cache.set(url, found) };
  },
  keys: async () => [...kept.keys()], delete: async (name) => kept.delete(name),
};
globalThis.fetch = async ({ url }) => {
  fetched.push(url);
  return { ok: !url.includes("bad"), clone: () => `copy of ${url}` };
};
location.origin = "http://x";
const VERSION = "zrf-new", FIRST = ["http://x/index.html"];
"""


def test_a_site_works_without_a_network() -> None:
    """Cached files are served; others are fetched, and cached if that succeeds; old versions are deleted, other caches
    and origins left alone."""
    script = """
const waited = async (name) => { let promise; events[name]({ waitUntil: (it) => { promise = it; } }); return promise; };
const ask = async (url, method = "GET") => {
  let answer = "left alone";
  events.fetch({ request: { url, method }, respondWith: (it) => { answer = it; } });
  answer = await answer;
  return typeof answer === "string" ? answer : "fetched";
};
show([await waited("install"), await waited("activate"), [...kept.keys()]]);
show([await ask("http://x/index.html?lang=de"), await ask("http://x/a"), await ask("http://x/a"),
  await ask("http://x/bad"), await ask("http://x/bad"), await ask("http://y/a"),
  await ask("http://x/a", "POST"), fetched]);
"""
    text = WORKER + text_of("sw.js")
    assert in_node(f"(async () => {{{script}}})();", text) == [
        ["skipped", "claimed", ["other", "zrf-new"]],
        ["first http://x/index.html", "fetched", "copy of http://x/a", "fetched", "fetched", "left alone", "left alone",
         ["http://x/a", "http://x/bad", "http://x/bad"]]]


def test_a_site_stores_requested_files_once() -> None:
    """A file that is stored already is not fetched again; files of other origins are not stored."""
    script = """
let promise;
events.message({ data: { keep: ["http://x/a", "http://x/b", "http://y/c"] }, waitUntil: (it) => { promise = it; } });
await promise;
show(fetched);
"""
    before = """const known = new Set(["http://x/b"]);
globalThis.caches.open = async () => ({
  match: async (file) => known.has(file), add: async (file) => { fetched.push(file); } });
"""
    text = WORKER + before + text_of("sw.js")
    assert in_node(f"(async () => {{{script}}})();", text) == [["http://x/a"]]


def test_dice_are_evaluated_for_the_player_that_they_select() -> None:
    """The evaluation is for the player who moves after one or two rolls, even if a roll changes the order of turns. If
    the game ends before a roll, it is for the next player in the turn order."""
    script = """import { GameSearch } from "./think.js";
const at = (turn, ...moves) => ({ turn, moves });
const limits = { speeds: {}, unlimited: 1, smallest_tree: 1, per_node: 1, slice: 1, glance: 1, reserve: 0 };
const players = ["random", "player", "player"].map((kind) => ({ kind }));
const search = new GameSearch({ fields: { limits }, legal: ({ moves }) => moves, after: (_, to) => to, key: () => 0,
  game: { search: { kind: "mcts" }, players, turns: [[0], [1], [0], [2]] } });
const plant = (...given) => show(given.at(-1));
search.searcher = { weigh() {}, plant, get: () => 0, go: () => true, result: () => 0 };
const rolls = [at(1, at(3)), at(0, at(1)), at(0, at(3)), at(0, at(2, at(1))), at(2, at(3)), at(2, at(0, at(3))),
  at(0), at(2)];
rolls.reduce((before, here) => before.then(() => search.analyse(here, [], { nodes: 9 })), Promise.resolve());
"""
    assert in_node(script) == [-1, 1, 2, 1, 2, 2, 1, 2]


def test_a_random_turn_without_an_end_has_as_many_legs_as_in_python() -> None:
    """Both stop after the same number of legs; the page then goes on with the next turn, in which nobody can move."""
    script = """import { Computers } from "./computers.js";
const here = { moves: [{ text: "on" }], inTurn: true, play: () => here };
const turns = [here, { moves: [] }];
const legs = [];
const host = { tip: 0, pace: 0, player: "A", seats: { A: "random" }, isHuman: () => false, here: () => turns.shift(),
  move: (leg) => { legs.push(leg); }, tell() { if (!turns.length) { show(legs.length); computers.port.close(); } } };
globalThis.setTimeout = (act) => queueMicrotask(act);
const computers = new Computers(host);
computers.advance();
"""
    game = loads("""(game (title "Round") (players A B) (turn-order A B)
 (board (positions (p 0 0 9 9) (q 10 0 19 9)) (links n (p q) (q p)))
 (piece (name Man) (moves (n (add-partial)))) (board-setup (A (Man p))))""")
    rules = Rules(game.program)
    assert in_node(script) == [len(random_turn(rules, rules.start(), Random(1)))]


def test_levels_of_a_page_equal_those_in_python() -> None:
    script = f"""import {{ GameSearch }} from "./think.js";
const search = new GameSearch({{ fields: {json.dumps(plain(fields()))}, game: {{ search: null }} }});
for (let level = 1; level <= 10; level += 1) show(search.limitsOf(level));
"""
    levels = [limits(strength=number) for number in range(1, 11)]
    assert in_node(script) == [{"nodes": level.nodes, "noise": level.noise} for level in levels]


def test_the_reason_names_the_last_captured_piece_of_a_counted_type() -> None:
    """Of three captures only the last counts: the first is of another type, the second of another player."""
    script = """import { reasonOf } from "./reasons.js";
const cell = (player, kind) => (player + 1) | ((kind + 1) << 8);
const game = { goal: [6, 0, 1, 2, 3, 4], types: ["a", "b", "King", "d", "e"], ends: [{ result: "loss", goal: 0 }] };
const state = { cell: [], mover: 1, taken: [cell(0, 3), cell(1, 2), cell(0, 2)] };
const engine = { game, holds: (_, tree, player) => player === 0 };
game.ends[0].players = [1, 0];
const outcome = { reason: "captured", winners: [1], losers: [0] };
show(reasonOf(engine, state, outcome));
show(reasonOf(engine, { ...state, taken: state.taken.slice(0, 2) }, outcome));
"""
    plainly = {"number": 0, "name": "", "places": []}
    assert in_node(script) == [{**plainly, "code": "taken", "name": "King"}, {**plainly, "code": "captured"}]


def test_the_greedy_player_of_a_page_avoids_replies_that_win() -> None:
    """The player captures one piece instead of two if some reply to the capture of two would win, whichever it is."""
    script = """import { Greedy } from "./greedy.js";
const game = { greedy: { values: [1], goals: [[], []] }, places: ["a", "b", "c", "d"], short: { links: [] }, ends: [],
  turns: [[0, 0], [1, 1]], players: [{ kind: "player" }, { kind: "player" }], types: ["Man"] };
const position = (cell, turn, moves, outcome = null) => ({
  cell: Int32Array.from(cell), stores: new Int32Array(4), turn, moves, outcome, chain: -1, attributes: null });
const engine = { game, legal: ({ moves }) => moves, after: (_, { to }) => to, key: ({ cell }) => cell.join() };
const won = { to: position([0, 0, 0, 258], 0, [], { winners: [1], losers: [0] }) };
const quiet = { to: position([257, 0, 0, 258], 0, []) };
for (const replies of [[won, quiet], [quiet, won], [quiet, quiet], [won]]) {
  const two = { name: "two", to: position([257, 0, 0, 258], 1, replies) };
  const one = { name: "one", to: position([257, 0, 258, 258], 1, [quiet]) };
  const greedy = new Greedy(engine, async () => {});
  show((await greedy.turn(position([257, 258, 258, 258], 0, [one, two]))).map(({ name }) => name));
}
"""
    assert in_node(script) == [["one"], ["one"], ["two"], ["one"]]
