"""What is done for a player who let the clock run out: nothing that costs them what they have."""

from games.engine.colorado_county.state import Answer, Bid, Offer, Options, Pick, PlaceFlags
from tests.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, after, bids, table


def test_a_bid_of_none_is_made_so_that_no_cowboy_is_lost():
    assert ENGINE.on_timeout(table(), ANN) == Bid()


def test_nobody_is_interested_in_land_by_staying_away():
    state = after(table(land={ANN: "A1"}), (ANN, "sell A1"))
    assert ENGINE.on_timeout(state, BEN) == Answer(interested=False)


def test_whoever_wanted_land_offers_their_lowest_cowboy():
    state = after(table(land={ANN: "A1"}), (ANN, "sell A1"), (BEN, "interested"), (CLEO, "not interested"))
    assert ENGINE.on_timeout(state, BEN) == Offer((16,))


def test_a_card_already_paid_for_is_used_for_as_many_cubes_as_it_allows():
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
