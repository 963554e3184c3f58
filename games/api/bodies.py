"""What can be sent, field by field."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.validators import validate_printable
from games import pace
from games.reading import LISTS
from games.talk import LONGEST_MESSAGE, LONGEST_NOTE

HIGHEST_TURN = 2**31 - 1
LONGEST_NOTATION = 500


class Body(serializers.Serializer[Any]):
    """A field that is not known is refused: `privat: true` must not make an open match."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            known = ", ".join(self.fields) or "none"
            raise serializers.ValidationError({str(name)[:40]: [f"Unknown; fields are: {known}."] for name in unknown})
        return super().to_internal_value(data)


class NoBody(Body):
    pass


class SaltField(serializers.CharField):
    def __init__(self, **settings: Any) -> None:
        super().__init__(
            max_length=64,
            required=False,
            allow_null=True,
            validators=[validate_printable],
            help_text="Your share in the match's randomness, of any form; left out, the server makes one.",
            **settings,
        )


@extend_schema_field(
    {
        "oneOf": [{"type": "string", "pattern": r"^[1-9][0-9]{0,4}[mhd]$"}, {"type": "integer"}],
        "description": "Time for a move: seconds, or like 90m, 24h, 7d; from 5 minutes to 60 days.",
        "example": "72h",
    }
)
class PaceField(serializers.Field[timedelta, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> timedelta:
        if isinstance(data, bool) or not isinstance(data, int | str):
            raise serializers.ValidationError("Write a number of seconds, or like 90m, 24h or 7d.")
        try:
            return pace.read(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class NewMatch(Body):
    game = serializers.CharField(max_length=40, help_text="A slug from the list of games.")
    seats = serializers.IntegerField(min_value=1, max_value=20)
    options = serializers.DictField(required=False, default=dict)
    pace = PaceField(required=False, default=timedelta(hours=72))
    private = serializers.BooleanField(required=False, default=False)
    title = serializers.CharField(
        max_length=80, required=False, default="", allow_blank=True, validators=[validate_printable]
    )
    salt = SaltField()


class Joining(Body):
    salt = SaltField()


class Whom(Body):
    whom = serializers.CharField(max_length=254, help_text="A user name or an e-mail address.")


class Agreement(Body):
    agree = serializers.BooleanField()


class Said(Body):
    text = serializers.CharField(max_length=LONGEST_MESSAGE)


class Noted(Body):
    text = serializers.CharField(max_length=LONGEST_NOTE, allow_blank=True, trim_whitespace=False)


@extend_schema_field(
    {
        "oneOf": [{"type": "string", "maxLength": LONGEST_NOTATION}, {"type": "object", "additionalProperties": {}}],
        "description": "The move in notation, or in its JSON form; the choices list both.",
        "example": "take 2",
    }
)
class MoveField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        if isinstance(data, str) and len(data) <= LONGEST_NOTATION:
            return data
        if isinstance(data, dict):
            return data
        raise serializers.ValidationError(f"Write the move as text of up to {LONGEST_NOTATION} letters, or as JSON.")


class MoveMade(Body):
    move = MoveField()
    turn = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=HIGHEST_TURN,
        help_text="The turn you decided on; or send the match's ETag as If-Match.",
    )


class MatchesQuery(serializers.Serializer[Any]):
    which = serializers.ChoiceField(choices=list(LISTS), default="mine")


class LogQuery(serializers.Serializer[Any]):
    since = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_TURN, default=0, help_text="Only events with higher numbers."
    )


class MovesQuery(serializers.Serializer[Any]):
    dry_run = serializers.BooleanField(default=False, help_text="Only tell what would happen.")
