"""Players can watch their own matches through the event stream of a running service."""

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Machine
from tests.games.builders import awaited, play_some, running_match, sitting
from tests.not_none import not_none
from tests.stream.conftest import running_service


@pytest.fixture
def watching(transactional_db, tmp_path):
    """Return a function that starts `watch` in its own process."""
    processes = []
    with running_service() as service:

        def start(user, *words):
            machine = Machine(tmp_path / user.username, service.url, user.username)
            machine.log_in(service.token(user)[1])
            command = [sys.executable, "-c", "from cli.main import app; app()", "watch", *words]
            environment = machine.environment | {"PATH": "/usr/bin", "PYTHONPATH": "."}
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
            processes.append(process)
            return process

        yield start
        for process in processes:
            process.kill()
            process.communicate()


def test_each_change_is_printed_as_it_happens(watching):
    table = running_match(seats=2)
    process = watching(sitting(table.seats[0]), table.match.id, "--json", "--every", "1000")
    lines = not_none(process.stdout)
    assert json.loads(lines.readline())["match"]["turn"] == 1
    play_some(table, 1)
    assert json.loads(lines.readline())["match"]["turn"] == 2


def test_watching_ends_when_it_is_the_players_turn(watching):
    table = running_match(seats=2)
    waiting = next(seat for seat in table.seats if seat.number != awaited(table).number)
    process = watching(sitting(waiting), table.match.id, "--until-my-turn", "--json", "--every", "1000")
    not_none(process.stdout).readline()
    play_some(table, 2)  # the opponent draws and places
    assert process.wait(60) == 0
