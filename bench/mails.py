"""Count the emails that players get in a three-player match played only by mail, with and without standing orders.

The players are bots, as in `bench visits`. They read their mail a few hours after it arrives, and reply to the latest
email. If the service's response requires another reply, they send it within minutes. They write their moves in their
own words, with greetings and signatures (`bench.writers`), from different mail programs. Mail goes through a real mail
server.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import time_machine

from bench import mail_cost
from bench.scratch import database
from bench.visits import ALONE, COUNTY_ALONE, ORDERS, PLANS, RULES, Strategy
from bench.writers import Writer
from games.engine.dice import Dice
from games.engine.records import Move

SEATS, MATCHES = 3, 2
NAMES, MATCH_LETTERS = ("ada", "bo", "cy"), "ab"
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)
HOURS_TO_READ = 12
SOON = timedelta(minutes=2)
STRATEGIES = {"coloretto": (ALONE, RULES), "colorado-county": (COUNTY_ALONE, PLANS, ORDERS)}
MOST_MAILS = {"coloretto": 35, "colorado-county": 75}

Counts = Counter[str]
"""The number of emails by address, or of replies by result."""


def report() -> Iterator[str]:
    with database("sqlite"), mail_service() as server:
        yield from mail_cost.figures()
        yield f"emails per player in matches of {SEATS} played by mail, mean and most in {MATCHES} matches"
        replies = Counts()
        for game, strategies in STRATEGIES.items():
            for strategy in strategies:
                each = [
                    count
                    for number in range(MATCHES)
                    for count in mails_of(game, strategy, number, server, replies).values()
                ]
                yield f"{game:<17}{strategy.name:<13}{sum(each) / len(each):>8.1f}{max(each):>6}"
            result = "met" if max(each) <= MOST_MAILS[game] else "MISSED"
            yield f"  target: {game} with orders: {MOST_MAILS[game]} emails per player; at most {max(each)}: {result}"
        yield understood(replies)


def understood(replies: Counts) -> str:
    result = "met" if not replies["wrong"] else "MISSED"
    return (
        f"  target: no reply plays a move that its author didn't state; {replies['wrong']} of "
        f"{replies.total()} replies in people's own words, and {replies['asked']} answered with a question: {result}"
    )


@contextmanager
def mail_service() -> Iterator[Any]:
    from django.test.utils import override_settings

    from tests.mail_server import RecordingMailServer

    with (
        RecordingMailServer() as server,
        override_settings(
            EMAIL_BACKEND="notifications.mail.smtp_client.EmailBackend",
            EMAIL_HOST="127.0.0.1",
            EMAIL_PORT=server.port,
            REPLY_DOMAIN="play.example.org",
        ),
    ):
        yield server


def mails_of(game: str, strategy: Strategy, number: int, server: Any, replies: Counts) -> Counts:
    """Play a match to its end and return how many emails each player got. Count the replies by result."""
    server.arrived.clear()
    with time_machine.travel(BEGAN, tick=False) as clock:
        match = Postal(game, strategy, number, server, clock)
        counted = match.play()
        replies.update(match.results)
        return counted


class Postal:
    """A match by mail, with its players, their latest emails, and the time at which each of them will reply next."""

    def __init__(self, game: str, strategy: Strategy, number: int, server: Any, clock: Any) -> None:
        from tests.games.builders import running_match

        self.game, self.strategy, self.server, self.clock = game, strategy, server, clock
        self.will = Dice(number.to_bytes(32, "big"), 1)
        names = [f"{name}{game[:4]}{strategy.name[-4:]}{MATCH_LETTERS[number]}" for name in NAMES]
        self.writers = {
            name: Writer(name, names[seat - 1], Dice(number.to_bytes(32, "big"), 2 + seat))
            for seat, name in enumerate(names)
        }
        self.match_id = running_match(game, SEATS, players=names).match.id
        self.latest: dict[str, EmailMessage] = {}
        self.replies: dict[str, datetime] = {}
        self.counted, self.results = Counts(), Counts()

    def play(self) -> Counts:
        from games.models import Phase
        from games.selectors.loading import load_match

        while load_match(self.match_id).match.phase == Phase.RUNNING:
            self.deliver(timedelta(hours=1 + self.will.below(HOURS_TO_READ)))
            self.clock.move_to(self.next_event())
            for address in [address for address, at in self.replies.items() if at <= self.now]:
                self.reply(address)
        self.clock.shift(timedelta(hours=1))
        self.deliver(timedelta())
        return self.counted

    @property
    def now(self) -> datetime:
        return datetime.now(UTC)

    def next_event(self) -> datetime:
        """Return when the next reply will be written or the next email is due, whichever comes first."""
        from notifications.models import Delivery, Notification

        queued = Notification.objects.filter(delivery=Delivery.QUEUED, due_at__gt=self.now)
        due = queued.order_by("due_at").values_list("due_at", flat=True).first()
        return min([*self.replies.values(), *([due] if due else [])])

    def deliver(self, delay: timedelta) -> None:
        """Send all emails that are due. Players plan a reply to the first email they get while it is their turn."""
        from games.selectors.loading import load_match
        from notifications.mail.sender import deliver_due
        from tests.games.builders import sitting

        deliver_due()
        for mail in self.server.arrived:
            self.counted[mail["To"]] += 1
            if mail["Reply-To"]:
                self.latest[mail["To"]] = mail
        told = {mail["To"] for mail in self.server.arrived}
        self.server.arrived.clear()
        for seat in load_match(self.match_id).seats:
            address = sitting(seat).email
            if seat.awaited_since and address in told:
                self.replies.setdefault(address, self.now + delay)

    def reply(self, address: str) -> None:
        """Reply with a move, and with orders if the player gives any."""
        from games.selectors.loading import load_match
        from inbound.handling import handle_due
        from tests.games.builders import sitting
        from tests.inbound.letters import STYLES, deliver, reply

        del self.replies[address]
        loaded = load_match(self.match_id)
        seat = next(seat for seat in loaded.seats if sitting(seat).email == address)
        if not seat.awaited_since:
            return
        move = self.strategy.move(loaded.state, seat.drawn, self.will)
        writer = self.writers[sitting(seat).username]
        lines = self.lines(loaded, seat.drawn, move, writer)
        made = len(self.moves(seat.drawn))
        styles = [style for style in STYLES if style != "german" or is_latin("".join(lines))]
        deliver(reply(self.latest[address], *lines, style=self.will.choice(styles)))
        handle_due()
        self.note(loaded.engine.notation(move), self.moves(seat.drawn)[made:])
        self.deliver(SOON)

    def moves(self, seat: int) -> list[tuple[str, str]]:
        """Return the moves that a seat has made, each with who or what made it."""
        from games.models import Move as Made
        from games.selectors.history import content
        from games.selectors.loading import load_match

        game = load_match(self.match_id).engine
        rows = Made.objects.filter(match=self.match_id, seat=seat).order_by("number")
        return [(row.source, game.notation(game.moves.load(content(row)))) for row in rows]

    def note(self, meant: str, made: list[tuple[str, str]]) -> None:
        """Record whether the move in a reply was understood."""
        from games.models import Source

        by_mail = [notation for source, notation in made if source == Source.MAIL]
        is_wrong = any(notation != meant for notation in by_mail)
        self.results["wrong" if is_wrong else "played" if made else "asked"] += 1

    def lines(self, loaded: Any, seat: int, move: Move, writer: Writer) -> list[str]:
        """Write the orders above the move, unless one of the orders makes the move."""
        written, orders = loaded.engine.notation(move), self.strategy.orders(loaded.state, seat, move)
        off = ["order off"] if loaded.seats[seat].encrypted_orders else []
        given = [*off, *map(writer.order, orders)] if orders else []
        return given if written in orders else [*given, writer.reply(self.game, written)]


def is_latin(text: str) -> bool:
    """Return whether an old mail program can send a text without replacing characters with question marks."""
    return all(ord(sign) < 256 for sign in text)
