import sys

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, ProgrammingError, connection

from config.sentences import in_a_sentence


def test_a_database_that_cannot_be_reached_is_a_sentence_of_one_line():
    with (
        pytest.raises(SystemExit, match=r"used: connection refused\. Is DATABASE_URL right"),
        in_a_sentence(),
    ):
        raise OperationalError("connection refused\n\tIs the server running?")


@pytest.mark.django_db
def test_a_database_without_tables_is_a_sentence():
    with pytest.raises(SystemExit, match=r"no_such_table.* was manage\.py migrate run"), in_a_sentence():
        connection.cursor().execute("SELECT * FROM no_such_table")


def test_a_wrong_query_is_our_mistake_and_has_its_traceback():
    with pytest.raises(ProgrammingError), in_a_sentence():
        raise ProgrammingError('column "x" does not exist')


def test_whoever_asks_for_a_traceback_gets_it(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["manage.py", "check", "--traceback"])
    with pytest.raises(ImproperlyConfigured), in_a_sentence():
        raise ImproperlyConfigured("PORT is no number.")
