"""The reader is "you" in sentences, and everybody else is called by name."""

from games.engine.names import Names, who_won

ADA, BEN, CLEO = range(3)
READ_BY_BEN = Names(("Ada", "Ben", "Cleo"), BEN)
NEUTRAL = Names(("Ada", "Ben", "Cleo"))


def test_the_verb_agrees_with_the_subject():
    assert READ_BY_BEN.subject(BEN, "has", "have") == "You have"
    assert READ_BY_BEN.subject(ADA, "has", "have") == "Ada has"


def test_a_verb_with_one_form_is_given_once():
    assert READ_BY_BEN.subject(BEN, "drew") == "You drew"


def test_a_preview_uses_the_word_would():
    preview = Names(("Ada", "Ben", "Cleo"), BEN, is_preview=True)
    assert preview.verb("drew", "draw") == "would draw"
    assert preview.subject(ADA, "begins", "begin") == "Ada would begin"
    assert who_won(preview, [9, 12]) == "You would win with 12 points."


def test_the_word_you_is_lowercase_inside_a_sentence():
    assert [READ_BY_BEN.object(seat) for seat in (ADA, BEN)] == ["Ada", "you"]


def test_possessives_agree_with_the_reader():
    assert [READ_BY_BEN.possessive(seat) for seat in (ADA, BEN)] == ["Ada's", "your"]


def test_a_list_names_the_reader_first():
    assert READ_BY_BEN.subjects([ADA, BEN, CLEO]) == "You, Ada and Cleo"
    assert READ_BY_BEN.objects([ADA, BEN]) == "you and Ada"


def test_an_ordered_list_keeps_its_order():
    assert READ_BY_BEN.in_order([CLEO, BEN, ADA]) == ["Cleo", "you", "Ada"]


def test_without_a_reader_everybody_is_called_by_name():
    assert NEUTRAL.subject(BEN, "has", "have") == "Ben has"
    assert NEUTRAL.objects([ADA, BEN]) == "Ada and Ben"


def test_players_who_tie_share_the_win():
    assert who_won(NEUTRAL, [0, 1]) == "Ben won with 1 point."
    assert who_won(READ_BY_BEN, [12, 12]) == "You and Ada share the win with 12 points."


def test_players_who_resigned_do_not_win():
    resigned = Names(("Ada", "Ben", "Cleo"), resigned=frozenset({ADA}))
    assert who_won(resigned, [30, 12, 8]) == "Ben won with 12 points."
    assert who_won(resigned.shortened(2), [30, 12, 8]) == "B. won with 12 points."
    assert who_won(Names(("Ada", "Ben"), resigned=frozenset({ADA, BEN})), [3, 2]) == "Ada won with 3 points."
