"""Endpoint that returns everything a player needs to know before the next move."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from accounts.authentication import caller
from accounts.models import User
from core.api import PublicView, read_query, respond
from games import shapes
from games.api import bodies
from games.api.examples import UPDATES
from games.models import Event, Phase
from games.selectors import access, lists, match_log, presenters
from games.selectors.loading import LoadedMatch
from games.services import visits

MOST_EVENTS = 200
MOST_MESSAGES = 50


class Updates(PublicView):
    @extend_schema(parameters=[bodies.UpdatesQuery], responses=shapes.Updates, examples=[UPDATES])
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Get a match and what is new in it.

        The response contains the match, your possible moves, and the events and messages that are new to you. As
        `events`, send the number of the last event you have. As `messages`, send the last `message_count` you received.
        """
        query, user = read_query(bodies.UpdatesQuery, request), caller(request)
        loaded = access.visible_match(match_id, user)
        own = loaded.seat_of(user.pk if user else None)
        extras = lists.player_extras(loaded, user)
        messages = new_messages(loaded, user, extras.message_count, query["messages"]) if user and own else []
        latest = new_events(loaded, query["events"])
        updates = shapes.Updates(
            match=presenters.match(loaded, user, extras),
            choices=presenters.choices(loaded, own) if own and loaded.match.phase == Phase.RUNNING else None,
            events=[presenters.event(one, loaded, own) for one in latest],
            messages=messages,
        )
        visits.record(loaded, user)
        return respond(updates)


def new_events(loaded: LoadedMatch, known: int) -> list[Event]:
    """Return the latest events, but none that happened after the match was loaded."""
    last = loaded.match.events_made
    return match_log.events(loaded, after=max(known, last - MOST_EVENTS), before=last + 1) if known < last else []


def new_messages(loaded: LoadedMatch, user: User, count: int, known: int) -> list[shapes.Message]:
    """Return the latest messages, and record that the player has read them."""
    if count <= known:
        return []
    latest = lists.messages_in(loaded, user).order_by("-id")[: min(count - known, MOST_MESSAGES)]
    visits.read_messages(loaded.match.id, user)
    return [presenters.message(one) for one in latest]
