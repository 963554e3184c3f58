"""Endpoints for listing, giving, changing and withdrawing standing orders."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.authentication import user_in
from core.api import NoBody, read_body, respond
from core.openapi import refuses, request_example, response_example
from games import shapes
from games.api import bodies
from games.api.examples import ORDERS
from games.selectors import access
from games.selectors.orders import presented
from games.services import orders

LINES = {"orders": ["take any worth 5", "else draw"]}


class Orders(APIView):
    @extend_schema(responses=shapes.StandingOrders, examples=[response_example("Two orders", ORDERS)])
    @refuses(403)
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """List your standing orders in a match.

        Nobody else can see your orders. `language` shows how to write them.
        """
        user = user_in(request)
        loaded = access.visible_match(match_id, user)
        return respond(presented(loaded, access.own_seat(loaded, user)))

    @extend_schema(
        request=bodies.NewOrders,
        responses=shapes.StandingOrders,
        examples=[request_example("Two orders", LINES), response_example("Two orders", ORDERS)],
    )
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Add standing orders below your existing ones.

        Whenever it is your turn, the first order that applies is played for you. If it is already your turn, this
        happens immediately.
        """
        lines = read_body(bodies.NewOrders, request)["orders"]
        return respond(orders.add_orders(match_id, user_in(request), lines))

    @extend_schema(
        request=bodies.NewOrders,
        responses=shapes.StandingOrders,
        examples=[request_example("Two orders", LINES), response_example("Two orders", ORDERS)],
    )
    @refuses(403, 409)
    def put(self, request: Request, match_id: str) -> HttpResponse:
        """Replace all your standing orders in a match.

        An empty list withdraws them.
        """
        lines = read_body(bodies.NewOrders, request)["orders"]
        return respond(orders.replace_orders(match_id, user_in(request), lines))


class OneOrder(APIView):
    @extend_schema(responses=shapes.StandingOrders, examples=[response_example("Two orders left", ORDERS)])
    @refuses(403, 409)
    def delete(self, request: Request, match_id: str, number: int) -> HttpResponse:
        """Withdraw one of your standing orders."""
        return respond(orders.withdraw_order(match_id, user_in(request), number))


class Resume(APIView):
    @extend_schema(request=None, responses=shapes.StandingOrders, examples=[response_example("Two orders", ORDERS)])
    @refuses(403, 409)
    def post(self, request: Request, match_id: str) -> HttpResponse:
        """Resume your standing orders after they have stopped."""
        read_body(NoBody, request)
        return respond(orders.resume_orders(match_id, user_in(request)))
