"""Replies in people's own words: only the moves that they clearly state are played."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.phrases import words_of
from games.engine.registry import engine
from inbound.parsing.lines import tidy
from inbound.reading import reply
from inbound.reading.commands import Board, Help, Log, PlayMove
from inbound.reading.position import Position
from tests.inbound.positions import FRAMES, MATCH_ID, POSITIONS, cases
from tests.toy_games import hush, sticks

CASES = list(cases())
QUESTIONS = {Board: "board", Help: "help", Log: "log"}


def read(text: str, position: Position, subject: str = "") -> str:
    """Return what would be played or answered, in notation. A refused move isn't played."""
    found = reply.read(tidy(text.split("\n")), position, subject=subject)
    game = position.engine
    moves = [game.parse(command.text) for command in found if isinstance(command, PlayMove)]
    played = [game.notation(move) for move in moves] if moves and position.is_legal(moves[0]) else []
    asked = [QUESTIONS[type(command)] for command in found if type(command) in QUESTIONS]
    return " / ".join(played + asked)


@pytest.mark.parametrize("name", POSITIONS)
def test_every_reply_is_understood_as_its_author_meant_it(name):
    read_as = [(case.text, case.meaning, read(case.text, case.position)) for case in CASES if case.name == name]
    assert [case for case in read_as if case[1] != case[2]] == []


def test_the_replies_cover_both_games_and_both_outcomes():
    assert len(CASES) >= 200
    for name in POSITIONS:
        meanings = {bool(case.meaning) for case in CASES if case.name == name}
        assert meanings == {True, False}


SENTENCES = [
    case for case in CASES if case.meaning and "\n" not in case.text and case.meaning not in QUESTIONS.values()
]
ORDERS = [
    case
    for case in SENTENCES
    if case.text.lower().split()[0] in case.position.engine.verbs and not set(".!") & set(case.text.rstrip(".!"))
]


@given(
    st.sampled_from(ORDERS),
    st.sampled_from(FRAMES["frames"]),
    st.sampled_from(["", "Hi,\n", "Hi Ben,\n", "Thanks! "]),
    st.sampled_from(["", "\nAnn", "\nCheers, Ann", " :)"]),
)
def test_negations_and_questions_and_conditions_and_sentences_about_others_play_nothing(order, frame, before, after):
    said = order.text.rstrip(" .!")
    said = said if "Ben" in frame.partition("{}")[0] else said[0].lower() + said[1:]
    assert read(before + frame.format(said) + after, order.position) == ""


ONE_SENTENCE = [case for case in SENTENCES if not set(".!?…。") & set(case.text.rstrip(".!…"))]


@given(st.sampled_from(ONE_SENTENCE), st.sampled_from(FRAMES["tails"]), st.sampled_from([", ", " - ", "; ", " ("]))
def test_a_move_with_words_that_may_limit_it_is_answered_with_a_question(sentence, tail, before):
    said = sentence.text.rstrip(" .!,…。")
    assert read(f"{said}{before}{tail}{')' if before == ' (' else ''}", sentence.position) == ""


NUMBERS = [case for case in SENTENCES if all(word.isdigit() or word in (",", "&") for word in words_of(case.text))]


@given(st.sampled_from(NUMBERS), st.sampled_from(FRAMES["before_a_number"]))
def test_a_number_that_may_be_about_something_else_is_answered_with_a_question(number, frame):
    assert read(frame.format(number.text), number.position) == ""


PLAIN = [case for case in ORDERS if not any(sign in case.text for sign in ",-(.!?")]


@given(st.sampled_from(PLAIN), st.sampled_from(FRAMES["hedges"]), st.data())
def test_a_sentence_with_one_unknown_word_is_answered_with_a_question(order, hedge, data):
    words = order.text.split()
    words.insert(data.draw(st.integers(0, len(words))), hedge)
    said = read(" ".join(words), order.position)
    assert said == "" or (hedge == "not" and said == "not interested")


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_if_a_reply_names_two_possible_moves_neither_is_played(first, second):
    if (
        first.position is second.position
        and first.meaning != second.meaning
        and "/" not in first.meaning + second.meaning
    ):
        assert read(f"{first.text}\n{second.text}", first.position) == ""


REFUSALS = ["I don't want to {0}. {1}", "I won't {0}. I {1}.", "Don't {0}! {1}", "{1}. I don't want to {0}.",
            "I'd rather not {0}, so I {1}", "{1}, not {0}", "I won't {0}\n{1}", "I won't {0}. And {1}",
            "I don't want to {0}. {1} too"]  # fmt: skip


