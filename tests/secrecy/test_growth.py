"""Whatever is added to the service is looked at too, or one of these says what to add."""

from django.core.management import get_commands

from cli.contents import COMMANDS
from games.hooks import webhooks
from games.mail.letters import WRITERS
from tests.secrecy import operators, post, terminal
from tests.security.calls import CALLS, UNUSUAL, operation, parameters

OURS = {"accounts", "games", "metrics", "rest"}
NAMED = {"match_id", "slug", "number", "token", "vacation_id", "token_id", "registration_id"}


def test_every_parameter_of_an_address_has_something_to_name():
    """Stage.names says what; with it, a new endpoint is asked like all others."""
    assert {name for method, path in CALLS for name in parameters(method, path, "path")} <= NAMED


def test_every_parameter_of_a_question_is_filled_in_or_followed():
    """A number or a switch has a default, so that something else can be asked for; calls.queries finds it."""
    asked = [one for call in CALLS for one in operation(*call).get("parameters", []) if one["in"] == "query"]
    free = {one["name"] for one in asked if "enum" not in one["schema"] and "default" not in one["schema"]}
    assert free == {"cursor"}
    assert {one["schema"]["type"] for one in asked if "default" in one["schema"]} <= {*UNUSUAL, "string"}


def test_every_kind_of_letter_is_written_or_knows_of_no_match():
    assert set(WRITERS) == set(post.FACTS) | post.OF_ACCOUNTS


def test_webhooks_are_called_with_nothing_that_is_not_looked_at():
    assert set(webhooks.KINDS) <= set(post.FACTS)


def test_every_command_of_the_command_line_is_run_or_is_about_no_match():
    assert set(COMMANDS) == set(terminal.READING) | set(terminal.ACTING) | terminal.OF_NO_MATCH


def test_every_command_for_operators_is_run_or_only_runs_the_service():
    ours = {name for name, app in get_commands().items() if app in OURS}
    assert ours == set(operators.COMMANDS) | operators.WITHOUT_A_WORD
