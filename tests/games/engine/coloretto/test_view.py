"""Everything is face up except the supply, whose order nobody knows."""

import msgspec
import pytest

from games.engine.coloretto import ENGINE
from games.engine.coloretto.state import FinishedDeal, State
from tests.games.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, CLEO, after, new_match, table


def json_of(state: State, seat: int | None) -> bytes:
    return ENGINE.views.dump(ENGINE.view(state, seat))


@pytest.mark.parametrize("seat", [ANN, BEN, CLEO, None])
def test_no_view_contains_the_order_of_the_supply(seat):
    state = new_match(3)
    turned = msgspec.structs.replace(state, supply=state.supply[:40][::-1] + state.supply[40:])
    assert turned != state
    assert json_of(turned, seat) == json_of(state, seat)


def test_a_view_shows_how_many_cards_are_left_in_total_and_before_the_last_round():
    view = ENGINE.view(table(supply="RGB!" + 16 * "Y"), ANN)
    assert (view.supply, view.until_last_round) == (19, 3)


def test_the_last_round_card_is_not_counted_once_it_has_come_up():
    view = ENGINE.view(table(supply=16 * "Y", last_round=True), ANN)
    assert (view.supply, view.until_last_round) == (16, None)


def test_rows_show_their_cards_and_free_spaces_and_who_took_them():
    view = ENGINE.view(table(2, rows=["B", None, "G+"], took=[None, 2]), ANN)
    assert [(row.row, row.room, row.cards, row.taken_by) for row in view.rows] == [
        (1, 1, "B", None),
        (2, 2, "", BEN),
        (3, 3, "G+", None),
    ]


def test_everybody_sees_the_drawn_card_and_whose_turn_it_is():
    state = after(table(supply="RG"), "draw")
    for seat in (ANN, BEN, None):
        view = ENGINE.view(state, seat)
        assert (view.drawn, view.awaiting) == ("R", (ANN,))


def test_players_cards_are_sorted_with_colors_first_and_jokers_last():
    view = ENGINE.view(table(hands=["J+YB*", "", ""]), BEN)
    assert view.players[ANN].hand == "BY+J*"


def test_a_view_shows_the_players_current_and_earlier_points():
    earlier = FinishedDeal(ALL_COLOURS, ("BBB", "", ""))
    view = ENGINE.view(table(hands=["GG", "R", ""], games=2, deal=2, finished=[earlier]), None)
    assert [(player.score_now.total, player.total) for player in view.players] == [(3, 6), (1, 0), (0, 0)]
    assert (view.game, view.games) == (2, 2)


def test_views_differ_only_in_their_seat():
    state = new_match(4)
    views = [ENGINE.view(state, seat) for seat in (0, 1, 2, 3, None)]
    assert len({msgspec.structs.replace(view, seat=None) for view in views}) == 1


def test_after_the_end_nobody_has_to_move():
    over = after(table(rows=["R", None, None], took=[None, 2, 3], last_round=True), "take 1")
    view = ENGINE.view(over, ANN)
    assert view.over
    assert view.awaiting == ()
    assert [row.taken_by for row in view.rows] == [None] * 3
