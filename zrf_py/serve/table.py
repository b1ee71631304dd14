"""One game being played on the server: its moves, seats and watchers.

The tree of moves is authoritative; views are the latest answers of workers about its positions. The node `tip` is the
current position of the game; each browser may show another node.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from zrf_py.play.players import HUMAN
from zrf_py.play.tree import Tree
from zrf_py.serve.clock import Clock
from zrf_py.serve.limits import Limits
from zrf_py.serve.opponents import BY_LINK, RANDOM, kinds
from zrf_py.serve.rights import ALONE, GUEST, OWNER, WATCHER, right

PEOPLE = (HUMAN, BY_LINK)
MAX_VIEWS = 12
"""Maximum number of views of positions cached at a table."""
MAX_PACE = 30.0
CLAIM_SECONDS = 60.0
"""Number of seconds that all others must be away before a user may claim the game."""
Socket = Any
"""Stands for the class in `sockets.py`, which imports this module."""
HELP = {"hints": "hint", "balance": "evaluate"}
"""Kinds of help an owner may offer → the right that each one gives."""


def new_id() -> str:
    """Return a random id that can't be guessed, since it gives access to a table or to a seat."""
    return secrets.token_urlsafe(12)


def pace_of(wish: Any) -> float | None:
    """Return the seconds between computers' moves that a page requests; None if the request is invalid."""
    return float(wish) if type(wish) in (int, float) and 0 <= wish <= MAX_PACE else None


def same(a: str, b: str) -> bool:
    """Compare two tokens in constant time; they may contain any characters."""
    return secrets.compare_digest(a.encode("utf-8", "surrogatepass"), b.encode("utf-8", "surrogatepass"))


@dataclass(eq=False)
class Request:
    """A request to all other users: `undo` to `node`, `draw`, or `new` (the game that the message `wish` describes).
    `by` is `owner` or the seat of the user who made it, `agreed` the seats that have agreed."""

    what: str
    by: str
    node: int
    agreed: set[str] = field(default_factory=set)
    wish: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False)
