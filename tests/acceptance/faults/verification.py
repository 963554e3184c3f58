"""Check after a fault that nothing was lost. Matches may still be running."""

from collections.abc import Iterator, Sequence

from tests.acceptance.storm.mail_counter import Arrived
from tests.acceptance.storm.players import Acknowledged
from tests.acceptance.storm.verification import (
    check_audit,
    check_deliveries,
    check_expected_notifications,
    check_moves,
    check_stored_results,
    check_suppressed,
)


def complaints(acknowledged: Sequence[Acknowledged], arrived: Sequence[Arrived]) -> Iterator[str]:
    yield from check_moves(acknowledged)
    yield from check_stored_results(acknowledged)
    yield from check_audit()
    yield from check_expected_notifications()
    yield from check_deliveries(arrived)
    yield from check_suppressed()
