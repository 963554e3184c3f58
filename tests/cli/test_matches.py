import pytest

from tests.cli.shapes import check
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_status_command_lists_waiting_matches_and_suggests_the_next_command(match, awaited, other):
    shown = awaited.ok("status")
    assert "One match is waiting for you." in shown
    assert match.match.id in shown
    assert f"{match.seats[1 - match.state.to_move].user.name} (Friday)" in shown
    assert "Next: turnpost next" in shown
    assert "No matches are waiting for you." in other.ok("status")


def test_turnpost_without_a_command_shows_waiting_matches(match, awaited):
    assert "One match is waiting for you." in awaited.ok()


def test_all_waiting_matches_are_counted(match, awaited, monkeypatch):
    from django.utils import timezone

    from core.paging import CursorPages
    from games.models import Seat

    monkeypatch.setattr("cli.commands.matches.MAX_PAGE_SIZE", 2)
    monkeypatch.setattr(CursorPages, "page_size", 2)
    for _ in range(2):
        running_match(seats=2)
    Seat.objects.update(awaited_since=timezone.now())
    assert "3 matches are waiting for you." in awaited.ok("status")
    assert len(awaited.json("status")["waiting"]) == 3


def test_the_status_command_prints_its_documented_json(match, awaited):
    check("status", awaited.json())
    assert [waiting["id"] for waiting in awaited.json()["waiting"]] == [match.match.id]
    misplaced = awaited.run("--json", "status")
    assert misplaced.exit_code == 2
    assert "turnpost status --json" in misplaced.stderr


def test_without_a_login_the_exit_code_is_4_and_the_hint_says_how_to_get_started(machine):
    done = machine.run("status")
    assert done.exit_code == 4
    assert "turnpost login" in done.stderr
