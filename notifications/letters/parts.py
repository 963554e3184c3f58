"""Parts that several letters share."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.conf import settings

from core import signatures
from core.times import clock_time, exact, rounded
from games.engine import fairness
from games.engine.text import counted, listing
from games.models import Match, Phase, Seat
from games.selectors.loading import LoadedMatch, match_name
from games.selectors.orders import new_notes
from games.selectors.presenters import as_it_ended
from notifications.context import MOST_EVENTS, Context
from notifications.letters.blocks import Block, EventList, Link, Offer, Offers, Picture, Words, unbroken
from notifications.match_links import entering_link, match_page
from notifications.move_links import move_link
from notifications.unsubscribe import unsubscribe_link

MOST_OFFERS = 12
REPLY_HINT = "You can reply to this email. For instructions, write 'help' on the first line."


def name_of(context: Context) -> str:
    return match_name(context.loaded, context.seat)


def subject(what: str, context: Context) -> str:
    """Write a subject that starts with the match, with its title if it has one, and then says what happened."""
    title = context.loaded.match.title
    return f"{name_of(context)}{f' ({title})' if title else ''}: {what}"


def task(context: Context) -> str:
    """Say in a few words what the player has to do."""
    if not (context.seat and context.loaded.match.encrypted_state):
        return "your turn"
    return context.loaded.engine.task(context.view)


def greeting(context: Context) -> str:
    return f"Hello {context.user.name}," if context.user else "Hello,"


def answer_with(context: Context, what: str) -> str:
    """Explain how to reply, if the service receives replies."""
    return f"Or reply to this email with {what} on the first line." if context.reply_address else ""


def board(context: Context) -> Iterator[Picture]:
    loaded = context.loaded
    if not loaded.match.encrypted_state:
        return
    view = as_it_ended(loaded, loaded.engine.mailable(context.view))
    yield Picture("The board", loaded.engine.board(view, context.names))


def recent_events(context: Context) -> list[str]:
    return context.sentences(context.seat.last_seen) if context.seat else []


def events_since(context: Context, title: str, after: int) -> Iterator[EventList]:
    told = context.sentences(after)
    left_out = context.loaded.match.events_made - MOST_EVENTS - after
    if left_out > 0:
        log = unbroken(f"turnpost log {context.loaded.match.id}")
        told.insert(0, f"… {counted(left_out, 'earlier event')}: {log}")
    if told:
        yield EventList(title, told)


def since_you_acted(context: Context) -> Iterator[EventList]:
    if context.seat:
        since = context.seat.acted_through
        yield from events_since(context, "Since your last move" if since else "So far", since)


def since_your_visit(context: Context) -> Iterator[EventList]:
    if context.seat:
        since = context.seat.last_seen
        yield from events_since(context, "Since your last visit" if since else "So far", since)


def order_notes(seat: Seat | None) -> Iterator[Words]:
    """Say why the player's standing orders left the decision to them, or why they stopped."""
    if seat and (notes := new_notes(seat)):
        yield Words(f"Your standing orders: {' '.join(notes)}")


def time_left(context: Context) -> str:
    until = context.seat.deadline if context.seat else None
    if until is None:
        return ""
    return f"You have {rounded(until - context.now)} left, until {clock_time(until, context.zone)}."


def whose_turn(context: Context) -> str:
    match = context.loaded.match
    awaited = [seat for seat in context.loaded.seats if seat.awaited_since]
    if match.phase != Phase.RUNNING or not awaited:
        return ""
    deadlines = [seat.deadline for seat in awaited if seat.deadline]
    label = "Deadline" if len(set(deadlines)) == 1 else "Last deadline"
    until = f" {label}: {clock_time(max(deadlines), context.zone)}." if deadlines else ""
    return f"{waiting_for(context, awaited)}{until}{out_of_reach(context, awaited)}"


def out_of_reach(context: Context, awaited: Sequence[Seat]) -> str:
    """Tell the others that emails to a player bounce, because that player might not know that it's their turn."""
    others = [seat for seat in awaited if seat.user and seat is not context.seat]
    names = [seat.player_name for seat in others if seat.user and seat.user.email in context.bouncing]
    return f" Emails to {listing(names)} are bouncing." if names else ""


