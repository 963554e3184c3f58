"""Four people play whole matches of every game at once: one on a phone, one by keyboard, one without JavaScript, and
one by email."""

import re

import pytest

from games.models import Move, Phase
from games.selectors.loading import load_match
from notifications.mail.sender import deliver_due
from tests.games.builders import player, running_match, sitting
from tests.inbound.letters import exchange, reply, text_of
from tests.web.browser.people import ByKeyboard, Person, WithAFinger
from tests.web.browser.windows import DESKTOP, PHONE, look

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.any_database]
GAMES = ["coloretto", "colorado-county"]
OFFER = re.compile(r'turnpost play \S+ "([^"]+)" --turn (\d+)')
MORE_MOVES_THAN_ANY_MATCH = 1000
A_FEW = 12


class ByMail:
    """A player who answers the latest email with the last move that it offers."""

    def __init__(self, mail_server, name):
        self.mail_server, self.address = mail_server, f"{name}@example.org"

    def move(self):
        deliver_due()
        mail = [mail for mail in self.mail_server.arrived if mail["To"] == self.address][-1]
        offered = OFFER.findall(text_of(mail).replace("\n", " "))
        exchange(reply(mail, offered[-1][0]))


@pytest.fixture
def four(visit, mail_server, settings):
    settings.REPLY_DOMAIN = "play.example.org"

    def sit_down(game):
        table = running_match(game, seats=4)
        match_id = table.match.id
        return table, {
            "ann": WithAFinger(visit(player("ann"), width=PHONE), match_id),
            "ben": ByKeyboard(visit(player("ben"), width=DESKTOP), match_id),
            "cleo": Person(visit(player("cleo"), scripts=False), match_id),
            "dora": ByMail(mail_server, "dora"),
        }

    return sit_down


def play(table, people, most=MORE_MOVES_THAN_ANY_MATCH):
    """Make a move for everyone whose turn it is."""
    for _ in range(most):
        awaited = [seat for seat in load_match(table.match.id).seats if seat.awaited_since]
        if not awaited:
            break
        before = Move.objects.count()
        people[sitting(awaited[0]).username].move()
        assert Move.objects.count() > before
    return load_match(table.match.id)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_each_player_can_make_a_first_move(four, game):
    table, people = four(game)
    assert play(table, people, A_FEW).match.phase == Phase.RUNNING
    assert set(Move.objects.values_list("source", flat=True)) == {"web", "mail"}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_four_people_can_play_a_whole_match_by_touch_and_keyboard_and_email_and_without_javascript(four, game):
    table, people = four(game)
    assert play(table, people).match.phase == Phase.FINISHED
    for person in (people["ann"], people["ben"]):
        person.visit.go(f"/matches/{table.match.id}")
        look(person.visit)
