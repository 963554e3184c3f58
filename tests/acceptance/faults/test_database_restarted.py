"""The database is restarted while people play. Acknowledged moves are stored once, and players get clear errors.

`python -m tests.acceptance.faults database`, which is part of `make soak`, runs longer.
"""

import pytest

from tests.acceptance.programs import nothing_is_lost
from tests.requirements import require


@pytest.mark.slow
def test_a_database_restart_loses_no_move_and_no_notification():
    require("redis", "PostgreSQL's programs")
    nothing_is_lost("faults", "database", "--restarts", "1", "--down-for", "1", "--matches", "2")
