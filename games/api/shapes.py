"""What is answered, as the API document describes it. The values are made in games.selectors.presenters."""

from typing import Any

from rest_framework import serializers

from games.models import Phase

Shape = serializers.Serializer[Any]


class Player(Shape):
    username = serializers.CharField()
    name = serializers.CharField()


class Notation(Shape):
    example = serializers.CharField()
    meaning = serializers.CharField()


class Game(Shape):
    slug = serializers.CharField()
    title = serializers.CharField()
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="How many can play.")
    options = serializers.DictField(help_text="A JSON schema with defaults.")
    notation = Notation(many=True)
    rules_url = serializers.CharField()


class GameWithSchemas(Game):
    schemas = serializers.DictField(help_text="JSON schemas of move, event and view.")


class Rules(Shape):
    slug = serializers.CharField()
    title = serializers.CharField()
    markdown = serializers.CharField()


class SeatShape(Shape):
    seat = serializers.IntegerField(allow_null=True, help_text="Drawn by lot when the match starts; null before.")
    player = Player(allow_null=True, help_text="null is a departed player.")
    awaited = serializers.BooleanField()
    awaited_since = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True)
    bank = serializers.IntegerField(help_text="Seconds left for moves that take longer than the pace allows.")
    stand_in = serializers.BooleanField(help_text="Nobody plays this seat now: harmless moves are made for it.")
    points = serializers.IntegerField(allow_null=True)
    place = serializers.IntegerField(allow_null=True)


class PaceShape(Shape):
    move_time = serializers.IntegerField(help_text="Seconds for a move.")
    bank = serializers.IntegerField(help_text="Seconds a player has on top, for the whole match.")
    weekends_off = serializers.BooleanField(help_text="Saturdays and Sundays in the player's zone do not count.")
    patience = serializers.IntegerField(help_text="Time-outs in a row until a stand-in takes the seat.")


