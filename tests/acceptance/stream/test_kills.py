import subprocess
import sys

import pytest

from tests.acceptance.stream.__main__ import differences
from tests.conftest import DATABASE_URL
from tests.deploy.services import ROOT


@pytest.mark.slow
@pytest.mark.django_db
def test_nothing_is_lost_or_repeated_while_the_stream_process_and_clients_are_killed():
    size = ["--kills", "40", "--matches", "5", "--clients", "4", "--minutes", "2"]
    where = ["--server", DATABASE_URL] if DATABASE_URL else ["--database", "sqlite"]
    command = [sys.executable, "-m", "tests.acceptance.stream", *size, *where]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "lost: 0; repeated: 0; in order: True" in done.stdout


@pytest.mark.parametrize(
    ("received", "found"),
    [
        (["1-a", "2-b", "3-c"], (0, 0, True)),
        (["1-a", "3-c"], (1, 0, True)),
        (["1-a", "2-b", "2-b", "3-c"], (0, 1, True)),
        (["2-b", "1-a", "3-c"], (0, 0, False)),
        (["1-a", "2-x", "3-c"], (1, 0, False)),
    ],
)
def test_control_lost_or_repeated_or_reordered_events_are_found(received, found):
    assert differences(["1-a", "2-b", "3-c"], received) == found
