"""The output of each command with --json: shapes from the API, and fields that this client adds.

No command imports this module. It documents the output, and tests check the commands against it.
"""

from datetime import datetime
from types import UnionType
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from accounts.shapes import BlockedUser, Profile
from cli.commands.notify import SETTINGS
from clock.shapes import Inbox, Proposal, Vacation
from core.shapes import Error, Shape
from games.engine.proof import Proof
from games.shapes import (
    Choices,
    Invitation,
    LoggedEvent,
    Match,
    MatchSummary,
    Message,
    MoveAccepted,
    MovePreview,
    Notation,
    Receipts,
    Review,
    Rules,
    StandingOrders,
)
from notifications.shapes import CalendarFeed, Notification, Webhook, WebhookCall, WebhookWithSecret


class Problem(Error, frozen=True):
    """Printed to stderr when a command fails."""

    exit_code: Literal[2, 3, 4, 5, 6]


class FailedInvitation(Problem, frozen=True):
    """A person who couldn't be invited, and the reason."""

    invitee: str


class MatchChange(Shape, frozen=True):
    match: Match
    choices: Choices | None
    news: Annotated[list[str], Meta(description="What happened since you last looked.")]


class Board(MatchChange, frozen=True):
    seen_at: Annotated[
        datetime | None, Meta(description="When the match was fetched, if the server can't be reached now.")
    ]


class Moves(Choices, frozen=True):
    match: str
    seen_at: Annotated[
        datetime | None, Meta(description="When the moves were fetched, if the server can't be reached now.")
    ]


class UnsentMove(Shape, frozen=True):
    """A move that hasn't been sent yet."""

    match: str
    move: str
    turn: int
    key: str
    saved_at: datetime


class PastTurn(Shape, frozen=True):
    turn: int
    events: list[str]
    view: dict[str, Any] | None


class Export(Shape, frozen=True):
    match: Match
    log: list[LoggedEvent]
    receipts: Receipts | None
    messages: Annotated[list[Message] | None, Meta(description="null unless you are one of the players.")]
    proof: Annotated[Proof | None, Meta(description="null until the match has ended.")]


class Finding(Shape, frozen=True):
    """A single result of checking a match with `verify`."""

    grade: Annotated[
        Literal["consistent", "proven", "operator", "missing"],
        Meta(description="proven: by your notes; operator: if the operator is honest; missing: a gap in the proof."),
    ]
    text: str


class SavedProfile(Shape, frozen=True):
    name: str
    username: Annotated[str, Meta(description="Empty before the first login.")]
    url: str
    logged_in: bool


class LocalGame(Shape, frozen=True):
    """A game that is installed with this client."""

    slug: str
    title: str
    seats: list[int]
    options: Annotated[dict[str, Any], Meta(description="The JSON schema of each option.")]
    notation: list[Notation]


class Check(Shape, frozen=True):
    check: str
    ok: bool
    text: str
    hint: str


def shape(name: str, /, **fields: Any) -> Any:
    return msgspec.defstruct(name, list(fields.items()), bases=(Shape,), frozen=True)


def part_of(whole: type[Shape], *names: str) -> dict[str, Any]:
    """Define a shape that has only some of the fields of another one."""
    types = {field.name: field.type for field in msgspec.structs.fields(whole)}
    return {name: types[name] for name in names}


MATCH_ID = shape("MatchId", match=str)
WHOLE_MATCH = shape("WholeMatch", match=Match)
ONE_PROPOSAL = shape("OneProposal", match=str, proposal=Proposal)
LOGGED_IN = shape("LoggedIn", username=str, url=str, profile=str)
IDENTITY = part_of(Profile, "username", "name", "email", "time_zone")
NOTIFY_SETTINGS = shape("NotifySettings", **part_of(Profile, *SETTINGS))
WEBHOOKS = shape("Webhooks", webhooks=list[Webhook])

