"""Emails can show boards with features that no real game uses."""

from notifications.letters.board_html import board_html
from tests.games.engine.test_boards import BOARD


def test_a_board_without_colors_shows_its_symbols():
    page = board_html(BOARD)
    for shown in (">(N)<", 'title="B1: knight"', ">[T]<", ">G<", ">gone<", ">A1 with B2 or A2; C1 alone<", ">12<"):
        assert shown in page
    assert ">▶ Ann (you)<" in page
    assert ">✓ Benjamin<" in page


def test_text_from_players_is_escaped():
    assert "<Ann>" not in board_html(BOARD.__class__("<Ann>", "", "", ()))