class MatchSummary(Shape):
    id = serializers.CharField()
    game = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    options = serializers.DictField()
    private = serializers.BooleanField()
    phase = serializers.ChoiceField(choices=Phase.choices)
    owner = Player(allow_null=True)
    pace = PaceShape()
    paused_until = serializers.DateTimeField(allow_null=True, help_text="The end of the latest agreed pause.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True, help_text="When it ends if it has not started by then.")
    seats_wanted = serializers.IntegerField()
    seats = SeatShape(many=True)
    joined = serializers.BooleanField(help_text="Whether you sit in it.")
    you = serializers.IntegerField(allow_null=True, help_text="Your seat, once it is drawn.")
    turn = serializers.IntegerField(help_text="0 before the start; goes up when something everybody sees changes.")
    awaiting = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that must act.")


class InvitationShape(Shape):
    number = serializers.IntegerField()
    player = Player(allow_null=True, help_text="null for an invitation by e-mail.")
    email = serializers.CharField(allow_null=True, help_text="Shown to whoever typed it.")
    invited_by = Player(allow_null=True)
    made_at = serializers.DateTimeField()


class Fairness(Shape):
    secret_hash = serializers.CharField(help_text="SHA-256 of the server's secret, known before any salt.")
    salts = serializers.ListField(child=serializers.CharField(), help_text="In the order of joining.")
    seating = serializers.ListField(child=serializers.IntegerField(), help_text="Who, by order of joining, sits where.")
    head = serializers.CharField(allow_null=True, help_text="The hash of the latest event.")
    events = serializers.IntegerField()


class MatchShape(MatchSummary):
    view = serializers.DictField(allow_null=True, help_text="The board as you may see it, in the game's own form.")
    picture = serializers.CharField(allow_null=True, help_text="The same as plain text.")
    outcome = serializers.DictField(allow_null=True)
    invitations = InvitationShape(many=True, help_text="Open ones; for players, before the start.")
    fairness = Fairness()
    abandon = serializers.ListField(child=serializers.IntegerField(), help_text="Seats that would end it here.")
    message_count = serializers.IntegerField(help_text="For players; 0 for others.")
    note = serializers.BooleanField(help_text="Whether you have written a note.")
    muted = serializers.BooleanField(help_text="Whether you asked for no mail about it.")


class Choice(Shape):
    notation = serializers.CharField(help_text="Ready to send.")
    move = serializers.DictField(help_text="The same move as JSON.")


class FormShape(Shape):
    move = serializers.CharField()
    fields = serializers.ListField(child=serializers.DictField())  # type: ignore[assignment]
    example = serializers.CharField(help_text="A move in notation that is legal now.")


class ChoicesShape(Shape):
    turn = serializers.IntegerField()
    moves = Choice(many=True)
    forms = FormShape(many=True, help_text="Decisions with too many possibilities to list.")


class SeenEvent(Shape):
    number = serializers.IntegerField()
    event = serializers.DictField()
    text = serializers.CharField()


class MoveKept(Shape):
    seat = serializers.IntegerField()
    notation = serializers.CharField()
    sealed = serializers.BooleanField()
    receipt = serializers.CharField(allow_null=True, help_text="For a sealed move: what others can check later.")
    nonce = serializers.CharField(allow_null=True, help_text="Yours to keep until the reveal.")


class Played(Shape):
    match = serializers.CharField()
    turn = serializers.IntegerField()
    phase = serializers.ChoiceField(choices=Phase.choices)
    awaiting = serializers.ListField(child=serializers.IntegerField())
    move = MoveKept()
    events = SeenEvent(many=True)


class PreviewedEvent(Shape):
    event = serializers.DictField()
    text = serializers.CharField()


class PreviewedMove(Shape):
    seat = serializers.IntegerField()
    notation = serializers.CharField()
    sealed = serializers.BooleanField()


class Preview(Shape):
    move = PreviewedMove()
    would = PreviewedEvent(many=True, help_text="What would surely happen.")
    uncertain = serializers.BooleanField(help_text="Whether there is more that cannot be known before.")
    awaiting = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    text = serializers.CharField()


class LoggedEvent(Shape):
    number = serializers.IntegerField()
    turn = serializers.IntegerField()
    at = serializers.DateTimeField()
    hidden = serializers.BooleanField(help_text="Not for you to see; its place in the chain is.")
    event = serializers.DictField(allow_null=True)
    text = serializers.CharField(allow_null=True)
    leaf = serializers.CharField(help_text="SHA-256 of what happened, blinded if it is hidden from some.")
    hash = serializers.CharField(help_text="SHA-256 of the hash before and the leaf.")


class OpenedReceipt(Shape):
    turn = serializers.IntegerField()
    seat = serializers.IntegerField()
    shown = serializers.DictField()
    nonce = serializers.CharField()
    kept = serializers.CharField()
    receipt = serializers.CharField()


class PendingReceipt(Shape):
    turn = serializers.IntegerField()
    seat = serializers.IntegerField()
    receipt = serializers.CharField()
    nonce = serializers.CharField()


class Board(Shape):
    turn = serializers.IntegerField()
    view = serializers.DictField(help_text="In the game's own form.")
    picture = serializers.CharField()


class Boards(Shape):
    boards = Board(many=True)
    more = serializers.BooleanField(help_text="Go on with the last turn as `since`.")


class Receipts(Shape):
    opened = OpenedReceipt(many=True)
    pending = PendingReceipt(allow_null=True, help_text="Of what you have sealed and could still replace.")


class Proof(Shape):
    """As in games.engine.proof, which also checks it."""

    terms = serializers.DictField()
    secret = serializers.CharField()
    seating = serializers.ListField(child=serializers.IntegerField())
    moves = serializers.ListField(child=serializers.DictField())
    events = serializers.ListField(child=serializers.DictField())
    outcome = serializers.DictField(allow_null=True)
    schema = serializers.IntegerField()


class MessageShape(Shape):
    id = serializers.IntegerField()
    author = Player(allow_null=True)
    text = serializers.CharField()
    said_at = serializers.DateTimeField()


class NoteShape(Shape):
    text = serializers.CharField(allow_blank=True)
    changed_at = serializers.DateTimeField(allow_null=True)


class Offer(Shape):
    invited_by = Player(allow_null=True)
    game = serializers.CharField()
    game_title = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    match = serializers.CharField()
    pace = PaceShape()
    seats_wanted = serializers.IntegerField()
    players = Player(many=True)
    expires_at = serializers.DateTimeField()


class MuteShape(Shape):
    muted = serializers.BooleanField()