OUTPUT: dict[str, Any] = {
    "status": shape(
        "Status",
        waiting=list[MatchSummary],
        others=list[MatchSummary],
        **part_of(Inbox, "invitations", "unread", "proposals", "offers"),
        unsent=list[UnsentMove],
    ),
    "next": Board | shape("NoMatch", match=None),
    "board": Board,
    "moves": Moves,
    "play": MoveAccepted,
    "play --dry-run": MovePreview,
    "order": StandingOrders,
    "withdraw": MoveAccepted,
    "retry": MoveAccepted,
    "retry --drop": shape("Dropped", dropped=UnsentMove),
    "use": shape("CurrentMatch", current=str, match=Match, choices=Choices | None),
    "watch": MatchChange,
    "log": shape("Log", match=str, events=list[LoggedEvent]),
    "history": shape("History", match=str, turns=list[PastTurn]),
    "review": Review,
    "matches": shape("Matches", which=str, matches=list[MatchSummary]),
    "new": WHOLE_MATCH,
    "invite": shape("Invited", match=str, invitations=list[Invitation], failed=list[FailedInvitation]),
    "join": WHOLE_MATCH,
    "decline": MATCH_ID,
    "uninvite": MATCH_ID,
    "leave": MATCH_ID,
    "bots": WHOLE_MATCH,
    "start": WHOLE_MATCH,
    "cancel": MATCH_ID,
    "propose time": ONE_PROPOSAL,
    "propose pause": ONE_PROPOSAL,
    "propose resume": ONE_PROPOSAL,
    "propose replacement": ONE_PROPOSAL,
    "proposals": shape("Proposals", match=str, proposals=list[Proposal]),
    "agree": ONE_PROPOSAL,
    "refuse": ONE_PROPOSAL,
    "back": WHOLE_MATCH,
    "resign": WHOLE_MATCH,
    "rematch": WHOLE_MATCH,
    "abandon": WHOLE_MATCH,
    "say": Message,
    "report": shape("Reported", match=str, message=int),
    "block": BlockedUser,
    "unblock": shape("Unblocked", unblocked=str),
    "blocks": shape("Blocked", blocked=list[BlockedUser]),
    "messages": shape("Messages", match=str, messages=list[Message]),
    "notes": shape("Notes", match=str, text=str),
    "verify": shape(
        "Verified",
        match=str,
        result=Literal["fits_notes", "consistent"],
        conclusion=str,
        salts=Literal["open", "committed"],
        secret_hash=str,
        head=str,
        findings=list[Finding],
    ),
    "verify --compare": shape("ComparedNotes", match=str, notes=dict[str, Any], text=str),
    "export": Export,
    "export --output": shape("SavedExport", match=str, file=str),
    "demo": shape("Demo", match=Match, finished=bool, checks=list[str]),
    "games": shape("Games", games=list[LocalGame]),
    "rules": Rules,
    "help": shape("Help", command=str, help=str),
    "register": LOGGED_IN | shape("Registering", username=str, confirmed=bool),
    "login": LOGGED_IN,
    "logout": shape("LoggedOut", profile=str),
    "profiles": shape("Profiles", current=str, profiles=list[SavedProfile]),
    "password": shape("PasswordChange", changed=bool, mailed_to=str | None),
    "whoami": shape("WhoAmI", **IDENTITY, url=str, profile=str, current=str | None),
    "account": shape("Account", **IDENTITY, mailed_to=str | None),
    "account --delete": shape("DeletedAccount", deleted=str),
    "notify show": NOTIFY_SETTINGS,
    "notify set": NOTIFY_SETTINGS,
    "notify test": shape("TestMail", notification=Notification, email=str),
    "notify mute": shape("Muted", match=str, muted=bool),
    "notify calendar": CalendarFeed,
    "notify log": shape("Notifications", notifications=list[Notification]),
    "vacation": shape("Vacations", vacations=list[Vacation]),
    "webhooks list": WEBHOOKS,
    "webhooks add": shape("AddedWebhook", webhook=WebhookWithSecret),
    "webhooks change": WEBHOOKS,
    "webhooks test": shape("OneCall", call=WebhookCall),
    "webhooks calls": shape("Calls", calls=list[WebhookCall]),
    "webhooks enable": WEBHOOKS,
    "webhooks remove": shape("RemovedWebhook", removed=int),
    "doctor": shape("Doctor", ok=bool, checks=list[Check]),
}
"""The output of each command. The keys are the commands as typed. `watch` prints one object per line."""


def json_schema(printed: Any) -> dict[str, Any]:
    """Return the JSON Schema of a shape, including the shapes it refers to."""
    alternatives = get_args(printed) if isinstance(printed, UnionType) else (printed,)
    schemas, definitions = msgspec.json.schema_components(alternatives, ref_template="#/$defs/{name}")
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
    return schema | {"$defs": definitions}
