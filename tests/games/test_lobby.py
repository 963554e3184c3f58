from datetime import timedelta

import pytest
from django.utils import timezone

from clock import proposals
from core.problems import status_of
from core.refusals import Refused
from games.engine.errors import BadSetup, UnknownGame
from games.models import Invitation, Match, Phase, Seat
from games.selectors.loading import load_match
from games.services import invitations, lobby
from notifications.context import load
from notifications.letters import write
from notifications.letters.as_text import as_text
from notifications.models import Notification
from notifications.policy import Send, decide
from tests.games.builders import plan, play_some, player, running_match, sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def gathering(ann):
    return lobby.create(ann, plan(seats=3)).match


def refusal(call, *args, **kwargs):
    with pytest.raises(Refused) as refused:
        call(*args, **kwargs)
    return status_of(refused.value), refused.value.code


def phase(match):
    return Match.objects.get(pk=match.pk).phase


def test_a_new_match_seats_its_owner_and_publishes_the_hash_of_its_secret(ann, gathering):
    assert [seat.user for seat in gathering.seats.all()] == [ann]
    assert len(gathering.secret_hash) == 64
    assert gathering.secret_hash not in gathering.encrypted_secret


def test_default_options_are_filled_in_when_the_match_is_created(gathering):
    assert gathering.options == {"edition": "modern", "scoring": "brown", "games": None}


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"game": "chess"}, UnknownGame),
        ({"seats": 9}, BadSetup),
        ({"options": {"edition": "gold"}}, BadSetup),
        ({"seats": 2, "options": {"edition": "classic"}}, BadSetup),
    ],
)
def test_an_impossible_setup_is_refused_before_anything_is_stored(ann, changes, error):
    with pytest.raises(error):
        lobby.create(ann, plan(**changes))
    assert not Match.objects.exists()


def test_the_match_starts_when_the_last_player_joins(ben, gathering):
    lobby.join(gathering.id, ben)
    assert phase(gathering) == Phase.GATHERING
    table = lobby.join(gathering.id, player("cleo"))
    assert phase(gathering) == Phase.RUNNING
    assert sorted(seat.drawn for seat in table.seats) == [0, 1, 2]


def test_seats_are_drawn_from_the_seed():
    orders = {tuple(running_match().match.seating) for _ in range(20)}
    assert len(orders) > 1


def test_all_players_are_notified_of_the_start_and_the_first_ones_also_of_their_turn():
    table = running_match()
    kinds = sorted(
        Notification.objects.filter(match=table.match).exclude(kind="invitation").values_list("kind", flat=True)
    )
    assert kinds == ["match_started"] * 2 + ["your_turn"]


def test_nobody_can_join_twice_or_when_the_match_is_full(ben, gathering):
    lobby.join(gathering.id, ben)
    assert refusal(lobby.join, gathering.id, ben) == (409, "already_seated")
    lobby.join(gathering.id, player("cleo"))
    assert refusal(lobby.join, gathering.id, player("dora")) == (409, "not_gathering")


def test_a_player_can_leave_before_the_start_and_the_owner_can_cancel(ann, ben, gathering):
    lobby.join(gathering.id, ben)
    lobby.leave(gathering.id, ben)
    assert Seat.objects.count() == 1
    assert refusal(lobby.leave, gathering.id, ann) == (409, "owner_stays")
    lobby.cancel(gathering.id, ann)
    assert phase(gathering) == Phase.CANCELLED


def test_only_the_owner_can_cancel_or_start(ben, gathering):
    lobby.join(gathering.id, ben)
    assert refusal(lobby.cancel, gathering.id, ben) == (403, "not_the_owner")
    assert refusal(lobby.start, gathering.id, ben) == (403, "not_the_owner")


def test_the_owner_can_start_with_fewer_players_if_the_game_allows_it(ann, ben, gathering):
    with pytest.raises(BadSetup):
        lobby.start(gathering.id, ann)
    lobby.join(gathering.id, ben)
    table = lobby.start(gathering.id, ann)
    assert (table.match.phase, table.match.seat_count) == (Phase.RUNNING, 2)


def test_only_invited_users_can_see_a_private_match(ann, ben):
    private = lobby.create(ann, plan(is_private=True)).match
    assert refusal(lobby.join, private.id, ben) == (404, "no_such_match")
    invitations.invite(private.id, ann, "BEN")
    lobby.join(private.id, ben)
    assert Seat.objects.filter(match=private, user=ben).exists()


def test_declining_ends_access_to_a_private_match(ann, ben):
    private = lobby.create(ann, plan(is_private=True)).match
    invitations.invite(private.id, ann, "ben")
    invitations.decline(private.id, ben)
    assert refusal(lobby.join, private.id, ben) == (404, "no_such_match")
    assert refusal(invitations.decline, private.id, ben) == (404, "no_such_match")


