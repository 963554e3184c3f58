"""Run calls at the same time, each in a thread with its own connection."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

from django.db import connections


def all_at_once(calls):
    """Run the calls in threads that start together. Return the result or the exception of each call."""
    start = Barrier(len(calls))

    def run(call):
        try:
            start.wait(timeout=30)
            return call()
        except Exception as error:  # noqa: BLE001 - a racer's failure is its result
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def met_at(meeting, call):
    """Wrap a function so that each caller waits until all of them have called it.

    This way, all callers have read before any of them writes.
    """

    def called(*args, **kwargs):
        result = call(*args, **kwargs)
        meeting.wait(timeout=2)
        return result

    return called


def beside(work):
    """Run the call in a thread with its own database connection."""

    def run():
        try:
            work()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    return thread
