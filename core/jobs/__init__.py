"""Jobs are database rows that workers claim. Every kind of job uses this implementation.

A kind of job is a model that inherits `Job`, and a function that works through its `Queue`:

    QUEUE = Queue(BotMove, state="state", queued="queued", claimed="thinking", lease=timedelta(minutes=2), most_tries=5)

    @jobs.worker("bots", longest=60)
    def think(is_over: IsOver) -> None:
        for claim in QUEUE.claims(is_over, most=1):
            ...

The row is written in the transaction that causes it, and `jobs.wake("bots")` after the commit wakes a worker. A lost
wake-up does no harm: the periodic schedule in the settings also runs every worker function, and a claim whose lease
expires is due again.
"""

from core.jobs.queue import Backoff, Claim, Job, Queue, reset_future_jobs
from core.jobs.runner import IsOver, is_stopping, wake, worker

__all__ = ["Backoff", "Claim", "IsOver", "Job", "Queue", "is_stopping", "reset_future_jobs", "wake", "worker"]
