"""The data that services, selectors and the API return about games and matches."""

from datetime import datetime
from typing import Annotated, Any

from msgspec import Meta

from core.shapes import JsonObject, Shape, one_of
from games.engine.choices import Form
from games.engine.fairness import Cause, Contribution, End
from games.engine.receipts import Opening

PHASES = ("gathering", "running", "finished", "abandoned", "cancelled", "expired")
Phase = Annotated[str, one_of(*PHASES)]
Absent = Annotated[
    str,
    one_of("bot", "minimal"),
    Meta(description="Who moves for a player who is late or away: a bot, or Turnpost with a minimal move."),
]


class Player(Shape, frozen=True):
    username: Annotated[str, Meta(description="Empty for a bot that has no account.")]
    name: Annotated[str, Meta(description="The name other players see. A bot's name ends in (bot).")]
    bot: bool


class Notation(Shape, frozen=True):
    example: str
    meaning: str


class Game(Shape, frozen=True):
    slug: str
    title: str
    seats: Annotated[list[int], Meta(description="The player counts that the game allows.")]
    options: Annotated[dict[str, Any], Meta(description="A JSON schema of the game's options, with defaults.")]
    notation: list[Notation]
    rules_url: str


class GameWithSchemas(Game, frozen=True):
    schemas: Annotated[dict[str, Any], Meta(description="JSON schemas of the game's moves, events and views.")]


class Rules(Shape, frozen=True):
    slug: str
    title: str
    markdown: str


class Pace(Shape, frozen=True):
    move_time: Annotated[int, Meta(description="Seconds per move.")]
    bank: Annotated[int, Meta(description="Extra seconds per player for the whole match.")]
    weekends_off: Annotated[
        bool, Meta(description="Whether the clock stops on Saturdays and Sundays in the player's time zone.")
    ]
    patience: Annotated[int, Meta(description="Time-outs in a row before a stand-in plays the seat.")]


class Seat(Shape, frozen=True):
    seat: Annotated[int | None, Meta(description="Drawn at random when the match starts; null before that.")]
    player: Annotated[Player | None, Meta(description="null for a player who deleted their account.")]
    level: Annotated[str | None, Meta(description="The level of the bot in this seat; null for users.")]
    awaited: Annotated[bool, Meta(description="Whether it is this seat's turn.")]
    awaited_since: datetime | None
    deadline: datetime | None
    bank: Annotated[int, Meta(description="Seconds left in the player's time bank.")]
    stand_in: Annotated[bool, Meta(description="Whether a stand-in is playing this seat.")]
    resigned: Annotated[bool, Meta(description="Whether the player resigned and therefore finishes last.")]
    points: int | None
    place: int | None


class MatchSummary(Shape, frozen=True):
    """A match in a list."""

    id: str
    game: Annotated[str, Meta(description="The slug of the game.")]
    title: Annotated[str, Meta(description="May be empty.")]
    rules: Annotated[int, Meta(description="The version of the rules that the match uses.")]
    options: dict[str, Any]
    private: bool
    bots_allowed: Annotated[bool, Meta(description="Whether bots can take seats.")]
    absent: Absent
    think: Annotated[int | None, Meta(description="Seconds a hard bot may think about a move; null for the default.")]
    phase: Phase
    owner: Player | None
    pace: Pace
    paused_until: Annotated[datetime | None, Meta(description="When the latest agreed pause ends.")]
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    expires_at: Annotated[datetime | None, Meta(description="When the match closes if it has not started.")]
    seats_wanted: int
    seats_free: Annotated[int, Meta(description="Seats that are neither taken nor reserved for an invited player.")]
    seats: list[Seat]
    joined: Annotated[bool, Meta(description="Whether you are one of the players.")]
    you: Annotated[int | None, Meta(description="Your seat, once seats are drawn.")]
    turn: Annotated[int, Meta(description="0 before the start; increases whenever the public position changes.")]
    awaiting: Annotated[list[int], Meta(description="The seats whose turn it is.")]


class Invitation(Shape, frozen=True):
    number: int
    player: Annotated[Player | None, Meta(description="null for an invitation by email.")]
    email: Annotated[str | None, Meta(description="Shown only to the player who sent the invitation.")]
    invited_by: Player | None
    made_at: datetime


class OwnShare(Shape, frozen=True):
    position: Annotated[int, Meta(description="Your place in the order in which players joined.")]
    pseudonym_salt: Annotated[
        str,
        Meta(description="Keep this value. With it and your username, you can find your pseudonym in the proof."),
    ]


