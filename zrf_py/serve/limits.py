"""Limits on clients: a table of numbers, and an account of each visitor's connections, sockets and requests.

A visitor is an IPv4 address or an IPv6 network of 64 bits, since such a network has one owner. A connection on which
the server is waiting (for the rest of a request, or for the next one) is closed if a newer one needs its place, so idle
connections shut nobody out.
"""

import ipaddress
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from zrf_py.text.diagnostics import ZrfError

Rate = tuple[float, float]
"""Units per second, and the maximum number of units at once (burst)."""


@dataclass(frozen=True)
class Limits:
    """Limits in counts, seconds and bytes; `…_each` is the limit for one visitor."""

    connections: int = 600
    connections_each: int = 200
    requests_each: int = 60
    """Maximum number of a visitor's requests that are handled at once."""
    requests: Rate = (100.0, 1_000.0)
    """Rate of a visitor's requests; further ones wait, so that no visitor takes all the time."""
    turn_seconds: float = 2.0
    """Maximum number of seconds that a request waits before it is refused."""
    sockets: int = 400
    sockets_each: int = 100
    watchers: int = 40
    """Maximum number of watchers' sockets at a table; the socket of a user with a seat is always accepted."""
    watchers_each: int = 20
    head_seconds: float = 15.0
    """Seconds until the first byte of a request, and from there to the end of its head."""
    body_seconds: float = 30.0
    take_seconds: float = 30.0
    """Seconds for the client to read what was sent."""
    join_seconds: float = 10.0
    ping_seconds: float = 20.0
    message_bytes: int = 1 << 20
    """Maximum number of bytes of a request's body or of a message."""
    message_parts: int = 1_000
    """Maximum number of frames of one message."""
    messages: Rate = (20.0, 40.0)
    """Rate of messages from a socket."""
    excess_messages: int = 1_000
    """Number of messages beyond the rate after which a socket is closed."""
    new_tables: Rate = (2.0, 60.0)
    """Rate of a visitor's new boards."""
    reading: Rate = (10.0, 200.0)
    """Rate of a visitor's expensive requests, in the units of `reads.COSTS`."""
    visitors: int = 1_000
    """Maximum number of visitors whose rates are remembered; those inactive for longest are forgotten."""


class Full(ZrfError):
    """One visitor, or all visitors together, have reached a limit."""


def visitor(address: str) -> str:
    """Return the visitor of an address: the address itself, or its IPv6 network."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        parsed = parsed.ipv4_mapped or parsed
    return str(parsed) if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))


@dataclass
class Bucket:
    """Token bucket: allows `rate` units a second, and `burst` at once."""

    rate: float
    burst: float
    level: float = field(init=False)
    last: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.level = self.burst

    def take(self, cost: float = 1.0, debt: float = 0.0) -> bool:
        """Take `cost` from the bucket; return False if it doesn't hold enough. Its level may fall to -`debt`."""
        now = time.monotonic()
        self.level = min(self.burst, self.level + (now - self.last) * self.rate)
        self.last = now
        if self.level + debt < cost:
            return False
        self.level -= cost
        return True


class Buckets:
    """A bucket for each visitor; at most `most` are kept, those used last."""

    def __init__(self, rate: Rate, most: int) -> None:
        self.rate, self.most = rate, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str) -> Bucket:
        """Return a visitor's bucket."""
        bucket = self._buckets.setdefault(name, Bucket(*self.rate))
        self._buckets.move_to_end(name)
        while len(self._buckets) > self.most:
            self._buckets.popitem(last=False)
        return bucket


@dataclass(eq=False)
class ConnectionSlot:
    """A connection; `close` ends it. `waiting`: the time at which the server began to wait for the client, or None."""

    visitor: str
    close: Callable[[], None]
    waiting: float | None = None


class Budget:
    """The connections, sockets and request rates of one server. A proxy's address stands for many visitors."""

    def __init__(self, limits: Limits | None = None, proxies: Iterable[str] = ()) -> None:
        self.limits = limits or Limits()
        self.proxies = {visitor(address) for address in proxies}
        self.refusals: Counter[str] = Counter()
        self._requests = Buckets(self.limits.requests, self.limits.visitors)
        self.new_tables = Buckets(self.limits.new_tables, self.limits.visitors)
        self.reading = Buckets(self.limits.reading, self.limits.visitors)
        self._places: dict[str, set[ConnectionSlot]] = {}
        self._shares: Counter[tuple[str, str]] = Counter()
        self._totals: Counter[str] = Counter()

    def enter(self, place: ConnectionSlot) -> bool:
        """Admit a connection, if necessary by closing one on which the server waits; return False if that fails."""
        own = self._places.get(place.visitor, set())
        crowds: list[set[ConnectionSlot]] = []
        if len(own) >= self.limits.connections_each and place.visitor not in self.proxies:
            crowds = [own]
        elif sum(map(len, self._places.values())) >= self.limits.connections:
            crowds = sorted(self._places.values(), key=len, reverse=True)
        if crowds and not any(map(self._gives_way, crowds)):
            self.refusals["too many connections"] += 1
            return False
        self._places.setdefault(place.visitor, set()).add(place)
        return True

    def _gives_way(self, places: set[ConnectionSlot]) -> bool:
        """Close the connection on which the server has waited longest; return False if it waits on none."""
        waiting = [(place.waiting, place) for place in places if place.waiting is not None]
        if not waiting:
            return False
        _, place = min(waiting, key=lambda row: row[0])
        self.leave(place)
        place.close()
        self.refusals["connections closed in favour of newer ones"] += 1
        return True

    def leave(self, place: ConnectionSlot) -> None:
        """Release a connection's place; further calls have no effect."""
        places = self._places.get(place.visitor, set())
        places.discard(place)
        if not places:
            self._places.pop(place.visitor, None)

    def turn(self, name: str) -> float:
        """Return the seconds for which a visitor's request must wait, 0 if it need not.

        :raises Full: if the wait would be too long.
        """
        bucket = self._requests.of(name)
        if not bucket.take(debt=bucket.rate * self.limits.turn_seconds):
            raise self._full("requests")
        return max(0.0, -bucket.level / bucket.rate)

    @contextmanager
    def share(self, kind: str, name: str) -> Iterator[None]:
        """Count one of a visitor's "requests" while it is answered, or "sockets" while it is open.

        :raises Full: if there are too many, in total or of this visitor.
        """
        each, total = {"requests": (self.limits.requests_each, None),
                       "sockets": (self.limits.sockets_each, self.limits.sockets)}[kind]
        if self._shares[kind, name] >= each or (total is not None and self._totals[kind] >= total):
            raise self._full(kind)
        self._shares[kind, name] += 1
        self._totals[kind] += 1
        try:
            yield
        finally:
            self._totals[kind] -= 1
            self._shares[kind, name] -= 1
            if not self._shares[kind, name]:
                del self._shares[kind, name]

    def _full(self, kind: str) -> Full:
        self.refusals[f"too many {kind}"] += 1
        return Full(f"too many {kind} at once; try again in a moment", "busy")

    def summary(self) -> str:
        """Summarise the refusals in one line for the terminal; "" if there were none."""
        return "; ".join(f"{reason}: {count}" for reason, count in sorted(self.refusals.items()))
