"""Endpoint for everything that needs a user's attention besides their turns."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from clock import proposals, shapes
from core.api import respond
from core.openapi import response_example
from games.api.examples import SUMMARY
from games.selectors import lists, presenters

MOST_INVITATIONS = 200
INBOX = {
    "invitations": [SUMMARY],
    "unread": [{"match": "k7m2x9q4a", "messages": 2}],
    "proposals": [{"match": "k7m2x9q4a", "proposals": 1}],
    "offers": [{"match": "p3n5z8w2c", "proposal": 12}],
}


class Inbox(APIView):
    @extend_schema(responses=shapes.Inbox, examples=[response_example("One of each", INBOX)])
    def get(self, request: Request) -> HttpResponse:
        """List what is waiting for you besides your turns.

        This includes invitations, messages you haven't read, proposals you haven't voted on, and seats you have been
        offered.
        """
        user = user_in(request)
        invited = [row.match for row in lists.invited(user).order_by("-id")[:MOST_INVITATIONS]]
        votes = proposals.waiting_for_vote(lists.mine(user))
        return respond(
            shapes.Inbox(
                invitations=[presenters.summary(match, match.seats.all(), user) for match in invited],
                unread=[shapes.Unread(match, count) for match, count in sorted(lists.unread_messages(user).items())],
                proposals=[shapes.OpenProposals(match, count) for match, count in sorted(votes.items())],
                offers=[shapes.SeatOffer(one.match_id, one.pk) for one in proposals.seats_offered_to(user)],
            )
        )
