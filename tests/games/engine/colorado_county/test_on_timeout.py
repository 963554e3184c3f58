"""A player who runs out of time keeps their cowboys and land."""

from games.engine.colorado_county.state import Answer, Bid, Offer, Options, Pick, PlaceFlags
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, table


def test_an_absent_player_bids_none_and_keeps_their_cowboys():
    assert ENGINE.on_timeout(table(), ANN) == Bid()


def test_an_absent_player_is_not_interested_in_land():
    state = after(table(land={ANN: "A1"}), (ANN, "sell A1"))
    assert ENGINE.on_timeout(state, BEN) == Answer(interested=False)


def test_an_absent_buyer_offers_their_lowest_cowboy():
    state = after(table(land={ANN: "A1"}), (ANN, "sell A1"), (BEN, "interested"), (CLEO, "not interested"))
    assert ENGINE.on_timeout(state, BEN) == Offer((16,))


def test_a_card_already_paid_for_is_played_with_as_many_cubes_as_possible():
    state = after(table(2, cards="R10 G00", flags={"R": "A1", "G": "C9"}), *bids("1", "none"))
    assert ENGINE.on_timeout(state, ANN) == Pick(1, ("A1", "B1"))
    state = after(table(2, cards="R10 G00", flags={"G": "C9"}), *bids("1", "none"))
    assert ENGINE.on_timeout(state, ANN) == Pick(2, ("C9",))
    state = after(table(2, cards="R10 G00"), *bids("1", "none"))
    assert ENGINE.on_timeout(state, ANN) == Pick(1)
    state = after(table(2, cards="G00 R10", flags={"R": "A1", "G": "C9"}), *bids("1", "none"))
    assert ENGINE.on_timeout(state, ANN) == Pick(2, ("A1", "B1"))


def test_flags_go_on_the_first_open_squares():
    state = table(options=Options(flags="players"), phase="flags", asked=(ANN,), land={BEN: "A1"})
    assert ENGINE.on_timeout(state, ANN) == PlaceFlags(("B1", "D1", "F1", "H1"))
