"""The secrecy tests cover new endpoints, pages, emails and commands.

If they do not, a test in this file says what to add.
"""

import re
from pathlib import Path
from typing import get_args

from django.core.management import get_commands

from games.engine.registry import engines
from inbound.reading import commands, reply
from inbound.reading.position import Position
from notifications.letters import WRITERS
from notifications.webhooks import service
from tests.acceptance.secrecy import api, command_line, operators, outgoing, replies
from tests.acceptance.security.calls import CALLS, UNUSUAL, operation, parameters
from tests.acceptance.security.endpoints import PAGE_NAMES, pages
from tests.cli.all_commands import all_commands

ROOT = Path(__file__).parents[3]
NAMED = {"match_id", "slug", "number", "token", "vacation_id", "token_id", "session_id", "registration_id", "username"}


def test_every_path_parameter_has_a_value():
    """To fix this test, add a value for the parameter to Sandbox.names."""
    assert {name for method, path in CALLS for name in parameters(method, path, "path")} <= NAMED


def test_every_page_is_covered_or_shows_no_match():
    """A page with another parameter needs code in `api` that fills it in."""
    assert {name for page in api.PAGES for name in re.findall(r"{(\w+)}", page)} <= {"match_id", *PAGE_NAMES}
    assert set(pages()) >= api.OTHER_PAGES
    assert not [page for page in api.OTHER_PAGES if "{match_id}" in page]


def test_every_query_parameter_has_a_value_or_is_a_cursor():
    """Numbers and switches need a default, so that `calls.queries` can try another value."""
    asked = [one for call in CALLS for one in operation(*call).get("parameters", []) if one["in"] == "query"]
    free = {one["name"] for one in asked if "enum" not in one["schema"] and "default" not in one["schema"]}
    assert free == {"cursor", "after"}, "`api.stream` sends `after`"
    assert {one["schema"]["type"] for one in asked if "default" in one["schema"]} <= {*UNUSUAL, "string"}


def test_every_kind_of_email_is_covered_or_is_not_about_a_match():
    assert set(WRITERS) == set(outgoing.FACTS) | outgoing.OF_ACCOUNTS


def test_every_email_command_is_tried():
    engine = engines()[0]
    moves = [example for example, _ in engine.notation_help]
    given = {type(command) for line in [*replies.LINES, *moves] for command in reply.read([line], Position(engine))}
    assert given == set(get_args(commands.Command))


def test_every_kind_of_webhook_call_is_covered():
    assert set(service.KINDS) <= set(outgoing.FACTS)


def test_every_client_command_is_covered_or_shows_no_match():
    assert set(all_commands()) == set(command_line.READING) | set(command_line.ACTING) | command_line.WITHOUT_A_MATCH


def test_every_management_command_is_covered_or_only_runs_the_service():
    written = {path.stem for path in ROOT.glob("*/management/commands/[!_]*.py")}
    known = {name for name, app in get_commands().items() if (ROOT / app).is_dir()}
    assert written == known == set(operators.COMMANDS) | operators.RUN_THE_SERVICE


def test_the_metrics_tests_ignore_only_durations():
    told = (
        'turnpost_move_letters_sum{game="hush"} 7',
        'turnpost_move_letters_bucket{le="8"} 1',
        "turnpost_moves_total 1",
    )
    assert not any(map(operators.TAKES_TIME.search, told))
    assert operators.TAKES_TIME.search('turnpost_request_seconds_sum{method="GET"} 0.1')
