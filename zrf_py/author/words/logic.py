"""Boolean algebra of conditions: join and negate them, compare them in all cases."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import product

from zrf_py.author.words.forms import ALWAYS, NEVER, Condition, Fact, Many


def parts_of(condition: Condition, word: str) -> tuple[Condition, ...]:
    """Return the parts of a condition joined by `word`, "and" or "or"; any other condition is its only part."""
    return condition.parts if isinstance(condition, Many) and condition.word == word else (condition,)


def joined(word: str, parts: Iterable[Condition]) -> Condition:
    """Join conditions by "and" or "or", with nested ones flattened and constants folded."""
    deciding, neutral = (NEVER, ALWAYS) if word == "and" else (ALWAYS, NEVER)
    flat = (inner for part in parts for inner in parts_of(part, word))
    left = tuple(dict.fromkeys(part for part in flat if part != neutral))
    if not left or deciding in left:
        return deciding if left else neutral
    return left[0] if len(left) == 1 else Many(word, left)


@lru_cache(maxsize=1 << 14)  # bounded, since a server may run for weeks
def negated(condition: Condition) -> Condition:
    """Return the negation of a condition, by De Morgan's laws."""
    if isinstance(condition, Fact):
        return replace(condition, want=not condition.want)
    return Many("or" if condition.word == "and" else "and", tuple(map(negated, condition.parts)))


def opposite(some: Iterable[Condition], others: Iterable[Condition]) -> bool:
    """Return whether the conjunction of `some` is the negation of the conjunction of `others`."""
    left, right = joined("and", some), joined("and", others)
    return left == negated(right) or (always_either(left, right) and always_either(negated(left), negated(right)))


MAX_FACTS = 8
"""Maximum number of different tests in two conditions that are compared in all cases."""


@lru_cache(maxsize=4096)
def always_either(first: Condition, second: Condition) -> bool:
    """Return whether in every case at least one of two conditions holds; False if they have too many tests."""
    both = joined("or", (first, second))
    facts = {fact: replace(fact, want=True) for fact in facts_of(both)}
    tests = list(dict.fromkeys(facts.values()))
    if both == ALWAYS or len(tests) > MAX_FACTS:
        return both == ALWAYS
    at = {fact: tests.index(test) for fact, test in facts.items()}
    return all(_holds(both, {fact: answers[number] == fact.want for fact, number in at.items()})
               for answers in product((True, False), repeat=len(tests)))


def facts_of(condition: Condition) -> Iterator[Fact]:
    """Yield the facts in a condition."""
    if isinstance(condition, Many):
        for part in condition.parts:
            yield from facts_of(part)
    else:
        yield condition


def _holds(condition: Condition, facts: Mapping[Fact, bool]) -> bool:
    if isinstance(condition, Many):
        return (all if condition.word == "and" else any)(_holds(part, facts) for part in condition.parts)
    return facts[condition]
