"""Short storms. The long one, with 200 matches and each broker, is part of `make soak`."""

import pytest

from tests.acceptance.programs import nothing_is_lost
from tests.requirements import require

QUICKLY = ("--leases-end-at-once", "--look-every", "0.2", "--kill-every", "3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broker", "size"),
    [
        ("redis", ["--matches", "2", "--kills", "2"]),
        ("rabbitmq", ["--matches", "1", "--kills", "1", "--webs", "1", "--workers", "1"]),
    ],
    ids=["redis", "rabbitmq"],
)
def test_nothing_is_lost_when_web_and_worker_processes_are_killed_repeatedly(broker, size):
    require(broker, "PostgreSQL")
    nothing_is_lost("storm", *QUICKLY, "--broker", broker, *size)


@pytest.mark.slow
def test_nothing_is_lost_with_bots_in_half_of_the_seats():
    nothing_is_lost("storm", *QUICKLY, "--matches", "4", "--kills", "1", "--broker", "none", "--bots", "easy")


@pytest.mark.slow
def test_nothing_is_lost_when_the_only_process_of_a_small_service_is_killed():
    nothing_is_lost("storm", *QUICKLY, "--matches", "2", "--kills", "1", "--broker", "none")