class Fairness(Shape, frozen=True):
    """Values that clients record during a match, and compare with its proof afterwards."""

    salts: Annotated[str, one_of("open", "committed")]
    proves: Annotated[str, Meta(description="What the match's `salts` option protects you against.")]
    secret_hash: Annotated[str, Meta(description="SHA-256 of the server's secret, published before any salt is known.")]
    players: Annotated[
        list[Contribution], Meta(description="The players' shares of the seed, in the order they joined.")
    ]
    seating: Annotated[list[int], Meta(description="For each seat, the index of its player in `players`.")]
    head: Annotated[str | None, Meta(description="The latest hash of the chain.")]
    fingerprint: Annotated[str | None, Meta(description="The start of `head`, for players to compare.")]
    events: int
    end: Annotated[End | None, Meta(description="The last link of the chain, once the match has ended.")]
    reveal_by: Annotated[
        datetime | None,
        Meta(
            description="When the match starts even if some salts have not been revealed. null if no salts are awaited."
        ),
    ]
    you: Annotated[OwnShare | None, Meta(description="null unless you are one of the players.")]
    key: Annotated[str, Meta(description="The server's public Ed25519 key, also at /.well-known/turnpost-key.json.")]
    secret_signature: Annotated[str, Meta(description="The server's signature on `secret_hash`.")]
    head_signature: Annotated[str | None, Meta(description="The server's signature on `head`.")]


class Match(MatchSummary, frozen=True):
    """A match as you see it."""

    view: Annotated[JsonObject | None, Meta(description="The board as you see it; its structure depends on the game.")]
    picture: Annotated[str | None, Meta(description="The board as plain text.")]
    outcome: dict[str, Any] | None
    invitations: Annotated[
        list[Invitation], Meta(description="Open invitations. Only players see them, and only before the match starts.")
    ]
    fairness: Fairness
    abandon: Annotated[list[int], Meta(description="The seats that have agreed to end the match early.")]
    message_count: Annotated[int, Meta(description="0 unless you are one of the players.")]
    note: Annotated[bool, Meta(description="Whether you have written a note.")]
    muted: Annotated[bool, Meta(description="Whether you have turned off emails about this match.")]
    bouncing: Annotated[
        list[str],
        Meta(
            description="The usernames of other players whose emails are bouncing, so they may not know that it is "
            "their turn. Only players see them, and only until the match ends."
        ),
    ]


class Choice(Shape, frozen=True):
    notation: Annotated[str, Meta(description="The move as text, ready to send.")]
    move: Annotated[JsonObject, Meta(description="The same move as JSON.")]


class Choices(Shape, frozen=True):
    turn: int
    moves: list[Choice]
    forms: Annotated[list[Form], Meta(description="Moves with too many variants to list.")]


class SeenEvent(Shape, frozen=True):
    number: int
    event: JsonObject
    text: str


class MadeMove(Shape, frozen=True):
    seat: int
    notation: str
    sealed: bool
    receipt: Annotated[str | None, Meta(description="For a sealed move: a commitment that others can check later.")]
    nonce: Annotated[str | None, Meta(description="For a sealed move: keep it secret until the move is revealed.")]
    signature: Annotated[str | None, Meta(description="For a sealed move: the server's signature on the receipt.")]


class MoveAccepted(Shape, frozen=True):
    """A move that was played, with the events that its player may see."""

    match: str
    turn: int
    phase: Phase
    awaiting: list[int]
    move: MadeMove
    events: list[SeenEvent]


class MoveRefused(Shape, frozen=True):
    """A move that was refused. `kind` is one of the kinds in core.refusals."""

    kind: str
    code: str
    message: str
    hint: str
    data: dict[str, Any]


class PreviewedEvent(Shape, frozen=True):
    event: JsonObject
    text: str


class PreviewedMove(Shape, frozen=True):
    seat: int
    notation: str
    sealed: bool


class MovePreview(Shape, frozen=True):
    """What a move would do. It reveals nothing that is hidden from its player."""

    move: PreviewedMove
    would: Annotated[list[PreviewedEvent], Meta(description="The events that are certain to happen.")]
    uncertain: Annotated[bool, Meta(description="Whether there may be other effects that can't be known in advance.")]
    awaiting: list[int] | None
    text: str


