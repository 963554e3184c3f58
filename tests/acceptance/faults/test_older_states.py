"""Positions stored by older versions still work. Unreadable positions cause a clear error."""

import json
from contextlib import contextmanager

import pytest
from cryptography.fernet import Fernet
from django.utils import timezone

from core import vault
from games.engine.records import Codec
from games.engine.registry import engines
from games.models import Match, Move
from games.selectors.loading import load_match
from games.services.audit import audit
from inbound.handling import handle_due
from inbound.models import InboundMail, MailResult
from notifications.mail.sender import deliver_due
from notifications.models import Delivery, Notification, NotificationKind
from tests.games.builders import play_some, running_match, sitting
from tests.games.engine.sampling import path
from tests.inbound.letters import deliver, reply

pytestmark = pytest.mark.django_db
SAMPLES = [(engine, schema) for engine in engines() for schema in range(1, engine.states.schema + 1)]
WHERE = ("", "/choices", "/log")


def ids(value):
    return getattr(value, "slug", f"schema {value}")


def stored(engine, schema):
    """Yield the positions stored with this schema version in which somebody has to move."""
    for record in json.loads(path(engine.slug, schema).read_text("utf-8"))["states"]:
        written = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        if engine.awaiting(engine.states.load(written)):
            yield written


def match_at(engine, written):
    """Create a running match with this stored position."""
    seats = len(engine.view(engine.states.load(written), None).players)
    table = running_match(engine.slug, seats)
    Match.objects.filter(pk=table.match.pk).update(encrypted_state=vault.encrypt(written))
    return load_match(table.match.id)


def ask(api, table, seat, what):
    return api(sitting(table.seats[seat])).get(f"/api/v1/matches/{table.match.id}{what}")


@pytest.mark.parametrize(("engine", "schema"), SAMPLES, ids=ids)
def test_every_stored_position_can_be_viewed_and_played(engine, schema, api):
    for written in stored(engine, schema):
        table = match_at(engine, written)
        for seat in range(len(table.seats)):
            assert {ask(api, table, seat, what).status_code for what in WHERE} == {200}
        mover = min(engine.awaiting(table.state))
        move = engine.notation(engine.on_timeout(table.state, mover))
        body = {"move": move, "turn": table.match.turn}
        answer = api(sitting(table.seats[mover])).post(f"/api/v1/matches/{table.match.id}/moves", body)
        assert answer.status_code == 200, answer.json()
        kept = json.loads(vault.decrypt(Match.objects.get(pk=table.match.pk).encrypted_state))
        assert kept["schema"] == engine.states.schema


class TestOfTheVersionBefore:
    """An older schema, in which the number of seats had a different name."""

    @pytest.fixture(params=engines(), ids=ids)
    def engine(self, request, monkeypatch):
        states = request.param.states
        upgrades = states.upgrades | {states.schema - 1: self.read}
        monkeypatch.setattr(request.param, "states", Codec(states.kind, states.schema, upgrades))
        return request.param

    @staticmethod
    def read(record):
        return {"seats" if name == "players_at_the_table" else name: value for name, value in record.items()}

    def as_it_was(self, match):
        record = json.loads(vault.decrypt(match.encrypted_state))
        was = {"players_at_the_table" if name == "seats" else name: value for name, value in record.items()}
        return vault.encrypt(json.dumps(was | {"schema": record["schema"] - 1}).encode())

    def test_a_match_can_be_viewed_and_audited_and_played(self, engine, api):
        table = play_some(running_match(engine.slug), 3)
        Match.objects.update(encrypted_state=self.as_it_was(table.match))
        assert list(audit()) == [(table.match.id, None)]
        for seat in range(len(table.seats)):
            assert {ask(api, table, seat, what).status_code for what in WHERE} == {200}
        play_some(table, 1)
        assert list(audit()) == [(table.match.id, None)]
        kept = json.loads(vault.decrypt(Match.objects.get().encrypted_state))
        assert (kept["schema"], "seats" in kept) == (engine.states.schema, True)


def newer(written):
    """Return a position in the next schema, as found during a rolling upgrade or after a rollback."""
    return vault.encrypt(json.dumps(json.loads(written) | {"schema": 99, "unheard_of": True}).encode())


