"""Work that waits in rows until a worker claims it: one implementation for every kind of job.

A kind of job is a model that inherits `Job`, and a function that works off its `Queue`:

    QUEUE = Queue(BotMove, state="state", queued="queued", claimed="thinking", lease=timedelta(minutes=2), most_tries=5)

    @jobs.worker("bots", longest=60)
    def think(is_over: IsOver) -> None:
        for claim in QUEUE.claims(is_over, most=1):
            ...

The row is written in the transaction of its cause, and `jobs.wake("bots")` after the commit tells a worker. If that
message is lost, nothing else is: the periodic schedule in the settings runs every worker function too, and a claim that
was not finished when its lease ends is due again.
"""

from core.jobs.queue import Backoff, Claim, Job, Queue, bring_back
from core.jobs.runner import IsOver, is_stopping, wake, worker

__all__ = ["Backoff", "Claim", "IsOver", "Job", "Queue", "bring_back", "is_stopping", "wake", "worker"]
