"""The API matches its own document: no request breaks it, and every response is documented.

The tests cover every operation in the document, so a new endpoint is tested automatically.
"""

from itertools import cycle
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks
from schemathesis.config import SchemathesisConfig

from clock import proposals
from games.services import lobby
from tests.callers import caller, token_of
from tests.games.builders import plan, player, running_match, sitting

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
GENERATION: dict[str, Any] = {
    "phases": [Phase.explicit, Phase.generate],
    "derandomize": True,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}
document = schemathesis.openapi.from_wsgi(
    "/api/v1/openapi.json", get_wsgi_application(), config=SchemathesisConfig.from_dict({"color": False})
)


@pytest.fixture
def open_connection(db):
    """Keep the connection open.

    A request would close connections that seem unusable, such as one inside a test's transaction.
    """
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def token(open_connection):
    """Return the IDs of a user's matches: one that has not started, one that is running, and one that is finished."""
    return f"Bearer {token_of(caller(player('ann')))}"


@pytest.fixture
def matches(token):
    """Replace most random IDs with existing ones, because random values would never match a row."""
    gathering = lobby.create(player("ann"), plan()).match
    running = running_match(seats=2).match
    over = running_match(seats=2)
    for seat in over.seats:
        proposals.abandon(over.match.id, sitting(seat), agreed=True)
    return cycle([gathering.id, running.id, over.match.id, None])


@pytest.mark.any_database
@document.parametrize()
@settings(**GENERATION, max_examples=5)
def test_every_response_matches_the_document(case, token, matches):
    check(case, token, matches)


@pytest.mark.slow
@document.parametrize()
@settings(**GENERATION, max_examples=60)
def test_the_responses_to_many_requests_match_the_document(case, token, matches):
    check(case, token, matches)


def check(case, token, matches):
    if made_up := case.path_parameters.get("match_id"):
        case.path_parameters["match_id"] = next(matches) or made_up
    for headers in ({"Authorization": token}, None):
        case.call_and_validate(checks=CHECKS, headers=headers)
