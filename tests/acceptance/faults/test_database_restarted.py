"""The database is restarted while people play: what was acknowledged is kept once, and people are told in sentences.

With more restarts, and longer ones: `python -m tests.acceptance.faults database`, a part of `make soak`.
"""

import pytest

from tests.acceptance.programs import nothing_is_lost
from tests.requirements import require


@pytest.mark.slow
def test_a_restart_of_the_database_costs_nobody_a_move_a_notification_or_their_patience():
    require("redis", "PostgreSQL's programs")
    nothing_is_lost("faults", "database", "--restarts", "1", "--down-for", "1", "--matches", "2")
