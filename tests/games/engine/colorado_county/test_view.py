from games.engine.colorado_county.state import Bid, Pick
from games.engine.colorado_county.view import CardView, SaleView
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, table


def test_a_view_shows_the_players_own_cowboys_and_sealed_move():
    view = ENGINE.view(after(table(flags={"R": "A1"}), (BEN, "bid 16 plan 1 A1")), BEN)
    assert view.cowboys == tuple(range(16, 31))
    assert view.sealed == Bid((16,), (Pick(1, ("A1",)),))
    assert [player.committed for player in view.players] == [False, True, False]


def test_a_spectator_sees_no_hands():
    view = ENGINE.view(table(land={ANN: "A1 B1"}), None)
    assert (view.seat, view.cowboys, view.sealed, view.plan) == (None, (), None, ())
    assert [player.cowboys for player in view.players] == [15, 15, 15]
    assert view.players[ANN].land == ("A1", "B1")


def test_the_board_is_ten_rows_of_fifteen_letters():
    view = ENGINE.view(table(land={ANN: "A1", CLEO: "O10"}, flags={"B": "C1"}), ANN)
    assert view.board[0] == "a.B............"
    assert view.board[1] == ".3..44..55....."
    assert view.board[-1] == "..............c"
    assert view.flags == {"R": (), "G": (), "O": (), "B": ("C1",)}


def test_lakes_come_with_their_fields_and_holders():
    lake = ENGINE.view(table(land={BEN: "B1"}), None).lakes[0]
    assert (lake.value, lake.squares, lake.holder) == (3, ("B2",), BEN)
    assert lake.fields == ("B1", "A2", "C2", "B3")


def test_cards_show_their_number_and_who_took_them():
    state = after(table(2, cards="R00 G21", flags={"R": "A1"}), *bids("1 2", "16"), (ANN, "pick 1 A1"))
    assert ENGINE.view(state, None).cards == (
        CardView(1, "R00", "R", "red, one star", ANN),
        CardView(2, "G21", "G", "green, two stars, 2 right and 1 down", None),
    )


def test_revealed_bids_and_the_order_of_picks_are_shown_while_cards_are_being_picked():
    view = ENGINE.view(after(table(), *bids("1 2", "16", "none")), CLEO)
    assert [player.bid for player in view.players] == [(1, 2), (16,), ()]
    assert view.order == (ANN, BEN)


def test_a_sale_shows_the_interested_players_once_they_are_revealed():
    state = after(table(land={ANN: "A1"}), (ANN, "sell A1"))
    assert ENGINE.view(state, BEN).sale == SaleView(ANN, "A1", ())
    state = after(state, (BEN, "interested"), (CLEO, "interested"))
    assert ENGINE.view(state, None).sale == SaleView(ANN, "A1", (BEN, CLEO))


def test_a_view_shows_the_score_if_the_round_ended_now():
    view = ENGINE.view(table(land={ANN: "A1 A2"}), BEN)
    assert view.players[ANN].score_now.total == 6 + 1 + 2
    assert view.players[ANN].total == 0
