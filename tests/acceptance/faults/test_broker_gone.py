"""The broker is down. Moves are not delayed, no player gets an error, and all notifications are sent soon after the
broker is back.

`python -m tests.acceptance.faults broker --gone-for 120`, which is part of `make soak`, runs longer and prints figures.
"""

import pytest

from tests.acceptance.programs import nothing_is_lost
from tests.requirements import require


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broker", "how"),
    [("redis", []), ("redis", ["--silent"]), ("rabbitmq", [])],
    ids=["redis gone", "redis silent", "rabbitmq gone"],
)
def test_players_move_without_the_broker_and_notifications_are_sent_later(broker, how):
    require(broker, "PostgreSQL")
    nothing_is_lost("faults", "broker", "--broker", broker, "--gone-for", "1", "--matches", "2", *how)