def waiting_for(context: Context, awaited: Sequence[Seat]) -> str:
    if len(awaited) > 1:
        return f"Waiting for {listing([name_for_reader(context, seat) for seat in awaited])}."
    return "It's your turn." if awaited[0] is context.seat else f"It's {awaited[0].player_name}'s turn."


def name_for_reader(context: Context, seat: Seat) -> str:
    return "you" if seat is context.seat else seat.player_name


def pace(match: Match) -> str:
    bank = f", plus a time bank of {exact(match.bank)} for the whole match" if match.bank else ""
    weekends = " Weekends don't count." if match.weekends_off else ""
    return f"Each player has {exact(match.move_time)} per move{bank}.{weekends}"


def rules(match: Match) -> str:
    return f"Read the rules: {settings.PUBLIC_URL}/rules/{match.game}"


def offers(context: Context) -> Iterator[Block]:
    """List the player's moves in a form that can be copied."""
    if context.seat is None:
        return
    loaded = context.loaded
    choices = loaded.engine.choices(context.state, context.seat.drawn)
    written = [loaded.engine.notation(move) for move in choices.moves[:MOST_OFFERS]]
    left_out = len(choices.moves) - len(written)
    how = "reply with 'moves'" if context.reply_address else unbroken(f"turnpost moves {loaded.match.id}")
    more = f"{left_out} more: {how}" if left_out else ""
    if choices.forms:
        yield Offers("Your move, for example", commands(loaded, [form.example for form in choices.forms]))
    if written:
        yield Offers("Your moves", linked(context, context.seat, commands(loaded, written)), more)
    yield from by_mail(context, [*written, *(form.example for form in choices.forms)])


def linked(context: Context, seat: Seat, offered: Sequence[Offer]) -> list[Offer]:
    turn = context.loaded.match.turn
    return [replace(offer, url=move_link(seat, context.address, turn, offer.notation)) for offer in offered]


def by_mail(context: Context, moves: Sequence[str]) -> Iterator[Words]:
    if context.reply_address and moves:
        yield Words(f"Or reply to this email with your move on the first line, for example: {unbroken(moves[0])}")


def commands(loaded: LoadedMatch, notations: Sequence[str]) -> list[Offer]:
    """Return the commands for these moves.

    They contain the turn, so that a command from an old email is refused once the board has changed.
    """
    match = loaded.match
    return [Offer(notation, f'turnpost play {match.id} "{notation}" --turn {match.turn}') for notation in notations]


def open_match(context: Context) -> Link:
    """Return a link that lets the recipient into this match. For people without a seat, it only leads to the page."""
    match_id = context.loaded.match.id
    url = entering_link(context.seat, context.address) if context.user and context.seat else match_page(match_id)
    return Link("Open the match", url)


def match_footer(context: Context) -> list[Words | Link]:
    if context.is_invitation:
        return invitation_footer(context, "you were offered a seat in this match")
    if context.seat is None:
        return [Words("You're receiving this email because you played in this match.")]
    play = "you played" if context.loaded.match.ended_at else "you're playing"
    return [
        Words(f"You're receiving this email because {play} in this match."),
        *([Words(REPLY_HINT)] if context.reply_address else []),
        *fingerprint(context.loaded.match),
        Link("Mute this match", unsubscribe_link(context)),
    ]


def fingerprint(match: Match) -> Iterator[Words]:
    """Show the fingerprint that players can compare.

    If two players see different fingerprints for the same event, the server has shown them different matches.
    """
    if match.head:
        at = "at the end" if match.end else f"after event {match.events_made}"
        shown = fairness.fingerprint(match.head)
        yield Words(f"Fingerprint of the match {at}: {shown}. Server key: {signatures.public_key()[:16]}.")


def invitation_footer(context: Context, why: str) -> list[Words | Link]:
    stop = "Stop invitations by email" if context.user else "Stop invitations to this address"
    return [Words(f"You're receiving this email because {why}."), Link(stop, unsubscribe_link(context))]
