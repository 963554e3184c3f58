"""The database is restarted while people play: what was acknowledged is kept once, and people are told in sentences.

With more restarts, and longer ones: `python -m tests.acceptance.faults database`, a part of `make soak`.
"""

from tests.acceptance.faults.needs import fault, needs


def test_a_restart_of_the_database_costs_nobody_a_move_a_notification_or_their_patience():
    needs("redis", "PostgreSQL's programs")
    ended = fault("database", "--restarts", "1", "--down-for", "1", "--matches", "2")
    assert ended.stdout.endswith("Nothing was lost.\n"), ended.stdout + ended.stderr
    assert ended.returncode == 0
