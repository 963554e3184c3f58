"""The data of three friends: private matches, a public match, a match that anybody can join, and their accounts.

Every secret contains MARK or an email address, so a leak is visible in any response.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts import blocks, browser_sessions
from accounts.models import Registration, Token, User
from clock import proposals, vacations
from clock.models import Proposal, ProposalKind, ProposalStatus
from clock.proposal_rules import ProposalRequest
from core import vault
from games.models import Match, Phase
from games.selectors.loading import LoadedMatch
from games.services import chat, invitations, lobby
from notifications.models import Webhook, WebhookCall, WebhookHost
from stream import store
from stream.models import LastPosition
from tests.acceptance.security.endpoints import our_apps
from tests.games.builders import plan, play_some, player, running_match, sitting

MARK = "quokka"
SECRETS = [MARK.encode(), *(f"{name}@example.org".encode() for name in ("ann", "ben", "cleo"))]
MODELS = [
    model
    for app in our_apps()
    for model in app.get_models()
    if app.label != "core" and model is not LastPosition  # This row belongs to nobody.
]
"""Models in core are left out, because they also count requests from strangers."""

Rows = dict[tuple[str, Any], dict[str, Any]]


@dataclass(frozen=True)
class OwnedData:
    hidden: list[str]
    """The IDs of matches for which other people get a 404."""
    watched: str
    gathering: str
    """A match that other people may join but must not change in any other way."""
    names: dict[str, list[Any]]
    """Values for the path parameters."""
    owner: User
    rows: Rows


def rows() -> Rows:
    return {(model.__name__, row["pk"]): row for model in MODELS for row in rows_of(model)}


def rows_of(model: Any) -> list[dict[str, Any]]:
    fields = [field.attname for field in model._meta.concrete_fields]
    return list(model.objects.values("pk", *fields))


def current_rows(owned_data: OwnedData) -> dict[tuple[str, Any], dict[str, Any] | None]:
    """Return the current state of the owner's rows, without rows that other people created."""
    now = rows()
    return {key: now.get(key) for key in owned_data.rows}


def owned_data() -> OwnedData:
    running = running_match(is_private=True, title=f"Private {MARK}")
    watched = play_some(running_match(), 4)
    owner = player("ann")
    waiting = [lobby.create(owner, plan(is_private=True, title=f"Gathering {MARK}")), lobby.create(owner, plan())]
    invited = [invitations.invite(table.match.id, owner, f"{MARK}@example.org").pk for table in waiting]
    for table in (running, watched):
        write_private_notes(table)
    decided = [propose_a_pause(running), propose_a_pause(watched), offer_a_seat(watched)]
    numbers = [*invited, *decided, create_webhook(owner)]
    ids = [running.match.id, waiting[0].match.id, one_that_is_over()]
    store.number_new()  # Otherwise the first reader of any stream would number these events.
    gathering = waiting[1].match.id
    names: dict[str, list[Any]] = {"match_id": [*ids, watched.match.id, gathering], "number": numbers}
    return OwnedData(
        hidden=ids,
        watched=watched.match.id,
        gathering=gathering,
        names=names | of_an_account(owner),
        owner=owner,
        rows=rows(),
    )


def one_that_is_over() -> str:
    """Create a match and mark it as finished, because playing it to the end would take too long."""
    table = running_match(is_private=True, title=f"Over {MARK}")
    Match.objects.filter(pk=table.match.pk).update(phase=Phase.FINISHED, ended_at=timezone.now())
    return table.match.id


def write_private_notes(table: LoadedMatch) -> None:
    for seat in table.seats:
        chat.post_message(table.match.id, sitting(seat), f"Do you know the {MARK}?")
        chat.write_note(table.match.id, sitting(seat), f"I am the {MARK}.")


def propose_a_pause(table: LoadedMatch) -> int:
    request = ProposalRequest(ProposalKind.PAUSE, time=timedelta(days=1))
    return proposals.propose(table.match.id, sitting(table.seats[0]), request)[1].pk


def offer_a_seat(table: LoadedMatch) -> int:
    """Create an accepted proposal that offers a seat to a fourth friend."""
    offer = Proposal.objects.create(
        match=table.match,
        kind=ProposalKind.REPLACEMENT,
        seat=1,
        newcomer=player("finn"),
        made_by=sitting(table.seats[0]),
        made_at=timezone.now(),
        status=ProposalStatus.AGREED,
    )
    return offer.pk


def create_webhook(owner: User) -> int:
    url, secret = (vault.encrypt(f"https://hooks.example.org/{MARK}{end}".encode()) for end in ("", "secret"))
    webhook = Webhook.objects.create(
        user=owner,
        name=MARK,
        encrypted_url=url,
        host=WebhookHost.objects.create(key=f"host of {owner.pk}"),
        encrypted_secret=secret,
        kinds=["your_turn"],
    )
    now = timezone.now()
    for _ in range(2):
        WebhookCall.objects.create(
            webhook=webhook, created_at=now, due_at=now, delivery="dead", why=f"No {MARK} there."
        )
    return webhook.pk


def of_an_account(owner: User) -> dict[str, list[Any]]:
    today = vacations.today(owner)
    planned = [vacations.plan(owner, today + timedelta(days=n), today + timedelta(days=n + 1)) for n in (30, 60)]
    token, _ = Token.objects.create(owner, timedelta(days=30), name=f"{MARK} laptop")
    sessions = [browser_sessions.start(owner, f"{MARK} browser")[0].reference for _ in range(2)]
    registration = Registration.objects.create(
        username=MARK, email=f"{MARK}2@example.org", expires_at=timezone.now() + timedelta(days=1)
    )
    return {
        "vacation_id": [vacation.pk for vacation in planned],
        "token_id": [token.reference],
        "session_id": sessions,
        "registration_id": [registration.pk],
        "token": ["forged"],
        "slug": ["coloretto"],
        "username": [blocks.block(owner, "ben").blocked.username],
    }
