"""Advice is computed once for each position, whoever looks at it; only the latest positions are cached."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("starlette", reason="boards need the extra `board`")

from zrf_py.serve import advising
from zrf_py.serve.advising import Adviser
from zrf_py.serve.moves import Mover
from zrf_py.serve.pool import Pool
from zrf_py.serve.table import Table, new_id


class Searchers:
    """Stand-in for computer players that answers at once; `asked` lists its positions."""

    def __init__(self, more: set[int]) -> None:
        self.asked: list[int] = []
        self.more = more

    async def ask(self, question: int, seconds: float, urgency: int) -> dict[str, Any]:
        self.asked.append(question)
        return {"value": question, **({"more": True} if question in self.more else {})}


@pytest.mark.parametrize("most", [1, 3])
def test_the_latest_positions_are_cached(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "MAX_LOOKS", most)
    searchers = Searchers(more={7})
    referee = SimpleNamespace(question=lambda table, op, node, learn: node)
    adviser = Adviser(cast(Mover, SimpleNamespace(referee=referee)), cast(Pool, searchers))
    table = Table(new_id(), "chess", None, "owner")

    async def look(*nodes: int) -> list[int]:
        """Return the positions that were evaluated anew."""
        searchers.asked.clear()
        for node in nodes:
            assert (await adviser._look(table, node, 0, learn=False))["value"] == node
        return list(searchers.asked)

    async def main() -> None:
        first = list(range(most))
        assert await look(*first) == first
        assert await look(*first) == [], "as many as the limit are remembered"
        assert await look(7, 7) == [7, 7], "what isn't finished is asked again"
        assert await look(most, most) == [most]
        assert await look(*first[1:], most) == []
        assert await look(0) == [0], "the oldest one has gone"

    asyncio.run(main())
