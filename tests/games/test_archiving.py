"""An archive replaces a match's moves and events, and contains all their fields."""

import re
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from core import vault
from games.models import ArchivedLog, Event, Match, Move
from games.selectors import match_log, packed_log
from games.selectors.loading import load_match
from games.services import archiving
from games.services.audit import audit
from tests.games.builders import play_some, running_match, say
from tests.not_none import not_none

pytestmark = pytest.mark.django_db


def fields_of(rows):
    """Return everything that is stored about moves or events, decrypted."""
    names = packed_log.MOVE if isinstance(rows[0], Move) else packed_log.EVENT
    return [[packed_log.plain(row, name) for name in names] for row in rows]


def whole_log(match_id):
    loaded = load_match(match_id)
    return fields_of(match_log.moves(loaded)), fields_of(match_log.events(loaded))


@pytest.fixture
def ended(hush):
    """Return the ID of a match with replaced, withdrawn and voided moves, and with private events."""
    table = running_match("hush")
    for seat, move in [(0, "name 2"), (0, "name 3"), (1, "name 4"), (1, "withdraw"), (1, "name 1"), (2, "ring")]:
        say(table, seat, move)
    return play_some(table).match.id


@pytest.fixture
def at_once(settings):
    settings.ARCHIVE_AFTER = timedelta()


@pytest.mark.parametrize("game", ["coloretto", pytest.param("colorado-county", marks=pytest.mark.slow)])
def test_a_real_match_is_restored_unchanged_and_its_archive_is_small(game):
    match_id = play_some(running_match(game, 3)).match.id
    before, state = whole_log(match_id), load_match(match_id).state
    archiving.archive(match_id)
    assert whole_log(match_id) == before
    assert load_match(match_id).state == state
    assert len(ArchivedLog.objects.get().content) < 12_000


def test_sealed_and_private_parts_are_restored_without_their_rows(ended):
    before = whole_log(ended)
    assert archiving.archive(ended)
    assert not Move.objects.exists()
    assert not Event.objects.exists()
    assert whole_log(ended) == before
    assert list(audit()) == [(ended, None)]


def test_a_match_is_archived_only_once(ended):
    assert archiving.archive(ended)
    assert not archiving.archive(ended)


def test_operators_see_the_same_log_before_and_after_archiving(ended, operator):
    page = reverse("admin:games_match_change", args=[ended])
    before = operator.get(page).content
    archiving.archive(ended)
    assert b"hidden from some players" in before
    assert without_tokens(operator.get(page).content) == without_tokens(before)


def without_tokens(page):
    return re.sub(rb'name="csrfmiddlewaretoken" value="[^"]*"', b"", page)


def test_an_archive_shows_no_secret_to_people_with_a_copy_of_the_database(ended):
    archiving.archive(ended)
    stored = bytes(ArchivedLog.objects.get().content)
    assert vault.from_bytes(stored).startswith("gAAAA")
    assert b"name" not in stored


def test_a_match_that_was_loaded_before_it_was_archived_can_still_be_read(ended):
    before, loaded = whole_log(ended), load_match(ended)
    archiving.archive(ended)
    assert (fields_of(match_log.moves(loaded)), fields_of(match_log.events(loaded))) == before
    assert match_log.events_after([(load_match(ended), 3)])[ended][0].number == 4


def test_a_range_of_events_is_the_same_from_rows_and_from_an_archive(ended):
    ranges: list[dict[str, Any]] = [
        {"after": 3, "most": 2},
        {"before": 5, "newest_first": True, "most": 3},
        {"turn": 1},
        {"after_turn": 1, "newest_first": True, "most": 4},
        {"after": 10_000},
    ]

    def numbers():
        return [[event.number for event in match_log.events(load_match(ended), **one)] for one in ranges]

    before = numbers()
    archiving.archive(ended)
    assert numbers() == before


def test_a_log_that_contradicts_itself_is_archived_unchanged(ended):
    Event.objects.filter(number=2).update(hash="0" * 64)
    Event.objects.exclude(cause="").filter(number__gt=4).update(cause="{}")
    before, found = whole_log(ended), list(audit())
    archiving.archive(ended)
    assert whole_log(ended) == before
    assert list(audit()) == found == [(ended, "event 2 does not match the moves")]


def test_only_matches_that_ended_long_enough_ago_are_archived(ended, settings):
    settings.ARCHIVE_AFTER = timedelta(days=7)
    running_match("hush")
    now = not_none(Match.objects.get(pk=ended).ended_at) + timedelta(days=7)
    assert archiving.archive_due(now - timedelta(seconds=1)) == 0
    assert archiving.archive_due(now) == 1
    assert list(ArchivedLog.objects.values_list("match", flat=True)) == [ended]


def test_a_run_archives_a_limited_number_of_matches_and_the_next_run_continues(hush, at_once, monkeypatch):
    monkeypatch.setattr(archiving, "BATCH", 2)
    for _ in range(4):
        play_some(running_match("hush"))
    assert archiving.archive_due(timezone.now(), most=3) == 3
    assert archiving.archive_due(timezone.now(), most=3) == 1


def test_a_match_whose_key_is_missing_is_not_archived_and_does_not_block_others(ended, at_once, settings, caplog):
    known = settings.VAULT_KEYS
    settings.VAULT_KEYS = [Fernet.generate_key().decode()]
    other = play_some(running_match("hush")).match.id
    assert archiving.archive_due(timezone.now()) == 1
    assert f"Match {ended} can't be archived" in caplog.text
    settings.VAULT_KEYS = [*settings.VAULT_KEYS, *known]
    assert archiving.archive_due(timezone.now()) == 1
    assert set(ArchivedLog.objects.values_list("match", flat=True)) == {ended, other}


def test_archives_can_be_encrypted_again_with_a_new_key(ended, settings):
    before = whole_log(ended)
    archiving.archive(ended)
    settings.VAULT_KEYS = [Fernet.generate_key().decode(), *settings.VAULT_KEYS]
    call_command("reencrypt", stdout=StringIO())
    settings.VAULT_KEYS = settings.VAULT_KEYS[:1]
    assert whole_log(ended) == before


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_nothing_changes_if_archiving_fails(ended, monkeypatch):
    before = whole_log(ended)
    monkeypatch.setattr(vault, "encrypt", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        archiving.archive(ended)
    assert whole_log(ended) == before
