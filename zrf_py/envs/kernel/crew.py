"""The threads of a fleet, within native code: one leads, the others follow.

What is to be done is cut into chunks of slots. Each thread takes the chunks of its own share first, so that slots stay
in the memory near its processor, then those that are left in the shares of others: who comes late, or is kept from
work, keeps nobody waiting for more than the chunk he has begun. A thread without work watches for some more, and leaves
after a while; whoever leads can do without it.
"""

from zrf_py.jit.language import add_now, entry, read_now, replace_now, rest, write_now
from zrf_py.envs.kernel.memory import LINE, Crew, crew
from zrf_py.envs.kernel.step import work

SHARES = Crew.size
"""Of each thread: the job << `CHUNK_BITS` | the next chunk that nobody has taken."""
CHUNK_BITS = 20
PATIENCE = 2500
"""Looks at a word until it is given up: some fifty microseconds."""
MOST_JOBS = 1000
"""After so many a follower comes back to Python all the same."""


@entry
def fleet_lead() -> int:
    """Do what is wanted, together with those who follow. Whether all is done; else one has to call again."""
    while crew.wanted:
        if crew.posted == 0:
            post(crew.job + 1)
        help_with(0, crew.job)
        if everything_is_done() == 0:
            return False
        crew.posted = 0
        crew.wanted = crew.then if read_now(crew, Crew.wrong) < 0 else 0
        crew.then = 0
    return True


def post(job: int) -> None:
    """Begin a job: nobody works at another one."""
    write_now(crew, Crew.done, 0)
    crew.what = crew.wanted
    for thread in range(crew.threads):
        write_now(crew, SHARES + thread * LINE, job << CHUNK_BITS | crew.chunks * thread // crew.threads)
    crew.posted = 1
    write_now(crew, Crew.job, job)


def everything_is_done() -> int:
    for _i in range(PATIENCE):
        if read_now(crew, Crew.done) == crew.chunks:
            return True
        rest()
    return False


@entry
def fleet_follow(me: int, seen: int) -> int:
    """Help with every job that comes after the last one seen; the last one now, the same if there was none for long."""
    for _i in range(MOST_JOBS):
        job = next_job(seen)
        if job == seen:
            return seen
        help_with(me, job)
        seen = job
    return seen


def next_job(seen: int) -> int:
    for _i in range(PATIENCE):
        job = read_now(crew, Crew.job)
        if job != seen:
            return job
        rest()
    return seen


def help_with(me: int, job: int) -> None:
    """Do chunks of a job until none is left; nothing if the job is over."""
    threads = crew.threads
    for i in range(threads):
        share = (me + i) % threads
        end = crew.chunks * (share + 1) // threads
        chunk = take_chunk(share, job, end)
        while chunk >= 0:
            first = chunk * crew.chunk
            last = first + crew.chunk
            work(crew.what, first, last if last < crew.slots else crew.slots)
            add_now(crew, Crew.done, 1)
            chunk = take_chunk(share, job, end)


def take_chunk(share: int, job: int, end: int) -> int:
    """A chunk of a share; -1 if none is left."""
    at = SHARES + share * LINE
    held = read_now(crew, at)
    while held >> CHUNK_BITS == job and held & (1 << CHUNK_BITS) - 1 < end:
        if replace_now(crew, at, held, held + 1):
            return held & (1 << CHUNK_BITS) - 1
        held = read_now(crew, at)
    return -1
