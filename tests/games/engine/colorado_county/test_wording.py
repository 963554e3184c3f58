"""Events are described in sentences.

Most sentences are in the golden playthroughs, and these tests cover the special cases.
"""

import pytest

from games.engine.colorado_county import events
from games.engine.coloretto.state import LastRoundSeen
from games.engine.names import Names
from tests.games.engine.colorado_county.tables import ANN, BEN, CLEO, ENGINE, NAMES


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (events.CardPicked(ANN, 1, "R00", ("A1",)), "Ann took card 1 (red, one star) and placed a cube on A1."),
        (
            events.CardPicked(ANN, 2, "B11", ("A1", "B2")),
            "Ann took card 2 (blue, two stars, corner to corner) and placed cubes on A1 and B2.",
        ),
        (events.CardPicked(ANN, 2, "G10", ()), "Ann took card 2 (green, two stars side by side) and placed no cubes."),
        (events.LakeChangedHands(5, BEN, None), "Ben took the lake worth 5."),
        (events.LakeChangedHands(5, BEN, ANN), "Ben took the lake worth 5 from Ann."),
        (
            events.LakeChangedHands(5, None, ANN),
            "Ann lost the lake worth 5. Nobody holds it now.",
        ),
        (events.CowboysDrawn(ANN, 1), "Ann drew 1 cowboy from the bag."),
        (events.CowboysDrawn(ANN, 0), "Ann drew 0 cowboys from the bag."),
        (events.LandPutUp(ANN, "D7", ()), "Ann put D7 up for sale."),
        (
            events.LandPutUp(ANN, "D7", (BEN, CLEO)),
            "Ann put D7 up for sale. Bids were returned unseen to Ben and Cleo.",
        ),
        (events.InterestRevealed(()), "Nobody bought it."),
        (events.InterestRevealed((BEN,)), "Ben wanted it."),
        (events.CardsDiscarded(("R00",)), "Discarded: red, one star."),
        (events.MatchWon((ANN,), (70, 44)), "Ann won with 70 points."),
        (events.MatchWon((ANN, BEN), (1, 1)), "Ann and Ben share the win with 1 point."),
    ],
)
def test_an_event_is_described_in_a_sentence(event, told):
    assert ENGINE.tell(event, Names(NAMES)) == told


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (events.Committed(ANN), "You have decided."),
        (events.Committed(BEN), "Ben has decided."),
        (events.LakeChangedHands(5, BEN, ANN), "Ben took the lake worth 5 from you."),
        (
            events.LandPutUp(BEN, "D7", (CLEO, ANN)),
            "Ben put D7 up for sale. Bids were returned unseen to you and Cleo.",
        ),
        (events.LandSold(ANN, BEN, "D7", (12,)), "Ben bought D7 from you for 12."),
        (events.InterestRevealed((BEN, ANN)), "You and Ben wanted it."),
        (events.CowboysSeen(ANN, (17, 50)), "You drew 17 and 50."),
        (events.CowboysSeen(ANN, ()), "You drew no cowboys, because the bag is empty."),
        (events.MatchWon((ANN,), (70, 44)), "You won with 70 points."),
    ],
)
def test_the_reader_is_addressed_as_you(event, told):
    assert ENGINE.tell(event, Names(NAMES, ANN)) == told


def test_the_order_of_picks_addresses_the_reader_as_you():
    told = ENGINE.tell(events.BidsRevealed(((1,), (2,), (3,)), (BEN, ANN, CLEO)), Names(NAMES[:3], ANN))
    assert told.endswith("Ben picks first, then you, then Cleo.")


@pytest.mark.parametrize(
    ("order", "told"),
    [((), "Nobody picks a card."), ((BEN,), "Ben picks a card."), ((BEN, ANN), "Ben picks first, then Ann.")],
)
def test_the_sentence_about_revealed_bids_ends_with_the_order_of_picks(order, told):
    assert ENGINE.tell(events.BidsRevealed(((1, 2), ()), order), Names(NAMES[:2])).split("\n") == [
        "Bids were revealed.",
        "  Ann: 1 2",
        "  Ben: none",
        f"  {told}",
    ]


def test_describing_an_event_of_another_game_is_an_error():
    with pytest.raises(ValueError, match="Not an event of Colorado County"):
        ENGINE.tell(LastRoundSeen(ANN), Names(NAMES))
