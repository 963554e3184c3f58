"""Request bodies and query parameters."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.validators import validate_name
from core.api import StrictSerializer
from core.field_messages import ChoiceField
from games.bots import LEVELS
from games.engine.fairness import HASH, SALT
from games.engine.orders import LONGEST_LINE
from games.models import Absent, Salts, pace
from games.models.pace import Pace
from games.selectors.lists import LISTS
from games.services.chat import LONGEST_MESSAGE, LONGEST_NOTE, LONGEST_REASON
from games.services.orders import MOST_LINES
from games.services.seats import USUAL_LEVEL

HIGHEST_TURN = 2**31 - 1
LONGEST_NOTATION = 500
MOST_BOARDS = 50
LONGEST_THINK = 10
"""In seconds. All bots in a match decide in one job, which must end before its lease expires."""


class SaltField(serializers.RegexField):
    def __init__(self, **settings: Any) -> None:
        super().__init__(
            rf"^{SALT.pattern}$",
            required=False,
            trim_whitespace=False,
            help_text="Your contribution to the match's randomness: 1 to 64 printable ASCII characters. "
            "If you leave it out, the server makes one, which does not protect you if the server is dishonest.",
            **settings,
        )


class CommitmentField(serializers.RegexField):
    def __init__(self, **settings: Any) -> None:
        super().__init__(
            rf"^{HASH.pattern}$",
            required=False,
            help_text="The hash of your salt, if the match has committed salts.",
            **settings,
        )


class LevelField(serializers.CharField):
    """A bot's level. It is not a choice field, because games.bots already rejects unknown levels."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            max_length=20,
            required=False,
            default=USUAL_LEVEL,
            help_text=f"How well the bots play: {', '.join(LEVELS)}.",
            **settings,
        )


TIME = {"oneOf": [{"type": "string", "pattern": pace.WRITTEN_TIME}, {"type": "integer"}]}


@extend_schema_field(
    {
        "oneOf": [
            *TIME["oneOf"],
            {
                "type": "object",
                "required": ["move_time"],
                "properties": {
                    "move_time": TIME,
                    "bank": TIME,
                    "weekends_off": {"type": "boolean"},
                    "patience": {"type": "integer", "minimum": 1, "maximum": pace.MOST_PATIENCE},
                },
                "additionalProperties": False,
            },
        ],
        "description": "The time for each move: 90m, 24h, 7d or a number of seconds, from one minute to 60 days. "
        f"{', '.join(pace.PRESETS)} also set a time bank. To set each part yourself, send an object.",
        "example": "72h",
    }
)
class PaceField(serializers.Field[Pace, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> Pace:
        try:
            return pace.read(data)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


def usual_pace() -> Pace:
    return pace.DEFAULT


class NewMatch(StrictSerializer):
    # Must have the same fields as lobby.Plan.
    game = serializers.CharField(max_length=40, help_text="The game's slug.")
    seats = serializers.IntegerField(
        source="seat_count",
        min_value=1,
        max_value=20,
        required=False,
        help_text="Number of players. If the match begins with bots, you can leave it out to play only against them.",
    )
    options = serializers.DictField(required=False, default=dict)
    pace = PaceField(required=False, default=usual_pace)
    private = serializers.BooleanField(source="is_private", required=False, default=False)
    title = serializers.CharField(
        max_length=80, required=False, default="", allow_blank=True, validators=[validate_name]
    )
    salts = ChoiceField(
        choices=Salts.choices,
        required=False,
        default=Salts.OPEN,
        help_text="Whether players send their salts when they join, or commit to them and reveal them later.",
    )

    bots = serializers.IntegerField(
        min_value=0, max_value=20, required=False, default=0, help_text="How many seats bots take."
    )
    level = LevelField()
    bots_allowed = serializers.BooleanField(
        source="allows_bots",
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether bots and bot accounts can take seats. Default: only if the match begins with bots.",
    )
    absent = ChoiceField(
        choices=Absent.choices,
        required=False,
        default=Absent.BOT,
        help_text="Who moves for a player who is late or away: a bot, or Turnpost with a minimal move.",
    )
    think = serializers.IntegerField(
        min_value=1,
        max_value=LONGEST_THINK,
        required=False,
        allow_null=True,
        default=None,
        help_text="How long a hard bot may think about a move, in seconds. It stops early if one move is clearly "
        "best. Default: set by the server.",
    )
    salt_follows = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether a match against bots waits for your salt (PUT …/salt) before it starts.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Without a number of seats, the owner plays only against bots."""
        if "seat_count" not in attrs and not attrs["bots"]:
            raise serializers.ValidationError({"seats": ["This field is required if there are no bots."]})
        return {"seat_count": attrs["bots"] + 1} | attrs


class NewBots(StrictSerializer):
    bots = serializers.IntegerField(
        min_value=1, max_value=20, required=False, allow_null=True, default=None, help_text="Default: all free seats."
    )
    level = LevelField()


class SaltShare(StrictSerializer):
    salt = SaltField()
    commitment = CommitmentField()


class NewInvitation(StrictSerializer):
    invitee = serializers.CharField(max_length=254, help_text="A username or an email address.")


class Agreement(StrictSerializer):
    agree = serializers.BooleanField()


class NewMessage(StrictSerializer):
    text = serializers.CharField(max_length=LONGEST_MESSAGE)


class NewReport(StrictSerializer):
    reason = serializers.CharField(
        max_length=LONGEST_REASON, allow_blank=True, default="", help_text="What is wrong with the message."
    )


class Muted(StrictSerializer):
    muted = serializers.BooleanField()


class NewOrders(StrictSerializer):
    orders = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_LINE),
        max_length=MOST_LINES,
        help_text="One order per item. The first one that applies is played. The response shows how to write orders.",
    )


class NewNote(StrictSerializer):
    text = serializers.CharField(max_length=LONGEST_NOTE, allow_blank=True, trim_whitespace=False)


@extend_schema_field(
    {
        "oneOf": [{"type": "string", "maxLength": LONGEST_NOTATION}, {"type": "object", "additionalProperties": {}}],
        "description": "The move as text or as JSON; the list of choices shows both.",
        "example": "take 2",
    }
)
class MoveField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> str | dict[str, Any]:
        if isinstance(data, str) and len(data) <= LONGEST_NOTATION:
            return data
        if isinstance(data, dict):
            return data
        raise serializers.ValidationError(
            f"Send the move as text of up to {LONGEST_NOTATION} characters, or as a JSON object."
        )


class NewMove(StrictSerializer):
    move = MoveField()
    turn = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=HIGHEST_TURN,
        help_text="The turn you are moving on. You can send the match's ETag as If-Match instead.",
    )


class MatchesQuery(serializers.Serializer[Any]):
    which = ChoiceField(choices=list(LISTS), default="mine")


class LogQuery(serializers.Serializer[Any]):
    since = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_TURN, default=0, help_text="Return only events after the one with this number."
    )


class UpdatesQuery(serializers.Serializer[Any]):
    events = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_TURN, default=0, help_text="Return only events after the one with this number."
    )
    messages = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_TURN, default=0, help_text="The last `message_count` that you received."
    )


class BoardsQuery(serializers.Serializer[Any]):
    since = serializers.IntegerField(
        min_value=0, max_value=HIGHEST_TURN, default=0, help_text="Return only the boards of turns after this one."
    )
    limit = serializers.IntegerField(min_value=1, max_value=MOST_BOARDS, default=MOST_BOARDS)


class MovesQuery(serializers.Serializer[Any]):
    dry_run = serializers.BooleanField(default=False, help_text="Preview the move without playing it.")
