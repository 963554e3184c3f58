"""After a fault: what was promised against what is there, also of matches that still go on."""

from collections.abc import Iterator, Sequence

from tests.acceptance.storm.doormat import Arrived
from tests.acceptance.storm.players import Acknowledged
from tests.acceptance.storm.reckoning import (
    about_kept_results,
    about_moves,
    about_notifications,
    about_the_audit,
    about_what_is_owed,
    about_what_was_not_sent,
)


def complaints(acknowledged: Sequence[Acknowledged], arrived: Sequence[Arrived]) -> Iterator[str]:
    yield from about_moves(acknowledged)
    yield from about_kept_results(acknowledged)
    yield from about_the_audit()
    yield from about_what_is_owed()
    yield from about_notifications(arrived)
    yield from about_what_was_not_sent()
