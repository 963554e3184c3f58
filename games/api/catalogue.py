"""The games there are."""

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from core.api import PublicView, answer
from core.openapi import answered
from games.api import shapes
from games.api.examples import GAME
from games.engine.registry import engine, engines
from games.selectors import presenters

WITH_SCHEMAS = GAME | {"schemas": {"move": {"anyOf": []}, "event": {"anyOf": []}, "view": {"type": "object"}}}
RULES = {"slug": "coloretto", "title": "Coloretto", "markdown": "# Coloretto\n\n…"}


class Games(PublicView):
    @extend_schema(operation_id="games_list", responses=shapes.Game(many=True), examples=[answered("One", GAME)])
    def get(self, request: Request) -> HttpResponse:
        """All games with their options, seats and notation."""
        return answer([presenters.game(game) for game in engines()])


class OneGame(PublicView):
    @extend_schema(responses=shapes.GameWithSchemas, examples=[answered("With schemas", WITH_SCHEMAS)])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """One game, with the JSON forms of its moves, events and views."""
        game = engine(slug)
        return answer({**presenters.game(game), "schemas": presenters.schemas(game)})


class Rules(PublicView):
    @extend_schema(responses=shapes.Rules, examples=[answered("Cut short", RULES)])
    def get(self, request: Request, slug: str) -> HttpResponse:
        """The rules of a game as players read them."""
        game = engine(slug)
        return answer({"slug": game.slug, "title": game.title, "markdown": game.rules_page()})