class Table:
    """A game on the server. `error` is a problem of the rules, "" if none; `note` a message for users; `ended` a result
    such as a resignation; `maker` the creator's address; `used` is True once a user has moved here."""

    id: str
    game: str
    variant: str | None
    owner: str
    seats: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)
    tree: Tree = field(default_factory=Tree)
    tip: int = 0
    help: dict[str, bool | None] = field(default_factory=dict)
    clock: Clock | None = None
    ended: dict[str, Any] | None = None
    maker: str = ""
    used: bool = False
    paused: bool = False
    pace: float | None = None
    """Seconds between the moves of computers; None: the server's default."""
    touched: float = field(default_factory=time.time)
    """Time of the last move (seconds since the epoch)."""
    info: dict[str, Any] = field(default_factory=dict)
    views: OrderedDict[int, dict[str, Any]] = field(default_factory=OrderedDict)
    discarded: bool = False
    """True if the table is no longer saved: it was rejected, or its users left it without a move."""
    error: str = ""
    note: str = ""
    unkept: str = ""
    """A note for users if the board can't be stored."""
    thinking: str = ""
    preparing: bool = False
    """True while the computer player is preparing for rules that it hasn't played yet."""
    stamp: str = ""
    request: Request | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    sockets: set[Socket] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    """Names that people gave themselves, by seat; a page sends its user's name whenever it connects."""
    left: dict[str, float] = field(default_factory=dict)
    """Seats of people who are away → since when (`time.monotonic`)."""
    is_listed: bool = False
    """True if the public list of games in progress may show it."""
    task: asyncio.Task[None] | None = None
    """The task that makes the moves of computers and chance; None: there is none."""
    judging: asyncio.Task[None] | None = None
    looks: OrderedDict[int, dict[str, Any]] = field(default_factory=OrderedDict)

    # ---------------------------------------------------------------------------------------------------------- seats

    def sit(self, seats: dict[str, str]) -> None:
        """Assign the seats of all players with turns, as requested if possible, otherwise to humans."""
        kinds_of = {}
        allowed = {*PEOPLE, *kinds()}
        for player in self.info["players"]:
            name = player["name"]
            if player["kind"] == "random":
                kinds_of[name] = RANDOM
            elif player["kind"] == "player":
                wish = seats.get(name, HUMAN)
                kinds_of[name] = wish if wish in allowed else HUMAN
        self.seats = kinds_of
        for name, kind in kinds_of.items():
            if kind == BY_LINK:
                self.tokens.setdefault(name, new_id())

    def may_play(self, token: str) -> list[str]:
        """Return the players for whom a token may move: the owner's for all local humans, any other for its seats."""
        owner = self.is_owner(token)
        return [name for name, kind in self.seats.items()
                if (owner and kind == HUMAN)
                or (kind == BY_LINK and name in self.tokens and same(token, self.tokens[name]))]

    def is_owner(self, token: str) -> bool:
        return same(token, self.owner)

    def is_human(self, player: str) -> bool:
        return self.seats.get(player, HUMAN) in PEOPLE

    @property
    def by_link(self) -> list[str]:
        """The seats of users who join by a link."""
        return [name for name, kind in self.seats.items() if kind == BY_LINK]

    def is_crowded(self, visitor: str, limits: Limits) -> bool:
        """Return whether there is no room for another watcher, or for another one of this visitor."""
        watchers = [socket.visitor for socket in self.sockets if not self.may_play(socket.token)]
        return len(watchers) >= limits.watchers or watchers.count(visitor) >= limits.watchers_each

    def role(self, token: str) -> str:
        """Return the role of a token's holder; see `rights.py`."""
        if self.is_owner(token):
            return OWNER if self.by_link else ALONE
        return GUEST if self.may_play(token) else WATCHER

    def right(self, action: str, token: str) -> str:
        """Return a token's right to do something: `yes`, `ask` or `no`."""
        role = self.role(token)
        return right(action, role, self.offers(action), not self.player and not self.error)

    def offers(self, action: str) -> bool:
        """Return whether a kind of help is offered: as the owner decided, by default only to a user who plays alone."""
        name = next((name for name, gives in HELP.items() if gives == action), "")
        wish = self.help.get(name)
        return not self.by_link if wish is None else wish

    def name_of(self, token: str) -> str | None:
        """Return the key under which a user's tries are stored, so that only this user sees them; None once the game is
        over, when everyone sees all tries."""
        return self.who(token) if self.player or self.error else None

    def who(self, token: str) -> str:
        """Return `owner`, or the user's first player; "" for a watcher."""
        return "owner" if self.is_owner(token) else next(iter(self.may_play(token)), "")

    def others(self, token: str) -> list[str]:
        """Return the seats of all other users."""
        own = self.may_play(token)
        return [name for name, kind in self.seats.items() if kind in PEOPLE and name not in own]

    @property
    def away(self) -> list[str]:
        """Seats of people without a connected user."""
        held = {seat for token in {socket.token for socket in self.sockets} for seat in self.may_play(token)}
        return [name for name, kind in self.seats.items() if kind in PEOPLE and name not in held]

    def note_presence(self) -> None:
        """Record since when users have been away, after a socket has come or gone."""
        self.left = {seat: self.left.get(seat, time.monotonic()) for seat in self.away}

    def claim_in(self, token: str) -> float | None:
        """Return the seconds until a user may claim the game; None unless all have moved and all others are away."""
        others = self.others(token)
        if not others or not self.by_link or not self.player or self.played < len(self.players) or (
                not self.may_play(token) or any(seat not in self.left for seat in others)):
            return None
        return max(0.0, CLAIM_SECONDS - (time.monotonic() - max(self.left[seat] for seat in others)))

    @property
    def players(self) -> list[str]:
        """The players who have turns, without chance."""
        return [p["name"] for p in self.info["players"] if p["kind"] == "player"]

    @property
    def spectators(self) -> int:
        """The number of browsers that only watch."""
        return sum(self.role(socket.token) == WATCHER for socket in self.sockets)

    # ------------------------------------------------------------------------------------------------------ positions

    @property
    def view(self) -> dict[str, Any]:
        """A worker's view of the current position; {} if it isn't cached."""
        return self.views.get(self.tip, {})

    def keep_view(self, node: int, view: dict[str, Any]) -> None:
        self.views[node] = view
        self.views.move_to_end(node)
        used = {self.tip, *(socket.at for socket in self.sockets)}
        for old in list(self.views):
            if len(self.views) <= MAX_VIEWS:
                break
            if old not in used:
                del self.views[old]

    @property
    def outcome(self) -> dict[str, Any] | None:
        """Outcome of the game; None while it goes on."""
        return self.ended or self.view.get("outcome")

    @property
    def player(self) -> str:
        """The player to move; "" when the game is over or its rules are broken."""
        return "" if self.error or self.outcome else str(self.view.get("player", ""))

    @property
    def ply(self) -> int:
        """Number of moves of the game, set-up included."""
        return self.tree[self.tip].depth

    @property
    def played(self) -> int:
        """Number of moves in the game, not counting a set-up and chance moves before the first choice."""
        return self.ply - len(self.tree.opening(self.tip))

    @property
    def line(self) -> list[str]:
        """The record of the game."""
        return self.tree.texts(self.tip)

    def go_to(self, node: int) -> None:
        """Continue the game from a node; browsers that show the current position follow."""
        for socket in self.sockets:
            if socket.at == self.tip:
                socket.at = node
        self.tip = node
        self.request = None

    def before(self, own: Iterable[str] | None = None) -> int:
        """Return the node to which moves are taken back: a human's last choice (by one of `own`, if given)."""
        people = {name for name in self.seats if self.is_human(name)}
        choosers = set(own) if own is not None else people and {"", *people}  # those who edit the board, too
        return self.tree.before(self.tip, choosers, any(kind not in PEOPLE for kind in self.seats.values()))

    # ---------------------------------------------------------------------------------------------------------- saving

    def as_json(self) -> dict[str, Any]:
        names = ("id", "game", "variant", "owner", "seats", "tokens", "tip", "help", "ended", "maker", "used",
                 "touched", "paused", "pace")
        return {"format": 2, **{name: getattr(self, name) for name in names}, "moves": self.tree.as_json(),
                "chosen": self.tree.chosen(), "clock": self.clock and self.clock.as_json(), "facts": self.facts()}

    def facts(self) -> dict[str, Any]:
        """Return the facts that a list of boards shows."""
        return {"title": str(self.info.get("title", self.variant or self.game)), "seats": dict(self.seats),
                "plies": self.played, "player": self.player, "outcome": self.outcome,
                "touched": self.touched}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Table | None:
        """Restore a board from disk; None if the data is invalid."""
        try:
            if data.get("format") == 1:
                data = {**data, "moves": [[i, text] for i, text in enumerate(data["line"])], "tip": int(data["cursor"]),
                        "used": True}
            tree = Tree.from_json(data["moves"], data.get("chosen", ()))
            tip = int(data["tip"])
            ended = data.get("ended")
            return Table(
                str(data["id"]), str(data["game"]), data["variant"] and str(data["variant"]), str(data["owner"]),
                _texts(data["seats"]), _texts(data["tokens"]), tree, tip if tip in tree else 0,
                dict(data.get("help") or {}), Clock.from_json(data.get("clock")),
                ended if isinstance(ended, dict) else None,
                str(data.get("maker", "")), bool(data.get("used")), bool(data["paused"]), pace_of(data.get("pace")),
                float(data["touched"]))
        except (KeyError, TypeError, ValueError, OverflowError, IndexError, AttributeError):
            return None

    # ---------------------------------------------------------------------------------------------------- broadcasting

    def tell(self) -> None:
        """Send the new state to all browsers."""
        for socket in list(self.sockets):
            socket.wake()

    def say(self, message: dict[str, Any], to: Iterable[Socket] | None = None) -> None:
        """Send a message other than the state, to all browsers or to those in `to`."""
        for socket in list(self.sockets if to is None else to):
            socket.say(message)


def _texts(value: Any) -> dict[str, str]:
    return {str(k): str(v) for k, v in dict(value).items()}
