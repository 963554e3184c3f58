"""The comparison of responses with those of an earlier version names what differs."""

import secrets
from unittest.mock import patch

from bench.answers import compared, differences, repeatable

PATH = "GET /api/v1/matches/abc"


def test_new_and_missing_and_changed_fields_are_named():
    before, now = (PATH, 200, '{"turn":1,"seats":[{"id":1}]}'), (PATH, 200, '{"turn":2,"seats":[{}],"head":""}')
    assert set(differences(before, now)) == {".turn differs", ".seats[].id is gone", ".head is new"}


def test_a_different_field_order_or_status_counts_as_a_difference():
    assert list(differences((PATH, 200, '{"a":1,"b":2}'), (PATH, 200, '{"b":2,"a":1}'))) == [
        "only the order or spelling of fields"
    ]
    assert list(differences((PATH, 200, "{}"), (PATH, 404, "{}"))) == ["200 became 404"]


def test_identical_responses_are_counted():
    same = [(PATH, 200, "{}")]
    assert list(compared("coloretto", same, same)) == ["coloretto: 1 of 1 responses are identical (1 now)"]


def test_the_same_caller_gets_the_same_secrets_in_every_run():
    def drawn():
        with patch.multiple(secrets, **repeatable()):
            return [secrets.token_hex(4), secrets.token_hex(4)]

    first = drawn()
    assert first == drawn()
    assert len(set(first)) == 2
