"""Players can read about the games and their rules without a server."""

import json

import pytest
from typer.testing import CliRunner

from cli.main import app
from games.engine.registry import engine, engines


def turnpost(*words):
    return CliRunner().invoke(app, words)


def test_every_game_is_listed_with_its_number_of_players_and_its_options():
    listed = turnpost("games")
    assert listed.exit_code == 0
    for game in engines():
        assert f"{game.slug}   {game.title}, {min(game.seats)} to {max(game.seats)} players\n" in listed.output
        assert f"  turnpost rules {game.slug}\n" in listed.output
    assert "  edition     classic (3 to 5 players, three jokers) or modern (2 to 5 players" in listed.output
    assert "  games       1 to 8\n" in listed.output


def test_the_games_can_be_printed_as_json():
    listed = json.loads(turnpost("games", "--json").output)["games"]
    assert [game["slug"] for game in listed] == [game.slug for game in engines()]
    coloretto = next(game for game in listed if game["slug"] == "coloretto")
    assert coloretto["seats"] == [2, 3, 4, 5]
    assert coloretto["options"]["edition"]["enum"] == ["classic", "modern"]
    assert coloretto["notation"][0] == {"example": "draw", "meaning": "reveal the top card of the supply"}


@pytest.mark.parametrize("slug", ["coloretto", "Coloretto"])
def test_the_rules_are_printed_as_written(slug):
    shown = turnpost("rules", slug)
    assert (shown.exit_code, shown.output) == (0, engine("coloretto").rules_page())


def test_the_rules_can_be_printed_as_json():
    shown = json.loads(turnpost("rules", "coloretto", "--json").output)
    assert (shown["slug"], shown["title"]) == ("coloretto", "Coloretto")
    assert shown["markdown"] == engine("coloretto").rules_page()


def test_an_unknown_game_is_refused_and_the_known_ones_are_listed():
    shown = turnpost("rules", "chess")
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert "There is no game called 'chess'.\nChoose one of: " in shown.stderr
    assert "coloretto" in shown.stderr
