"""A position that another version has stored: an older one is served and played on, of a newer one people are told."""

import json

import pytest

from games import vault
from games.engine.registry import engines
from games.mail.sender import deliver_due
from games.models import Match, Move, Notice
from games.models.notice import Delivery
from games.table import lay_table
from tests.engine.sampling import path
from tests.games.builders import running_match, sitting
from tests.games.mail.conftest import sink

__all__ = ["sink"]

pytestmark = pytest.mark.django_db
SAMPLES = [(engine, schema) for engine in engines() for schema in range(1, engine.states.schema + 1)]
WHERE = ("", "/choices", "/log")


def ids(value):
    return getattr(value, "slug", f"schema {value}")


def stored(engine, schema):
    """The positions of that schema in which somebody is to act, as bytes."""
    for record in json.loads(path(engine.slug, schema).read_text("utf-8"))["states"]:
        written = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        if engine.awaiting(engine.states.load(written)):
            yield written


def match_at(engine, written):
    """A running match whose stored position is this one, asking whom it asks."""
    seats = len(engine.view(engine.states.load(written), None).players)
    table = running_match(engine.slug, seats)
    Match.objects.filter(pk=table.match.pk).update(locked_state=vault.lock(written))
    return lay_table(table.match.id)


def ask(api, table, seat, what):
    return api(sitting(table.seats[seat])).get(f"/api/v1/matches/{table.match.id}{what}")


@pytest.mark.parametrize(("engine", "schema"), SAMPLES, ids=ids)
def test_every_stored_position_is_served_and_played_on(engine, schema, api):
    for written in stored(engine, schema):
        table = match_at(engine, written)
        for seat in range(len(table.seats)):
            assert {ask(api, table, seat, what).status_code for what in WHERE} == {200}
        mover = min(engine.awaiting(table.state))
        move = engine.notation(engine.on_timeout(table.state, mover))
        body = {"move": move, "turn": table.match.turn}
        answer = api(sitting(table.seats[mover])).post(f"/api/v1/matches/{table.match.id}/moves", body)
        assert answer.status_code == 200, answer.json()
        kept = json.loads(vault.unlock(Match.objects.get(pk=table.match.pk).locked_state))
        assert kept["schema"] == engine.states.schema


@pytest.mark.parametrize("engine", engines(), ids=ids)
class TestOfANewerVersion:
    """As while the processes of a service are exchanged one by one, or after a step back."""

    @pytest.fixture
    def table(self, engine):
        table = running_match(engine.slug)
        mover = min(engine.awaiting(table.state))
        table.order = {"move": engine.notation(engine.on_timeout(table.state, mover)), "turn": table.match.turn}
        newer = json.loads(vault.unlock(table.match.locked_state)) | {"schema": 99, "unheard_of": True}
        Match.objects.filter(pk=table.match.pk).update(locked_state=vault.lock(json.dumps(newer).encode()))
        return table

    def test_whoever_looks_or_moves_is_told_to_try_again_and_nothing_is_changed(self, engine, table, api):
        for seat in range(len(table.seats)):
            moved = api(sitting(table.seats[seat])).post(f"/api/v1/matches/{table.match.id}/moves", table.order)
            for answer in (ask(api, table, seat, ""), ask(api, table, seat, "/choices"), moved):
                assert answer.status_code == 503
                assert answer.json()["code"] == "being_updated"
                assert answer.headers["Retry-After"]
        assert not Move.objects.exists()

    def test_its_notices_wait(self, engine, table, sink):
        deliver_due()
        assert Notice.objects.filter(kind="your_turn", delivery=Delivery.QUEUED).exists()