def test_inviting_an_address_looks_the_same_with_or_without_an_account(ann, ben, gathering):
    known = invitations.invite(gathering.id, ann, "Ben@Example.org")
    unknown = invitations.invite(gathering.id, ann, "nobody@example.org")
    assert (known.user, unknown.user) == (None, None)
    assert list(Notification.objects.filter(kind="invitation").values_list("user", flat=True)) == [ben.pk, None]
    invitations.withdraw(gathering.id, ann, unknown.pk)
    assert invitations.invite(gathering.id, ann, "ben") != known


def test_joining_closes_invitations_by_name_and_by_address(ann, ben, gathering):
    by_name = invitations.invite(gathering.id, ann, "ben")
    by_address = invitations.invite(gathering.id, ann, "ben@example.org")
    assert invitations.claim(by_address.pk, ben) == by_address != by_name
    lobby.join(gathering.id, ben)
    assert not Invitation.objects.filter(answer="open").exists()


def test_invitations_to_an_unconfirmed_address_do_not_count(ann):
    private = lobby.create(ann, plan(is_private=True)).match
    invitations.invite(private.id, ann, "ben@example.org")
    pretender = player("ben")
    pretender.email_confirmed_at = None
    assert refusal(lobby.join, private.id, pretender) == (404, "no_such_match")


def test_an_invitation_stays_open_through_registration(ann):
    private = lobby.create(ann, plan(is_private=True)).match
    invitation = invitations.invite(private.id, ann, "new@example.org")
    newcomer = player("new")
    invitations.claim(invitation.pk, newcomer)
    lobby.join(private.id, newcomer)
    assert Invitation.objects.get().answer == "accepted"
    assert refusal(invitations.claim, invitation.pk, player("dora")) == (404, "no_such_invitation")


def test_inviting_twice_creates_one_invitation(ann, ben, gathering):
    assert invitations.invite(gathering.id, ann, "ben") == invitations.invite(gathering.id, ann, "ben")


def test_an_invalid_address_is_refused(ann, gathering):
    assert refusal(invitations.invite, gathering.id, ann, "nobody") == (404, "no_such_user")
    assert refusal(invitations.invite, gathering.id, ann, "@") == (400, "bad_address")
    assert refusal(invitations.invite, gathering.id, ann, "x@" + "ü" * 60 + ".org") == (400, "bad_address")
    assert refusal(invitations.invite, gathering.id, ann, "ann") == (409, "already_seated")


def test_matches_that_never_start_expire(gathering):
    assert lobby.expire(timezone.now()) == 0
    assert lobby.expire(timezone.now() + timedelta(days=31)) == 1
    assert phase(gathering) == Phase.EXPIRED


def test_players_are_notified_when_a_match_is_canceled(ann, ben, gathering):
    invitations.invite(gathering.id, ann, "ben")
    lobby.join(gathering.id, ben)
    lobby.cancel(gathering.id, ann)
    assert list(told_of_the_end(gathering)) == ["ben"]
    assert "The owner canceled it." in letter_to(ben)


def test_players_are_notified_when_a_match_expires(ann, ben, gathering):
    invitations.invite(gathering.id, ann, "ben")
    lobby.join(gathering.id, ben)
    lobby.expire(timezone.now() + timedelta(days=31))
    assert sorted(told_of_the_end(gathering)) == ["ann", "ben"]
    assert "Not enough players" in letter_to(ann)


def told_of_the_end(match):
    return Notification.objects.filter(match=match, kind="match_over").values_list("user__username", flat=True)


def letter_to(user):
    """Return the text of the newest email to a user, as it would be sent now."""
    (context,) = load([Notification.objects.filter(user=user).latest("created_at").pk])
    assert decide(context) == Send()
    return as_text(write(context))


def test_a_match_is_abandoned_only_when_all_players_agree():
    table = play_some(running_match(), 3)
    first, second, third = table.seats
    proposals.abandon(table.match.id, sitting(first), agreed=True)
    proposals.abandon(table.match.id, sitting(second), agreed=True)
    proposals.abandon(table.match.id, sitting(first), agreed=False)
    proposals.abandon(table.match.id, sitting(third), agreed=True)
    assert phase(table.match) == Phase.RUNNING
    proposals.abandon(table.match.id, sitting(first), agreed=True)
    assert phase(table.match) == Phase.ABANDONED
    assert not any(seat.awaited_since for seat in load_match(table.match.id).seats)


def test_the_seat_of_a_deleted_account_belongs_to_a_departed_player():
    table = running_match()
    sitting(table.seats[0]).delete()
    assert load_match(table.match.id).names[0] == "departed player"
