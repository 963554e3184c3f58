"""Archiving a match does not change a single byte of anything that anyone can see."""

import pytest
from django.utils import timezone

from games.models import Event, Move, Review
from games.selectors.loading import load_match
from games.services import archiving
from notifications import archiving as notifications
from notifications.models import ArchivedNotifications, Notification
from notifications.webhooks import calls
from tests.acceptance.secrecy import api, command_line
from tests.acceptance.secrecy.sandbox import BEGAN
from tests.acceptance.secrecy.surfaces import all_seen, differences
from tests.games.builders import play_some

pytestmark = [pytest.mark.any_database, pytest.mark.slow]


@pytest.fixture
def ended(sandbox):
    """Let the match end, and wait until nothing refers to its notifications anymore."""
    with sandbox.world():
        sandbox.run(lambda: play_some(sandbox.table))
        sandbox.later(days=31)
        sandbox.deliver()
        calls.forget_old(timezone.now())
        for player in sandbox.players:  # Otherwise `turnpost review` would wait for a worker.
            Review.objects.create(match=sandbox.table.match, user=player.user, state="done", total=0, due_at=BEGAN)
        yield sandbox


def test_archiving_changes_nothing_that_anybody_sees(ended):
    owner, *_ = ended.players
    _, spectator, nobody = ended.outsiders
    looks = {owner: [api.reads, command_line.screens], spectator: [api.reads], nobody: [api.reads]}
    before = all_seen(ended, looks)
    assert not load_match(ended.match_id).match.is_archived
    assert archiving.archive_due(timezone.now())
    assert notifications.archive_due(timezone.now())
    assert not Move.objects.filter(match=ended.match_id).exists()
    assert not Event.objects.filter(match=ended.match_id).exists()
    assert not Notification.objects.filter(match=ended.match_id, email="", delivery="sent").exists()
    assert ArchivedNotifications.objects.filter(match=ended.match_id).count() == len(ended.players)
    told = differences(before, all_seen(ended, looks))
    assert not told, "\n".join(told)
