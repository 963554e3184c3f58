"""Letters that invite users, and people without an account."""

from django.conf import settings

from core.times import clock_time, exact
from games.engine.text import listing
from games.models import Absent, Invitation, Phase
from games.models.invitation import Answer
from games.services.invitations import invitation_link
from notifications.context import Context, NothingToSay
from notifications.letters.blocks import Letter, Link, Offer, Offers, Words
from notifications.letters.parts import answer_with, greeting, invitation_footer

ABSENT: dict[str, str] = {
    Absent.BOT: "If a player is late or away, a bot moves for them.",
    Absent.MINIMAL: "If a player is late or away, Turnpost makes a minimal move for them.",
}
HOW_MOVES_ARE_MADE = {
    True: "Make your move in the browser, or reply with it.",
    False: "Make your move in the browser.",
}


def invitation(context: Context) -> Letter:
    invited = open_invitation(context)
    inviter, loaded = invited.invited_by.name, context.loaded
    return Letter(
        f"{inviter} invited you to play {loaded.engine.title}",
        greeting(context),
        [
            Words(f"{inviter} would like to play {loaded.engine.title} with you{titled(loaded.match.title)}."),
            Words(terms(context, invited)),
            *(steps(context) if context.user else first_steps(context)),
            Link("Open the invitation", invitation_link(invited.pk)),
        ],
        invitation_footer(context, f"{inviter} invited you"),
    )


def open_invitation(context: Context) -> Invitation:
    asked = Invitation.objects.filter(pk=context.notification.data["invitation"], answer=Answer.OPEN)
    invited = asked.select_related("invited_by", "match").first()
    if invited is None or context.loaded.match.phase != Phase.GATHERING:
        raise NothingToSay("The invitation is no longer open.")
    return invited


def titled(title: str) -> str:
    return f", in a match called “{title}”" if title else ""


def terms(context: Context, invited: Invitation) -> str:
    loaded = context.loaded
    match, until = loaded.match, clock_time(invited.expires_at, context.zone)
    return (
        f"It's a match for {match.seat_count} players, with {exact(match.move_time)} per move. Players so far: "
        f"{listing(loaded.names)}. {ABSENT[match.absent]} The invitation is valid until {until}."
    )


def steps(context: Context) -> list[Words | Offers]:
    match_id = context.loaded.match.id
    return [
        Offers(
            "Your answer",
            [Offer("Yes", f"turnpost join {match_id}"), Offer("No", f"turnpost decline {match_id}")],
            answer_with(context, "'yes' or 'no'"),
        )
    ]


def first_steps(context: Context) -> list[Words]:
    decline = " To decline, reply to this email with 'no' on the first line." if context.reply_address else ""
    return [
        Words(
            f"Turnpost ({settings.PUBLIC_URL}) hosts board games that take weeks. When it's your turn, you get an "
            f"email. {HOW_MOVES_ARE_MADE[bool(settings.REPLY_DOMAIN)]} To join, open the link, choose a username and a "
            f"password, and confirm your address.{decline}"
        )
    ]