class StandingOrder(Shape, frozen=True):
    number: Annotated[int, Meta(description="The order's place in the list, starting at 1.")]
    order: str
    sealed: Annotated[bool, Meta(description="Whether its moves are sealed. Emails do not show such orders.")]
    lasts: Annotated[str, Meta(description="How long the order lasts, in words.")]
    until: Annotated[datetime, Meta(description="When the order expires at the latest.")]


class StandingOrders(Shape, frozen=True):
    """Your own standing orders in a match. Nobody else can see them."""

    match: str
    turn: int
    orders: list[StandingOrder]
    stopped: Annotated[
        str | None,
        Meta(description="Why your standing orders have stopped. They apply again once you resume or change them."),
    ]
    notes: Annotated[list[str], Meta(description="Why no standing order has been played since your last move.")]
    played: Annotated[list[SeenEvent], Meta(description="What happened because of this request.")]
    language: Annotated[list[Notation], Meta(description="How to write standing orders in this game.")]


class LoggedEvent(Shape, frozen=True):
    number: int
    turn: int
    at: datetime
    hash: Annotated[str, Meta(description="SHA-256 of the previous hash and the leaf.")]
    hidden: Annotated[
        bool, Meta(description="Whether the event is hidden from you, except for its place in the chain.")
    ]
    event: JsonObject | None
    text: str | None
    cause: Annotated[Cause | None, Meta(description="For the first event of a move: the move's link in the chain.")]
    leaf: Annotated[str, Meta(description="SHA-256 of the event; blinded if it is hidden from some players.")]


class Board(Shape, frozen=True):
    turn: int
    view: Annotated[JsonObject, Meta(description="Its structure depends on the game.")]
    picture: str


class Boards(Shape, frozen=True):
    boards: list[Board]
    more: Annotated[
        bool, Meta(description="Whether there are more boards. To get them, send the last turn as `since`.")
    ]


class PendingReceipt(Shape, frozen=True):
    turn: int
    seat: int
    receipt: str
    nonce: str
    signature: Annotated[str, Meta(description="The server's signature on the receipt.")]


class Receipts(Shape, frozen=True):
    opened: list[Opening]
    pending: Annotated[PendingReceipt | None, Meta(description="Your sealed move, while you can still replace it.")]


class ReviewedDecision(Shape, frozen=True):
    """One of your decisions, compared with the move that a search finds using only what you could know."""

    turn: int
    move: Annotated[str, Meta(description="Your move.")]
    best: Annotated[str, Meta(description="The best move that the search found.")]
    chance: Annotated[float, Meta(description="Your chance of winning after your move, from 0 to 1.")]
    best_chance: float
    cost: Annotated[float, Meta(description="How much your move reduced your chance of winning.")]


class Review(Shape, frozen=True):
    match: str
    state: Annotated[str, one_of("queued", "thinking", "done")]
    done: Annotated[int, Meta(description="How many of your decisions have been reviewed so far.")]
    total: int
    missing: Annotated[
        int, Meta(description="How many of your decisions could not be reviewed. This should always be 0.")
    ]
    decisions: Annotated[
        list[ReviewedDecision],
        Meta(description="Your three costliest decisions, then the others in order. Empty until the review is done."),
    ]


class Message(Shape, frozen=True):
    id: int
    author: Player | None
    text: str
    posted_at: datetime


class Updates(Shape, frozen=True):
    """A match as you see it, with everything that is new to you."""

    match: Match
    choices: Annotated[Choices | None, Meta(description="Your possible moves; null unless you are playing now.")]
    events: Annotated[list[LoggedEvent], Meta(description="The latest of the new events, in order.")]
    messages: Annotated[list[Message], Meta(description="The latest of the new messages, newest first.")]


class Note(Shape, frozen=True):
    text: str
    changed_at: datetime | None


class Offer(Shape, frozen=True):
    """An invitation as shown to visitors who are not logged in."""

    invited_by: Player | None
    game: str
    game_title: str
    title: str
    match: str
    pace: Pace
    bots_allowed: Annotated[bool, Meta(description="Whether bots can take seats.")]
    absent: Absent
    salts: Annotated[str, one_of("open", "committed")]
    proves: Annotated[str, Meta(description="What the match's `salts` option protects you against.")]
    secret_hash: Annotated[str, Meta(description="Record this hash before you send your salt.")]
    key: Annotated[str, Meta(description="The server's public Ed25519 key.")]
    secret_signature: Annotated[str, Meta(description="The server's signature on `secret_hash`.")]
    seats_wanted: int
    players: list[Player | None]
    expires_at: datetime
