"""Handle replies from people who were invited to a match, or offered a stand-in's seat, and aren't in it yet."""

import msgspec

from accounts.models import User
from clock import proposals
from core import vault
from core.refusals import Refused
from games.models import Phase
from games.selectors.loading import LoadedMatch, load_match
from games.services import invitations
from inbound import unplayed
from inbound.authentication import is_answered_too_often, is_over_limit, was_told_of_limit
from inbound.execution.results import Results
from inbound.models import InboundMail, MailResult
from inbound.parsing import Reply
from inbound.reading import reply as replies
from inbound.reading.commands import Agree, Command, Help, Refuse, Rules
from inbound.reading.position import Position
from notifications import bounces, outbox
from notifications.models import Notification, NotificationKind
from notifications.reply_addresses import is_mark_of

OFFERED = ("invitation", "proposal")
HOW_TO_ANSWER = "To join, reply with: yes. To decline, reply with: no. For the rules of the game, reply with: rules."
NEEDS_ACCOUNT = (
    "You need an account to join, so we can't give you a seat by email. Open the link below, choose a username and a "
    "password, and confirm your address. Your seat is reserved until then."
)
UNCLEAR = "We couldn't tell whether you want to join."
TOO_MANY = "You've sent too many emails in a short time, so we won't answer any more today."


def is_invited(mail: InboundMail, loaded: LoadedMatch | None) -> bool:
    """Return whether the email that was answered offers a seat to someone who isn't in the match."""
    asked = mail.notification
    if loaded is None or asked.seat is not None or set(OFFERED).isdisjoint(asked.data):
        return False
    user = invitee(asked)
    return not (user and loaded.seat_of(user.pk))


def invitee(asked: Notification) -> User | None:
    """Return the invited user. Someone without an account may have registered since the invitation."""
    known = User.objects.filter(email=asked.email, email_confirmed_at__isnull=False) if asked.email else None
    return asked.user or (known.first() if known is not None else None)


def answer_invited(mail: InboundMail, reply: Reply, loaded: LoadedMatch) -> None:
    """Do what the reply says and queue the answer. The caller saves the email."""
    user, address = invitee(mail.notification), mail.notification.address
    mail.result = result_against(mail, reply, user, address)
    if mail.result != MailResult.WAITING:
        unplayed.explain(mail)
        return
    bounces.clear(address)
    if is_over_limit(mail):
        tell_of_limit(mail, loaded, user)
        return
    results = Results()
    if mail.problem:
        results.said = [unplayed.WHY[MailResult(mail.problem)]]
    else:
        for command in read(reply, loaded, user):
            carry_out(command, mail.notification, user, results)
    if not (results.done or results.said):
        results.said = [f"{UNCLEAR} {HOW_TO_ANSWER}"]
    asked_only = MailResult.ASKED if results.done == results.asked else MailResult.ACCEPTED
    mail.result = asked_only if results.done else MailResult.REFUSED
    if is_answered_too_often(mail):
        tell_of_limit(mail, loaded, user)
    else:
        send(mail, loaded, user, results)


def result_against(mail: InboundMail, reply: Reply, user: User | None, address: str) -> MailResult:
    """Return the reason why the reply doesn't count, or WAITING if it is genuine."""
    if reply.automatic:
        return MailResult.AUTOMATIC
    if (user and not (user.is_active and user.email_confirmed_at)) or not is_mark_of(mail.reader, address):
        return MailResult.FOREIGN
    if user and user.checks_sender and reply.sender != user.email:
        return MailResult.WRONG_SENDER
    return MailResult.WAITING


def read(reply: Reply, loaded: LoadedMatch, user: User | None) -> list[Command]:
    """Return the commands that answer the invitation, or ask for help or the rules. The author can't move yet, so other
    commands are ignored."""
    names = [seat.player_name for seat in loaded.seats]
    position = Position(
        loaded.engine,
        match_id=loaded.match.id,
        own_name=user.name if user else "",
        others=names,
        asks_for_a_vote=True,
    )
    found = replies.read(reply.lines, position, reply.rests, reply.unproven, reply.subject)
    return [command for command in dict.fromkeys(found) if isinstance(command, Agree | Refuse | Rules | Help)]


def carry_out(command: Command, asked: Notification, user: User | None, results: Results) -> None:
    if isinstance(command, Rules | Help):
        results.wants_rules |= isinstance(command, Rules)
        results.said.append(HOW_TO_ANSWER)
        results.asked += 1
        results.done += 1
        return
    try:
        said = respond(asked, user, agreed=isinstance(command, Agree))
        results.done += 1
    except Refused as refused:
        said = f"{refused.message} {refused.hint}".strip()
    results.said.append(said)


def respond(asked: Notification, user: User | None, *, agreed: bool) -> str:
    """Accept or decline, and say what happened."""
    match_id, number = str(asked.match_id), asked.data.get("proposal")
    if user is None:
        invitations.offered(asked.data["invitation"])
        if agreed:
            return NEEDS_ACCOUNT
        invitations.decline_by_link(asked.data["invitation"])
        return "You've declined the invitation."
    if number is not None:
        if not agreed:
            proposals.decline(match_id, user, number)
            return "You've declined the seat."
        proposals.accept(match_id, user, number)
        return "The seat is yours."
    if not agreed:
        invitations.offered(asked.data["invitation"])
        invitations.decline(match_id, user)
        return "You've declined the invitation."
    loaded = invitations.accept(asked.data["invitation"], user)
    has_started = loaded.match.phase == Phase.RUNNING
    return f"You've joined the match. {'It has started.' if has_started else 'It starts when every seat is taken.'}"


def tell_of_limit(mail: InboundMail, loaded: LoadedMatch, user: User | None) -> None:
    mail.result = MailResult.FLOOD
    if not was_told_of_limit(mail):
        send(mail, loaded, user, Results(said=[TOO_MANY], is_over_limit=True))


def send(mail: InboundMail, loaded: LoadedMatch, user: User | None, results: Results) -> None:
    asked = mail.notification
    mail.results = vault.encrypt(msgspec.json.encode(results))
    seat = load_match(loaded.match.id).seat_of(user.pk) if user else None
    offered = {key: value for key, value in asked.data.items() if key in (*OFFERED, "status")}
    outbox.add(
        [
            Notification(
                user=user,
                email="" if user else asked.email,
                match=loaded.match,
                seat=seat.number if seat else None,
                kind=NotificationKind.ANSWER,
                data={"mail": mail.pk, "message_id": mail.message_id, "answers": asked.pk, **offered},
                created_at=mail.received_at,
                due_at=mail.received_at,
            )
        ]
    )
