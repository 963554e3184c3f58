import pytest

from tests.cli.all_commands import all_commands
from tests.cli.shapes import check


def test_without_a_command_all_commands_are_listed(machine):
    assert machine.ok("help") == machine.ok("--help")


@pytest.mark.parametrize("name", ["join", "notify set", "propose", "help"])
def test_the_help_command_shows_the_same_page_as_the_help_option(machine, name):
    assert machine.ok("help", *name.split()) == machine.ok(*name.split(), "--help")


def test_every_command_has_a_help_page(machine):
    for name in all_commands():
        assert machine.ok("help", *name.split()).startswith(f"Usage: turnpost {name} ")


def test_short_names_and_moves_show_the_help_page_of_their_command(machine):
    assert machine.ok("help", "st") == machine.ok("help", "status")
    assert machine.ok("help", "TAKE") == machine.ok("help", "play")


@pytest.mark.parametrize("words", [["baord"], ["join", "now"], ["notify", "everybody"]], ids=" ".join)
def test_an_unknown_command_is_a_usage_error(machine, words):
    done = machine.run("help", *words)
    assert done.exit_code == 2
    assert f"There is no command '{' '.join(words)}'." in done.stderr


def test_the_help_page_is_also_available_as_json(machine):
    page = machine.json("help", "join")
    check("help", page)
    assert page["command"] == "join"
