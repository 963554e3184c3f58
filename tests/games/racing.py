"""Many at once, each in a thread and with a connection of its own."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

from django.db import connections


def all_at_once(calls):
    """Runs the calls in threads that wait for one another; returns what each gave or raised."""
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
    """The call, but whoever has made it waits until all others have: they have all seen the same before any acts."""

    def called(*args, **kwargs):
        result = call(*args, **kwargs)
        meeting.wait(timeout=2)
        return result

    return called


def beside(work):
    """A thread that works with a connection of its own."""

    def run():
        try:
            work()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    return thread
