"""Thread pool of a fleet in native code: work stealing, with one leader and spinning followers.

A job is cut into chunks of slots. Each thread first takes the chunks of its own share, so that slots stay in the caches
near its processor, then chunks left in other shares: a late or preempted thread delays the others by at most one chunk.
An idle follower spins for a while, then returns to Python; the leader can finish without it.
"""

from zrf_py.jit.language import add_now, entry, read_now, replace_now, rest, write_now
from zrf_py.envs.kernel.memory import LINE, Crew, crew
from zrf_py.envs.kernel.step import work

SHARES = Crew.size
"""Index in `crew` of the threads' shares, `LINE` words each; first word: job << `CHUNK_BITS` | next free chunk."""
CHUNK_BITS = 20
PATIENCE = 2500
"""Polls of a word before giving up: some 50 microseconds."""
MOST_JOBS = 1000
"""Maximum number of jobs of a follower before it returns to Python."""


@entry
def fleet_lead() -> int:
    """Run the pending operations together with the followers; return False if the caller must call again."""
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
    """Publish a job; all chunks of the last one must be done."""
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
    """Work on jobs after number `seen`; return the number of the last one, or `seen` if none was posted in time."""
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
    """Work on chunks of a job until none is left; return at once if the job is over."""
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
    """Take a chunk of a share by compare-and-swap and return it; -1 if none is left."""
    at = SHARES + share * LINE
    held = read_now(crew, at)
    while held >> CHUNK_BITS == job and held & (1 << CHUNK_BITS) - 1 < end:
        if replace_now(crew, at, held, held + 1):
            return held & (1 << CHUNK_BITS) - 1
        held = read_now(crew, at)
    return -1
