import pytest

from games.engine.coloretto import ENGINE, state
from games.engine.coloretto.scoring import score
from games.engine.names import Names
from games.engine.records import Event
from tests.games.engine.coloretto.tables import ALL_COLOURS, ANN, BEN, CLEO, NAMES


def told(event: Event, reader: int | None = None) -> str:
    return ENGINE.tell(event, Names(NAMES[:3], reader))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (state.CardDrawn(ANN, "R"), "Ann drew a red card."),
        (state.CardDrawn(ANN, "O"), "Ann drew an orange card."),
        (state.CardDrawn(ANN, "+"), "Ann drew a +2."),
        (state.CardDrawn(ANN, "*"), "Ann drew the golden joker."),
        (state.LastRoundSeen(ANN), "The last-round card came up. This is the last round of the game."),
        (state.CardPlaced(BEN, "J", 2), "Ben placed a joker on row 2."),
        (state.RowTaken(CLEO, 3, "B+J"), "Cleo took row 3 (blue, +2, joker)."),
        (state.GoldenCardGained(CLEO, "Y"), "The golden joker gave Cleo another card: a yellow card."),
        (state.RowRemoved(1, "B"), "Nobody took row 1, so its cards left the game: blue."),
        (state.RoundEnded(BEN), "The round ended. Ben begins the next one."),
        (state.MatchWon((BEN,), (4, 9, 3)), "Ben won with 9 points."),
        (state.MatchWon((ANN, CLEO), (1, 0, 1)), "Ann and Cleo share the win with 1 point."),
    ],
)
def test_every_event_is_described_in_a_sentence(event, sentence):
    assert told(event) == sentence


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (state.CardDrawn(ANN, "R"), "You drew a red card."),
        (state.CardDrawn(BEN, "R"), "Ben drew a red card."),
        (state.GoldenCardGained(ANN, "Y"), "The golden joker gave you another card: a yellow card."),
        (state.RoundEnded(ANN), "The round ended. You begin the next one."),
        (state.MatchWon((ANN,), (9, 4, 3)), "You won with 9 points."),
        (state.MatchWon((CLEO, ANN), (1, 0, 1)), "You and Cleo share the win with 1 point."),
    ],
)
def test_the_reader_is_addressed_as_you(event, sentence):
    assert told(event, ANN) == sentence


def test_the_sentence_about_a_deal_addresses_the_reader_as_you():
    event = state.DealStarted(1, ANN, "BGOPRV", ("B", "O", "V"), 64)
    assert told(event, ANN).splitlines()[1:] == [
        "  You start with blue.",
        "  Ben starts with orange.",
        "  Cleo starts with violet.",
        "  You begin.",
    ]


def test_a_new_deal_lists_colors_and_starting_cards_and_the_first_player():
    event = state.DealStarted(2, BEN, "BGOPRV", ("B", "O", "V"), 64)
    assert told(event).splitlines() == [
        "Game 2 was dealt. Colors: blue, green, orange, pink, red and violet.",
        "  Ann starts with blue.",
        "  Ben starts with orange.",
        "  Cleo starts with violet.",
        "  Ben begins.",
    ]


def test_a_score_lists_every_source_of_points():
    scores = tuple(score(hand, ALL_COLOURS, "brown") for hand in ("J+GGGGGGYYYYRRRBB", "", "B"))
    assert told(state.DealScored(1, scores, (41, 0, 1))).splitlines() == [
        "Game 1 ended and was scored.",
        "  Ann: 41 points.",
        "     +21  green, 6 cards",
        "     +15  yellow, 5 cards (1 joker)",
        "      +6  red, 3 cards",
        "      -3  blue, 2 cards",
        "      +2  +2, 1 card",
        "  Ben: 0 points.",
        "  Cleo: 1 point.",
        "      +1  blue, 1 card",
    ]


def test_totals_are_shown_from_the_second_game_on():
    nothing = (score("", ALL_COLOURS, "brown"),) * 3
    assert "  Ann: 0 points, 12 in the match so far." in told(state.DealScored(2, nothing, (12, 5, 7)))


def test_describing_an_event_of_another_game_is_an_error():
    with pytest.raises(ValueError, match="Not an event of Coloretto"):
        told(Event())
