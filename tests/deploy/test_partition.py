"""The tables that grow with every move can be partitioned by match."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from games.engine.proof import verify
from games.models import Event, Move
from games.selectors import proofs
from games.selectors.loading import load_match
from tests.acceptance.storm.parts import ROOT
from tests.databases import postgresql_only
from tests.games.builders import play_some, running_match

SCRIPT = ROOT / "deploy" / "partition.sql"


@pytest.mark.django_db
@postgresql_only
def test_a_match_continues_and_can_be_proven_with_partitioned_tables():
    table = play_some(running_match("colorado-county", seats=2), 10)
    before = list(Move.objects.order_by("id").values()), list(Event.objects.order_by("id").values())
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(SCRIPT.read_text())
        cursor.execute(
            "SELECT count(*) FROM pg_inherits WHERE inhparent IN ('games_event'::regclass, 'games_move'::regclass)"
        )
        assert cursor.fetchone() == (32,)
    assert before == (list(Move.objects.order_by("id").values()), list(Event.objects.order_by("id").values()))
    table = play_some(load_match(table.match.id))
    verify(proofs.proof(table))
    said = StringIO()
    call_command("audit", stdout=said)
    assert said.getvalue() == "Replayed 1 match. No differences found.\n"
    with pytest.raises(IntegrityError), transaction.atomic():
        Move.objects.create(**Move.objects.values().order_by("number")[0] | {"id": None})
