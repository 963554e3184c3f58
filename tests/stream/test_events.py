"""Events are written to the streams of the right users."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from accounts import blocks
from clock import proposals, resignations, sweep, vacations
from clock.models import Heartbeat, ProposalKind
from clock.proposal_rules import ProposalRequest
from games.models import Message
from games.selectors.loading import load_match
from games.services import chat, invitations, lobby
from stream import store
from stream.models import StreamEvent
from tests.games.builders import awaited, plan, play_some, player, running_match, say, send, sitting
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def told(user):
    """Return the kinds of a user's events, and then delete the events."""
    events = StreamEvent.objects.filter(user=user).order_by("id")
    kinds = [event.kind for event in events]
    events.delete()
    return kinds


def forget():
    StreamEvent.objects.all().delete()


def test_players_get_events_about_the_start_and_their_turn():
    table = running_match(seats=2)
    mover = awaited(table)
    waiting = next(seat for seat in table.seats if seat is not mover)
    assert [kind for kind in told(sitting(mover)) if kind != "invitation"] == ["match_started", "your_turn"]
    assert [kind for kind in told(sitting(waiting)) if kind != "invitation"] == ["match_started"]


def test_every_player_gets_an_event_about_a_move_and_the_next_player_also_gets_one_about_their_turn():
    table = running_match(seats=2)
    mover = awaited(table)
    waiting = next(seat for seat in table.seats if seat is not mover)
    say(table, mover.number, "draw")
    forget()
    say(table, mover.number, "place 1")
    assert told(sitting(mover)) == ["move_made"]
    made, turn = StreamEvent.objects.filter(user=sitting(waiting)).order_by("id")
    assert (made.kind, made.match, made.turn, made.data) == ("move_made", table.match.id, 3, {"seat": mover.number})
    deadline = not_none(load_match(table.match.id).seats[waiting.drawn].deadline)
    assert (turn.kind, turn.data) == ("your_turn", {"deadline": deadline.isoformat().replace("+00:00", "Z")})


def test_a_refused_move_causes_no_event():
    table = running_match(seats=2)
    forget()
    assert send(table.match.id, sitting(awaited(table)), "place 1", table.match.turn).status == 409
    assert not StreamEvent.objects.exists()


def test_only_the_player_gets_an_event_about_a_replaced_sealed_move(hush):
    table = running_match("hush", 2)
    owner, rival = table.seats
    one, other = [table.engine.notation(move) for move in table.engine.choices(table.state, owner.drawn).moves[:2]]
    forget()
    say(table, owner.number, one)
    assert (told(sitting(owner)), told(sitting(rival))) == (["move_made"], ["move_made"])
    say(table, owner.number, other)
    assert (told(sitting(owner)), told(sitting(rival))) == (["move_made"], [])


def test_every_player_gets_an_event_about_the_end():
    table = running_match(seats=2)
    play_some(table)
    for seat in table.seats:
        last = StreamEvent.objects.filter(user=sitting(seat)).latest("id")
        assert (last.kind, last.data) == ("match_over", {"phase": "finished"})


def test_players_get_an_event_about_a_canceled_match():
    ann, ben = player("ann"), player("ben")
    match_id = lobby.create(ann, plan(seats=3)).match.id
    lobby.join(match_id, ben)
    lobby.cancel(match_id, ann)
    (event,) = StreamEvent.objects.filter(user=ben)
    assert (event.kind, event.turn, event.data) == ("match_over", None, {"phase": "cancelled"})


def test_every_player_gets_an_event_about_a_message_unless_they_blocked_its_author():
    table = running_match(seats=3)
    author, other, blocking = [sitting(seat) for seat in table.seats]
    blocks.block(blocking, author.username)
    forget()
    chat.post_message(table.match.id, author, "Good luck!")
    assert (told(other), told(blocking)) == (["message"], [])
    (own,) = StreamEvent.objects.filter(user=author)
    assert own.data == {"message": Message.objects.get().pk}


def test_an_invitation_by_name_or_address_reaches_the_account():
    ann, ben, cleo = player("ann"), player("ben"), player("cleo")
    match_id = lobby.create(ann, plan(seats=5)).match.id
    for invitee in ("ben", "cleo@example.org", "nobody@example.org"):
        invitations.invite(match_id, ann, invitee)
    assert (told(ben), told(cleo), told(ann)) == (["invitation"], ["invitation"], [])


def test_an_invitation_from_a_blocked_user_causes_no_event():
    ann, cleo = player("ann"), player("cleo")
    blocks.block(cleo, "ann")
    invitations.invite(lobby.create(ann, plan(seats=5)).match.id, ann, "cleo@example.org")
    assert told(cleo) == []


def test_proposals_and_resignations_and_new_deadlines_cause_events():
    table = running_match(seats=2)
    mover = awaited(table)
    other = next(seat for seat in table.seats if seat is not mover)
    forget()
    request = ProposalRequest(ProposalKind.EXTENSION, seat=mover.number, time=timedelta(days=2))
    _, proposal = proposals.propose(table.match.id, sitting(mover), request)
    assert told(sitting(other)) == ["proposal"]
    forget()
    proposals.vote(table.match.id, sitting(other), proposal.pk, agreed=True)
    assert told(sitting(mover)) == ["deadline_changed", "proposal"]
    forget()
    resignations.resign(table.match.id, sitting(other))
    assert "resigned" in told(sitting(mover))


def test_a_vacation_that_moves_the_deadline_causes_an_event(django_capture_on_commit_callbacks):
    table = running_match(seats=2)
    user = sitting(awaited(table))
    forget()
    with django_capture_on_commit_callbacks(execute=True):
        tomorrow = vacations.today(user) + timedelta(days=1)
        vacations.plan(user, tomorrow, tomorrow + timedelta(days=1))
    assert told(user) == ["deadline_changed"]


def test_reminders_and_missed_deadlines_cause_events():
    table = running_match(seats=2)
    mover = awaited(table)
    other = next(seat for seat in table.seats if seat is not mover)
    began = timezone.now()
    forget()
    for hours, kind, user in ((37, "reminder", sitting(mover)), (73, "deadline_passed", sitting(other))):
        with time_machine.travel(began + timedelta(hours=hours), tick=False):
            Heartbeat.objects.update(at=timezone.now())
            sweep.sweep()
            assert kind in told(user)


def test_event_numbers_continue_after_old_events_are_deleted():
    table = play_some(running_match(seats=2), 4)
    user = sitting(table.seats[0])
    store.number_new()
    last = not_none(store.last_event(user.pk))
    number = not_none(last.number)
    store.forget_old(timezone.now() + store.KEPT + timedelta(seconds=1))
    assert list(StreamEvent.objects.filter(user=user)) == [last]
    play_some(table, 1)
    store.number_new()
    assert store.events_after(user.pk, number)[0].number == number + 1


def test_recent_events_are_kept():
    play_some(running_match(seats=2), 4)
    before = StreamEvent.objects.count()
    assert store.forget_old(timezone.now() + store.KEPT - timedelta(hours=1)) == 0
    assert StreamEvent.objects.count() == before