def garbled(written):
    return vault.encrypt(written[:-1])


def under_a_lost_key(written):
    return Fernet(Fernet.generate_key()).encrypt(written).decode()


TOLD = {
    newer: (503, "being_updated", "The service is being updated."),
    garbled: (500, "server_error", "Something went wrong on our side."),
    under_a_lost_key: (500, "server_error", "Something went wrong on our side."),
}


@pytest.mark.parametrize("engine", engines(), ids=ids)
@pytest.mark.parametrize("damage", TOLD, ids=lambda damage: damage.__name__)
class TestThatCannotBeRead:
    @pytest.fixture
    def table(self, engine):
        return running_match(engine.slug)

    @pytest.fixture
    def order(self, engine, table):
        return engine.notation(engine.on_timeout(table.state, self.mover(table).number))

    def mover(self, table):
        return table.seats[min(table.engine.awaiting(table.state))]

    @contextmanager
    def damaged(self, table, damage):
        """Make the position unreadable during the block.

        After the block it is readable again, as if the next version were running or the key had been restored.
        """
        match, sound = Match.objects.filter(pk=table.match.pk), table.match.encrypted_state
        match.update(encrypted_state=damage(vault.decrypt(sound)))
        yield
        match.update(encrypted_state=sound)

    def test_viewing_or_playing_an_unreadable_match_causes_a_clear_error_and_changes_nothing(
        self, table, damage, order, api
    ):
        address, body = f"/api/v1/matches/{table.match.id}", {"move": order, "turn": table.match.turn}
        with self.damaged(table, damage):
            for seat in table.seats:
                caller = api(sitting(seat))
                caller.raise_request_exception = False
                looks = [caller.get(address), caller.get(f"{address}/choices")]
                moves = [caller.post(f"{address}/moves{how}", body) for how in ("", "?dry_run=1")]
                for answer in (*looks, *moves):
                    self.must_tell(damage, answer)
        assert not Move.objects.exists()

    def must_tell(self, damage, answer):
        told = answer.json()
        assert (answer.status_code, told["code"], told["message"]) == TOLD[damage]
        assert ("Retry-After" in answer.headers) == (answer.status_code == 503)

    def test_the_page_shows_the_same_error_as_the_api(self, table, damage, client):
        client.raise_request_exception = False
        status, _, sentence = TOLD[damage]
        with self.damaged(table, damage):
            answer = client.get(f"/matches/{table.match.id}", HTTP_X_REQUEST_ID="my-request-7")
        assert answer.status_code == status
        assert ("Retry-After" in answer.headers) == (status == 503)
        assert sentence.rstrip(".") in answer.content.decode(), "The page shows the message as its heading."
        assert ("my-request-7" in answer.content.decode()) == (status == 500), "Operators can find the log line by it."
        assert client.get(f"/matches/{table.match.id}").status_code == 200

    def test_notifications_about_the_match_wait_until_it_can_be_read(self, table, damage, mail_server):
        asked = Notification.objects.filter(kind=NotificationKind.YOUR_TURN)
        with self.damaged(table, damage):
            deliver_due()
            assert set(asked.values_list("delivery", flat=True)) == {Delivery.QUEUED}
        Notification.objects.update(due_at=timezone.now())
        deliver_due()
        assert set(asked.values_list("delivery", flat=True)) == {Delivery.SENT}

    def test_a_move_by_mail_is_played_once_the_match_can_be_read_again(
        self, table, damage, order, mail_server, settings
    ):
        settings.REPLY_DOMAIN = "play.example.org"
        deliver_due()
        address = sitting(self.mover(table)).email
        (mail,) = [
            mail for mail in mail_server.arrived if mail["To"] == address and mail["X-Turnpost-Kind"] == "your_turn"
        ]
        with self.damaged(table, damage):
            deliver(reply(mail, order))
            handle_due()
            assert InboundMail.objects.get().result == MailResult.WAITING
            assert not Move.objects.exists()
        InboundMail.objects.update(due_at=timezone.now())
        handle_due()
        assert InboundMail.objects.get().result == MailResult.ACCEPTED
        assert Move.objects.count() == 1
