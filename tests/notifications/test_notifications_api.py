"""Users can list their notifications and mute a match."""

import pytest

from games.models import Seat
from games.selectors.loading import load_match
from notifications.mail.sender import deliver_due
from notifications.models import Notification
from tests.games.api.clients import Caller
from tests.games.builders import awaited, player, running_match
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def test_a_user_sees_only_their_own_notifications(mailoutbox):
    table = running_match()
    mine = awaited(table).user
    Seat.objects.filter(match=table.match).exclude(user=mine).update(is_muted=True)
    deliver_due()
    listed = Caller(mine).get("/me/notifications").json()["results"]
    assert len(listed) == Notification.objects.filter(user=mine).count()
    assert {"kind": "your_turn", "state": "sent", "why": ""}.items() <= listed[0].items()
    other = next(seat.user for seat in table.seats if seat.user != mine)
    told = Caller(other).get("/me/notifications").json()["results"][0]
    assert (told["state"], told["why"]) == ("suppressed", "You muted this match.")
    assert Caller().get("/me/notifications").status_code == 401


def test_notifications_are_paged_by_random_ids():
    running_match()
    mine = Caller(player("ann"))
    for _ in range(3):
        mine.post("/me/test-mail")
    whole, page, read_on = (
        mine.get("/me/notifications").json()["results"],
        mine.get("/me/notifications?limit=1").json(),
        [],
    )
    while page["next"]:
        read_on += page["results"]
        page = mine.client.get(page["next"]).json()
    assert read_on + page["results"] == whole
    assert len({notification["id"] for notification in whole}) == len(whole)
    assert not {notification["id"] for notification in whole} & set(Notification.objects.values_list("pk", flat=True))


def test_a_match_can_be_muted_and_unmuted():
    table = running_match()
    caller = Caller(player("ann"))
    path = f"/matches/{table.match.id}"
    assert caller.put(f"{path}/mute", {"muted": True}).json() == {"muted": True}
    assert caller.get(path).json()["muted"] is True
    assert caller.put(f"{path}/mute", {"muted": False}).json() == {"muted": False}
    assert caller.get(path).json()["muted"] is False


def test_viewing_a_match_counts_as_a_visit_and_only_the_first_view_is_recorded():
    table = running_match()
    caller = Caller(player("ann"))
    caller.get(f"/matches/{table.match.id}")
    seat = load_match(table.match.id).seat_of(player("ann").pk)
    assert not_none(seat).last_seen == table.match.events_made
    caller.get(f"/matches/{table.match.id}")
    assert not_none(load_match(table.match.id).seat_of(player("ann").pk)).visited_at == not_none(seat).visited_at
