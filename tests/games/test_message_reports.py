"""Players report messages to the operators."""

import pytest

from core.problems import status_of
from core.refusals import Refused
from games.models import Message, Report
from games.services import chat
from tests.games.builders import player, running_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    return running_match(seats=2)


@pytest.fixture
def message(table):
    return chat.post_message(table.match.id, player("ann"), "You fool")


def refusal(call, *args):
    with pytest.raises(Refused) as refused:
        call(*args)
    return status_of(refused.value), refused.value.code


def test_a_report_keeps_the_text_even_if_the_message_is_deleted(table, message):
    chat.report_message(table.match.id, player("ben"), message.pk, "Insult")
    message.delete()
    report = Report.objects.get()
    assert (report.text, report.author, report.reason) == ("You fool", player("ann"), "Insult")


def test_a_message_is_reported_only_once_by_each_player(table, message):
    for _ in range(2):
        chat.report_message(table.match.id, player("ben"), message.pk, "")
    assert Report.objects.count() == 1


def test_players_can_report_only_messages_by_others_in_their_own_matches(table, message):
    assert refusal(chat.report_message, table.match.id, player("ann"), message.pk, "") == (409, "your_own_message")
    assert refusal(chat.report_message, table.match.id, player("ben"), 0, "") == (404, "no_such_message")
    assert refusal(chat.report_message, table.match.id, player("dora"), message.pk, "") == (403, "not_your_match")


def test_operators_read_and_close_reports_and_delete_messages(operator, table, message):
    report = chat.report_message(table.match.id, player("ben"), message.pk, "Insult")
    page = "/admin/games/report/"
    assert "You fool" in operator.get(page).content.decode()
    operator.post(page, {"action": "delete_messages", "_selected_action": [report.pk]})
    assert not Message.objects.exists()
    assert Report.objects.get().closed_at
    assert operator.get(f"{page}{report.pk}/change/").status_code == 200
