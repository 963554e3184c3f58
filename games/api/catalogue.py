"""Endpoints for the list of games and their rules."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from core.api import PublicView, respond
from core.openapi import response_example
from games import shapes
from games.api.examples import GAME
from games.engine.registry import engine, engines
from games.selectors import presenters

WITH_SCHEMAS = GAME | {"schemas": {"move": {"anyOf": []}, "event": {"anyOf": []}, "view": {"type": "object"}}}
RULES = {"slug": "coloretto", "title": "Coloretto", "markdown": "# Coloretto\n\n…"}


class Games(PublicView):
    @extend_schema(responses=list[shapes.Game], examples=[response_example("One game", GAME)])
    def get(self, request: Request) -> HttpResponse:
        """List the games.

        Each game comes with its options, player counts and notation.
        """
        return respond([presenters.game(game) for game in engines()])


class OneGame(PublicView):
    @extend_schema(responses=shapes.GameWithSchemas, examples=[response_example("With schemas", WITH_SCHEMAS)])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Get a game.

        The response includes the JSON schemas of its moves, events and views."""
        return respond(presenters.game_with_schemas(engine(slug)))


class Rules(PublicView):
    @extend_schema(responses=shapes.Rules, examples=[response_example("Shortened", RULES)])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Get a game's rules.

        They are in Markdown and written for players.
        """
        game = engine(slug)
        return respond(shapes.Rules(slug=game.slug, title=game.title, markdown=game.rules_page()))
