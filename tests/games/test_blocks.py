"""Blocked users can't invite or message the user who blocked them."""

import pytest

from accounts import blocks
from core.problems import status_of
from core.refusals import Refused
from games.selectors import lists
from games.services import chat, invitations, lobby
from notifications.context import NothingToSay, load
from notifications.letters import write
from notifications.models import Notification
from tests.callers import caller
from tests.games.builders import plan, player, running_match

pytestmark = pytest.mark.django_db


def refusal(call, *args):
    with pytest.raises(Refused) as refused:
        call(*args)
    return status_of(refused.value), refused.value.code


def texts(table, user):
    return [message.text for message in lists.messages(table.match.id, user)]


def told_of_messages(user):
    return Notification.objects.filter(user=user, kind="message")


def test_a_blocked_user_cannot_invite_by_name(ann, ben):
    blocks.block(ben, "ann")
    match_id = lobby.create(ann, plan()).match.id
    assert refusal(invitations.invite, match_id, ann, "ben") == (403, "blocked")


def test_an_invitation_by_address_from_a_blocked_user_never_shows_up(ann, ben):
    """The sender must not learn whose address it is, so to them, the invitation looks like any other."""
    blocks.block(ben, "ann")
    match_id = lobby.create(ann, plan()).match.id
    assert invitations.invite(match_id, ann, "ben@example.org").answer == "open"
    assert not lists.invited(ben).exists()
    assert not Notification.objects.filter(kind="invitation").exists()


def test_messages_from_a_blocked_user_are_hidden_from_the_one_who_blocked_them():
    table = running_match(seats=3)
    ann, ben, cleo = player("ann"), player("ben"), player("cleo")
    blocks.block(ben, "ann")
    chat.post_message(table.match.id, ann, "Hello")
    chat.post_message(table.match.id, cleo, "Hi")
    assert texts(table, ben) == ["Hi"]
    assert texts(table, cleo) == ["Hello", "Hi"]
    assert caller(ben).get(f"/api/v1/matches/{table.match.id}").json()["message_count"] == 1


def test_nobody_is_notified_about_messages_from_a_user_they_blocked():
    table = running_match(seats=3)
    blocks.block(player("ben"), "ann")
    chat.post_message(table.match.id, player("ann"), "Hello")
    assert not told_of_messages(player("ben")).exists()
    assert told_of_messages(player("cleo")).exists()


def test_a_queued_message_is_not_emailed_once_its_author_has_been_blocked():
    table = running_match(seats=2)
    chat.post_message(table.match.id, player("ann"), "Hello")
    blocks.block(player("ben"), "ann")
    (queued,) = load([told_of_messages(player("ben")).get().pk])
    with pytest.raises(NothingToSay):
        write(queued)


def test_users_can_list_and_undo_blocks_over_the_api(ann, ben):
    client, listed = caller(ann), "/api/v1/me/blocks"
    assert client.put(f"{listed}/BEN", {}, format="json").json()["username"] == "ben"
    assert client.put(f"{listed}/ben", {}, format="json").status_code == 200
    assert [one["username"] for one in client.get(listed).json()] == ["ben"]
    assert client.delete(f"{listed}/ben").status_code == 204
    assert client.get(listed).json() == []


def test_users_cannot_block_themselves_or_strangers_or_unblock_someone_they_never_blocked(ann, ben):
    assert refusal(blocks.block, ann, "ann") == (400, "yourself")
    assert refusal(blocks.block, ann, "nobody") == (404, "no_such_user")
    assert refusal(blocks.unblock, ann, "ben") == (404, "not_blocked")
