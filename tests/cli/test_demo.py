"""The player of the demo has an ordinary name."""

import getpass

import pytest

from cli.commands.demo import player_name


@pytest.mark.parametrize(("login", "name"), [("sam", "sam"), ("Anna-Lena_2", "Anna-Lena_2"), ("o.k", "player")])
def test_it_is_the_login_name_if_the_server_accepts_it(monkeypatch, login, name):
    monkeypatch.setattr(getpass, "getuser", lambda: login)
    assert player_name() == name


def test_without_a_login_name_it_is_player(monkeypatch):
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert player_name() == "player"
