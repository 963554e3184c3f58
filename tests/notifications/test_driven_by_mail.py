"""Play whole matches with only mail and the clock. There are four players, one of whom never acts.

Players act only when an email asks them to, and start with a move copied from it. They see the next step of a turn in
the response. Time passes only when nobody has anything left to do.
"""

import re
from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from django.db.models import F

from config.celery import app
from games.models import Move, Phase, Seat
from games.models.pace import Pace
from games.selectors.loading import load_match
from games.services.audit import first_difference
from notifications import outbox
from notifications.models import Delivery, Notification
from tests.callers import caller
from tests.games.builders import running_match, sitting
from tests.waiting import until
from tests.workers import worker_thread

pytestmark = pytest.mark.django_db(transaction=True)

OFFER = re.compile(r'turnpost play (?P<match>\S+) "(?P<move>[^"]+)" --turn (?P<turn>\d+)')
DAY = timedelta(days=1)


class Player:
    def __init__(self, user, table):
        self.client = caller(user)
        self.match = f"/api/v1/matches/{table.match.id}"
        self.seat = table.seat_of(user.pk).number
        self.acted = 0

    def read(self, mail):
        text = mail.get_body(["plain"]).get_content().replace("\n", " ")
        if offers := OFFER.findall(text):
            _, move, turn = offers[self.acted % len(offers)]
            self.play(move, int(turn))

    def play(self, move, turn):
        """Play all steps of the turn. A move from an old email is refused."""
        answer = self.client.post(f"{self.match}/moves", {"move": move, "turn": turn}).json()
        while "events" in answer and self.seat in answer["awaiting"]:
            self.acted += 1
            choices = self.client.get(f"{self.match}/choices").json()
            written = [each["notation"] for each in choices["moves"]] or [form["example"] for form in choices["forms"]]
            body = {"move": written[self.acted % len(written)], "turn": choices["turn"]}
            answer = self.client.post(f"{self.match}/moves", body).json()
        assert "events" in answer or answer["code"] in ("stale", "not_running"), answer


def nothing_waits():
    return not Notification.objects.filter(delivery__in=outbox.QUEUE.waiting).exists()


def has_more_moves(before):
    return Move.objects.count() > before


def let_time_pass(table):
    """Move all running clocks forward by two days, and run a sweep."""
    running = Seat.objects.filter(match=table.match, counted_from__isnull=False)
    running.update(**{name: F(name) - 2 * DAY for name in ("counted_from", "deadline", "wake_at")})
    app.send_task("clock.sweep")


def play_by_mail(table, mail_server, absent):
    players = {seat.user.email: Player(seat.user, table) for seat in table.seats if seat.user != absent}
    read = 0
    while load_match(table.match.id).match.phase == Phase.RUNNING:
        for mail in mail_server.arrived[read:]:
            read += 1
            if player := players.get(mail["To"]):
                player.read(mail)
        assert until(nothing_waits)
        if len(mail_server.arrived) == read:
            before = Move.objects.count()
            let_time_pass(table)
            assert until(partial(has_more_moves, before)), "Neither mail nor the clock makes progress."


@pytest.mark.parametrize("game", ["coloretto", pytest.param("colorado-county", marks=pytest.mark.slow)])
def test_a_match_with_an_absent_player_can_be_finished_by_mail_and_the_clock_alone(game, mail_server):
    table = running_match(game, 4, pace=Pace(DAY))
    absent = table.seats[2].user
    with worker_thread(app):
        play_by_mail(table, mail_server, absent)
        assert until(nothing_waits)
    table = load_match(table.match.id)
    assert table.match.phase == Phase.FINISHED
    assert table.seats[2].has_stand_in
    assert set(Move.objects.filter(seat=2).values_list("source", flat=True)) == {"time_out", "stand_in"}
    told = [mail["To"] for mail in mail_server.arrived if mail["X-Turnpost-Kind"] == "match_over"]
    assert sorted(told) == sorted(sitting(seat).email for seat in table.seats)
    assert first_difference(table) is None
    check_count(mail_server)


def check_count(mail_server):
    """Check that every notification was sent or suppressed, and that every email that was sent arrived exactly once."""
    states = Counter(Notification.objects.values_list("delivery", flat=True))
    assert set(states) <= {Delivery.SENT, Delivery.SUPPRESSED}
    arrived = Counter(mail["Message-ID"] for mail in mail_server.arrived)
    assert len(arrived) == arrived.total() == states[Delivery.SENT]
