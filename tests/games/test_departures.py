"""Matches are updated when users register or delete their accounts."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from clock import proposals
from clock.models import ProposalKind, ProposalStatus
from clock.sweep import sweep
from games.models import Invitation, Match, Move, Phase, Seat
from games.models.invitation import Answer
from games.selectors.loading import load_match
from games.services import chat, invitations, lobby
from notifications.models import Notification
from tests.accounts.builders import PASSWORD, applicant, last_part, mail_to
from tests.clock.voting import propose, vote
from tests.games.builders import awaited, plan, play_some, player, running_match, send, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def delete(api, user):
    user.set_password(PASSWORD)
    user.save()
    assert api(user).post("/api/v1/me/deletion", {"password": PASSWORD}).status_code == 204


class TestAnInvitedStranger:
    def arrive(self, api, token, email="ben@example.org"):
        api().post("/api/v1/registrations", applicant(username="ben", email=email, invitation=token))
        link = last_part(mail_to(email).facts["link"])
        assert api().post("/api/v1/registrations/confirm", {"token": link, "password": PASSWORD}).status_code == 200
        return User.objects.get(username="ben")

    def invited(self, **changes):
        table = lobby.create(player("ann"), plan(seats=2, is_private=True))
        return table.match.id, invitations.invite(table.match.id, player("ann"), "ben@home.example")

    def test_a_new_player_finds_the_invitation_after_registering_with_another_address(self, api):
        match_id, invitation = self.invited()
        ben = self.arrive(api, invitations.invitation_token(invitation.pk))
        assert lobby.join(match_id, ben).match.phase == Phase.RUNNING

    @pytest.mark.parametrize("token", ["nonsense", ""])
    def test_a_new_player_gets_an_account_even_if_the_link_was_invalid(self, api, token):
        self.arrive(api, token)

    def test_a_new_player_gets_an_account_even_if_the_invitation_has_expired(self, api):
        _, invitation = self.invited()
        Invitation.objects.update(answer=Answer.WITHDRAWN)
        self.arrive(api, invitations.invitation_token(invitation.pk))


class TestADepartingPlayer:
    def test_a_departing_player_leaves_a_match_that_has_not_started(self, api):
        match_id = lobby.create(player("ann"), plan(seats=3)).match.id
        lobby.join(match_id, player("ben"))
        delete(api, player("ben"))
        assert [sitting(seat).username for seat in load_match(match_id).seats] == ["ann"]

    def test_a_departing_player_cancels_their_own_match_that_has_not_started(self, api):
        match_id = lobby.create(player("ann"), plan(seats=3)).match.id
        lobby.join(match_id, player("ben"))
        delete(api, player("ann"))
        assert Match.objects.get(pk=match_id).phase == Phase.CANCELLED

    def test_a_departed_players_seat_is_due_immediately(self, api):
        table = running_match(seats=3)
        awaited = Seat.objects.get(match=table.match, awaited_since__isnull=False)
        delete(api, awaited.user)
        awaited.refresh_from_db()
        assert awaited.user is None
        assert not_none(awaited.wake_at) <= timezone.now()

    def test_the_next_player_is_notified_after_the_move_for_a_departed_player(self, api):
        table = running_match(seats=3)
        gone = awaited(table)
        delete(api, gone.user)
        sweep()
        asked = awaited(load_match(table.match.id))
        assert asked.number != gone.number
        assert Notification.objects.filter(user=asked.user, kind="your_turn", turn=asked.asked_turn).exists()

    def test_a_departed_player_no_longer_keeps_the_others_from_abandoning_the_match(self, api):
        table = running_match(seats=3)
        first, second, third = (seat.user for seat in table.seats)
        proposals.abandon(table.match.id, not_none(first), agreed=True)
        proposals.abandon(table.match.id, not_none(second), agreed=True)
        delete(api, third)
        assert Match.objects.get().phase == Phase.ABANDONED
        told = Notification.objects.filter(kind="match_over").values_list("user", flat=True)
        assert sorted(told) == sorted([not_none(first).pk, not_none(second).pk])

    def test_a_departed_player_no_longer_blocks_a_pause(self, api):
        table = running_match(seats=3)
        proposal = propose(table, 0, ProposalKind.PAUSE, time=timedelta(days=2))
        vote(table, 1, proposal)
        delete(api, table.seats[2].user)
        proposal.refresh_from_db()
        assert proposal.status == ProposalStatus.AGREED
        assert load_match(table.match.id).match.paused_until

    def test_invitations_to_a_departed_players_address_are_deleted(self, api):
        match_id = lobby.create(player("ann"), plan(seats=3)).match.id
        player("ben")
        invitations.invite(match_id, player("ann"), "ben@example.org")
        delete(api, player("ben"))
        assert not Invitation.objects.exists()


class TestTheExport:
    def of(self, api, user):
        return api(user).get("/api/v1/me/export").json()

    def test_the_export_contains_everything_stored_about_the_users_matches(self, api):
        table = play_some(running_match(seats=3, title="Sundays"), 6)
        ann = player("ann")
        chat.post_message(table.match.id, ann, "Good luck!")
        chat.write_note(table.match.id, ann, "Ben collects brown.")
        exported = self.of(api, ann)
        [match] = exported["matches"]
        assert (match["match"], match["title"], match["salt"]) == (table.match.id, "Sundays", "salt of ann")
        assert len(match["moves"]) == Move.objects.filter(seat=match["seat"]).count() > 0
        assert [message["text"] for message in exported["messages"]] == ["Good luck!"]
        assert [note["text"] for note in exported["notes"]] == ["Ben collects brown."]
        assert (
            {notification["kind"] for notification in exported["notifications"]}
            == set(Notification.objects.filter(user=ann).values_list("kind", flat=True))
            != set()
        )

    def test_the_export_contains_only_the_users_own_sealed_moves(self, api, hush):
        table = running_match(hush.slug, seats=3)
        for seat, number in zip(table.seats, (3, 5), strict=False):
            send(table.match.id, seat.user, f"name {number}", table.match.turn)
        moves = [self.of(api, seat.user)["matches"][0]["moves"] for seat in table.seats]
        assert [[(move["sealed"], move["move"]["number"]) for move in made] for made in moves] == [
            [(True, 3)],
            [(True, 5)],
            [],
        ]

    def test_the_export_does_not_contain_other_peoples_messages(self, api):
        table = running_match(seats=3)
        chat.post_message(table.match.id, player("ben"), "A word of Ben's")
        chat.write_note(table.match.id, player("ben"), "A note of Ben's")
        assert "of Ben's" not in json.dumps(self.of(api, player("ann")))

    def test_the_export_does_not_reveal_whose_address_was_invited(self, api):
        match_id = lobby.create(player("ann"), plan(seats=3)).match.id
        invitation = invitations.invite(match_id, player("ann"), "ben@example.org")
        invitations.claim(invitation.pk, player("ben"))
        [told_to_host] = self.of(api, player("ann"))["invitations"]
        [told_to_guest] = self.of(api, player("ben"))["invitations"]
        assert (told_to_host["address"], told_to_host["invited"]) == ("ben@example.org", None)
        assert told_to_guest["invited"] == "ben"

    def test_the_export_does_not_reveal_the_address_a_used_link_was_sent_to(self, api):
        match_id = lobby.create(player("ann"), plan(seats=3)).match.id
        invitation = invitations.invite(match_id, player("ann"), "grandma@example.net")
        invitations.claim(invitation.pk, player("ben"))
        [told] = self.of(api, player("ben"))["invitations"]
        assert (told["invited"], told["address"]) == ("ben", "")