@given(st.sampled_from(ORDERS), st.sampled_from(ORDERS), st.sampled_from(REFUSALS))
def test_a_refused_move_is_never_played_and_a_move_next_to_it_only_if_the_two_have_nothing_in_common(
    refused, stated, frame
):
    if refused.position is stated.position:
        first, second = (case.text.rstrip(" .!").lower() for case in (refused, stated))
        said = read(frame.format(first, second), stated.position)
        assert said in ("", stated.meaning)
        if refused.meaning == stated.meaning:
            assert said == ""


@given(st.sampled_from(ORDERS), st.sampled_from(ORDERS), st.sampled_from(["\n", ". "]))
def test_a_correction_below_another_move_is_answered_with_a_question(first, second, between):
    if first.position is second.position:
        said = f"{first.text.rstrip(' .!')}{between}Sorry, I meant {second.text}"
        assert read(said, first.position) == ""


class TestSubjects:
    ROWS = POSITIONS["rows"]

    @pytest.mark.parametrize("subject", ["draw", "Re: draw", "AW: Draw!", "Fwd: Re: draw please", "I'd like to draw"])
    @pytest.mark.parametrize("text", ["", "Ann", "Thanks!\nAnn"])
    def test_a_move_in_the_subject_of_an_empty_reply_is_played(self, subject, text):
        assert read(text, self.ROWS, subject) == "draw"

    @pytest.mark.parametrize("text", ["take 2", "How are you?", "I'm not sure"])
    def test_the_subject_does_not_count_if_the_reply_says_anything(self, text):
        assert read(text, self.ROWS, "draw") in ("", "take 2")

    @pytest.mark.parametrize(
        "subject",
        [
            "Re: Coloretto with draw and Ben",
            "Re: Coloretto with Ben: draw",
            "Re: draw: Coloretto with Ben",
            "draw?",
            "",
        ],
    )
    def test_the_subject_of_our_own_email_is_never_read_as_a_move(self, subject):
        assert read("", self.ROWS, subject) == ""


@pytest.mark.parametrize(
    "text",
    [
        "I bid 12 and 45, plan: card 2 on D7 and E9, or else card 1 on C3 only",
        "Bid 12 45 plan 2 D7 E9 / 1 C3 only. Thanks!",
        "Bid 12 & 45 with plan 2 D7 E9, 1 C3 please",
    ],
)
def test_a_bid_can_have_a_plan_in_peoples_own_words(text):
    assert reply.read([text], POSITIONS["bids"]) == (PlayMove("bid 12 45 plan 2 D7 E9 / 1 C3 only"),)


class TestPastedCommands:
    ROWS = POSITIONS["rows"]

    def test_a_command_from_our_email_is_played_on_the_turn_that_it_names(self):
        (move,) = reply.read([f'turnpost play {MATCH_ID} "take 2" --turn 7'], self.ROWS)
        assert move == PlayMove("take 2", turn=7)

    def test_a_command_for_another_match_is_not_played(self):
        assert read('turnpost play other "draw" --turn 1', self.ROWS) == ""

    def test_a_command_that_is_cut_off_is_not_played(self):
        for cut in ['turnpost play m7Q "draw', "turnpost play m7Q", 'turnpost play m7Q "draw" --turn']:
            assert read(cut, self.ROWS) == ""


class TestOtherGames:
    """Even in a game without phrases of its own, polite wording and number words are understood."""

    @pytest.mark.parametrize(
        "text", ["name 4", "name four", "Name 4, please!", "I'd like to name 4. Thanks!", "Hi,\nname 4\nAnn"]
    )
    def test_a_game_without_phrases_understands_its_own_notation_in_a_sentence(self, text):
        with hush.registered():
            (move,) = reply.read(text.split("\n"), Position(engine("hush")))
            assert isinstance(move, PlayMove)
            assert engine("hush").parse(move.text) == engine("hush").parse("name 4")

    @pytest.mark.parametrize(
        "text", ["don't take 2", "take 2?", "Ben should take 2", "take 2 or 3", "maybe take 2", "2"]
    )
    def test_in_a_game_without_phrases_unclear_sentences_play_nothing(self, text):
        with sticks.registered():
            assert not [move for move in reply.read([text], Position(engine("sticks"))) if isinstance(move, PlayMove)]


@pytest.mark.parametrize("part", ["draw and", "take 2 ,", "please", "bid 12 ,", "yes -", "A1 and", "the green and"])
@pytest.mark.parametrize("name", ["rows", "bids", "interest", "flags"])
def test_a_sentence_that_repeats_itself_is_read_only_once(part, name):
    """Without a limit, parsing would take twice as long with each repetition."""
    assert read(f"{part} " * 30 + "draw", POSITIONS[name]) in ("", "draw")
