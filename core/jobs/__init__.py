"""Jobs are database rows that workers claim. Every kind of job uses this implementation.

Each kind of job consists of a model that inherits from `Job` and a function that works through its `Queue`:

    QUEUE = Queue(BotMove, state="state", queued="queued", claimed="thinking", lease=timedelta(minutes=2), most_tries=5)

    @jobs.worker("bots", longest=60)
    def think(is_over: IsOver) -> None:
        for claim in QUEUE.claims(is_over, most=1):
            ...

To create a job, insert its row in the transaction that makes it necessary, and call `jobs.wake("bots")` after the
commit to wake a worker. A lost wake-up does no harm, because the schedule in the settings also runs every worker
function periodically. When the lease of a claim expires, its jobs are due again.
"""

from core.jobs.queue import Backoff, Claim, Job, Queue, reset_future_jobs
from core.jobs.runner import IsOver, is_stopping, wake, worker

__all__ = ["Backoff", "Claim", "IsOver", "Job", "Queue", "is_stopping", "reset_future_jobs", "wake", "worker"]
