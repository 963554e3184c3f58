"""Boards fit into 80 columns with and without color, in plain text and as speech.

`GOLDEN=new` rewrites the expected files.
"""

import json
import os
import re
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import msgspec
import pytest

from cli.match_fetch import FetchedMatch, read_news
from cli.render import match as render
from cli.render.board import picture, shown
from cli.render.canvas import WIDEST, drawn
from cli.render.drawing import Artist, draw, draw_compact
from cli.render.match import move_preview, next_command, point_entries, result, short_bounds
from cli.render.screen import compact_moves, fitted, match_label
from cli.render.style import NARROWEST, Style
from cli.render.table import table, two_columns
from games.engine.board import Card, Cell
from games.engine.colorado_county.events import CowboysDrawn, CowboysSeen
from games.engine.coloretto.state import PLUS_TWO, jokers
from games.engine.dice import Dice
from games.engine.names import Names
from games.engine.records import seen_by
from games.engine.registry import engine, engines
from games.engine.text import width
from tests.games.engine.test_boards import BOARD

GOLDEN = Path(__file__).parent / "screens"
STYLES = {
    "colour": Style(colour=True, drawn=True),
    "drawn": Style(drawn=True),
    "plain": Style(),
    "speech": Style(speech=True),
}
NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil")
POSITIONS = {"coloretto": [(2, 12), (3, 41), (5, 500)], "colorado-county": [(3, 0), (4, 45), (2, 2000)]}


def names(seats, given=NAMES):
    return Names(tuple(given[:seats]), 0)


def position(game, seats, moves, **options):
    """Return seat 0's view after some random moves."""
    rules, dice = engine(game), Dice(b"\5" * 32)
    state = rules.new_match(seats, rules.read_options(options), dice).state
    for _ in range(moves):
        awaited = sorted(rules.awaiting(state))
        if not awaited:
            break
        state = rules.play(state, awaited[0], rules.sample(state, awaited[0], dice), dice).state
    return rules, rules.view(state, 0)


@pytest.fixture(autouse=True)
def _terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


def test_a_very_wide_window_does_not_break_the_lines_of_a_compact_board():
    rules, view = position("colorado-county", 4, 45)
    board = rules.board(view, names(4))
    styles = [replace(STYLES["drawn"], width=columns) for columns in (WIDEST, WIDEST + 10)]
    widest, wider = (drawn(draw_compact(board, style), style) for style in styles)
    assert wider == widest


def cases():
    return [(game, *place, style) for game, places in POSITIONS.items() for place in places for style in STYLES]


@pytest.mark.parametrize(("game", "seats", "moves", "style"), cases())
def test_a_board_matches_its_golden_screen(game, seats, moves, style):
    rules, view = position(game, seats, moves)
    screen = shown(rules, view, names(seats), STYLES[style])
    path = GOLDEN / f"{game}_{seats}_{moves}_{style}.txt"
    if os.environ.get("GOLDEN") == "new":
        path.parent.mkdir(exist_ok=True)
        path.write_text(screen + "\n")
    assert screen + "\n" == path.read_text()


SIZES = {"80x24": Style(drawn=True), "120x40": Style(drawn=True, width=120, height=40)}
AT_THE_TABLE = [("coloretto", 3, 11), ("coloretto", 5, 40), ("colorado-county", 3, 0), ("colorado-county", 4, 28)]


def at_the_table(game, seats, moves):
    """Return a match after some random moves, as seen from a seat that has to move."""
    positions = iter(played_match(game, seats))
    return next(islice(positions, moves, None))


def played_match(game, seats, seed=5):
    """Play a whole match at random. Yield each position as seen from the seat that moves next, with the log."""
    rules, dice = engine(game), Dice(bytes([seed]) * 32)
    played = rules.new_match(seats, rules.read_options({}), dice)
    state, events = played.state, list(played.events)
    for turn in count():
        awaited = rules.awaiting(state)
        you = min(awaited, default=0)
        yield as_fetched(rules, state, events, you, turn)
        if not awaited:
            return
        state, happened, *_ = rules.play(state, you, rules.sample(state, you, dice), dice)
        events += happened


def as_fetched(rules, state, events, you, turn):
    view = rules.view(state, you)
    points = rules.points(view)
    told_to = Names(NAMES[: len(points)], you)
    awaited, outcome = sorted(rules.awaiting(state)), rules.outcome(state)
    match = {
        "id": "k7m2x9q4a",
        "game": rules.slug,
        "rules": rules.rules_version,
        "title": "Friday",
        "phase": "running" if awaited else "finished",
        "turn": turn,
        "you": you,
        "seats": [
            {
                "seat": seat,
                "player": {"name": name},
                "stand_in": False,
                "deadline": None,
                "place": outcome.places[seat] if outcome else None,
                "points": points[seat],
            }
            for seat, name in enumerate(told_to.names)
        ],
        "view": json.loads(rules.views.dump(view)),
        "picture": rules.picture(view, told_to),
        "awaiting": awaited,
        "outcome": msgspec.to_builtins(outcome),
        "abandon": [],
    }
    choices = None
    if awaited:
        offered = rules.choices(state, you)
        moves = [{"notation": rules.notation(move)} for move in offered.moves]
        choices = {"moves": moves, "forms": msgspec.to_builtins(offered.forms)}
    log = read_news(as_logged(rules, seen_by(events, you), told_to), match)
    return FetchedMatch(match, choices, news=log[-8:]), log


def as_logged(rules, events, names):
    return [{"text": rules.tell(event, names), "event": msgspec.to_builtins(event)} for event in events]


def tag(event):
    return event.__struct_config__.tag


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "seats", "moves"), AT_THE_TABLE)
def test_the_page_fits_above_the_prompt_and_matches_its_golden_screen(game, seats, moves, size):
    style = SIZES[size]
    fetched, log = at_the_table(game, seats, moves)
    page = fitted(fetched, style, label=match_label(fetched.match), log=log, notice="Your message was sent.")
    lines = page.splitlines()
    assert len(lines) < style.height
    assert max(map(width, lines)) <= style.width
    check_golden_page(page, f"{game}_{seats}_{moves}_{size}")


def check_golden_page(page, name):
    path = GOLDEN / f"page_{name}.txt"
    if os.environ.get("GOLDEN") == "new":
        path.write_text(page + "\n")
    assert page + "\n" == path.read_text()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "seats"), [("coloretto", 3), ("colorado-county", 4)])
def test_the_last_page_shows_the_points_only_once_and_says_what_to_do_next(game, seats, size):
    *_, (fetched, log) = played_match(game, seats)
    page = fitted(fetched, SIZES[size], label=match_label(fetched.match), log=log, notice=next_command(fetched))
    assert page.count("won with") == 1
    assert not re.search("Result|so far", page)
    assert re.findall("turnpost ([a-z]+) k7m2x9q4a", page) == ["rematch", "review", "verify"]
    won = next(seat["player"]["name"] for seat in fetched.match["seats"] if seat["place"] == 1)
    assert re.findall(r"^  (\w+): \+", page, re.MULTILINE)[:2] == ["You", won]
    check_golden_page(page, f"{game}_{seats}_end_{size}")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "seats"), [("coloretto", 2), ("coloretto", 5), ("colorado-county", 4)])
def test_the_preview_of_a_move_that_ends_a_round_fits_on_the_screen(game, seats, size):
    style = SIZES[size]
    fetched, log, preview = before_the_score(game, seats)
    page = fitted(replace(fetched, choices=None), style, label=match_label(fetched.match), log=log, notice=preview)
    lines = page.splitlines()
    assert len(lines) < style.height
    assert lines[0].startswith(engine(game).title)
    assert all(f"{name}: " in page for name in fetched.names.names if name != NAMES[fetched.match["you"]])
    check_golden_page(page, f"{game}_{seats}_preview_{size}")


def before_the_score(game, seats):
    """Return the position before a move that ends a round or game, and the preview of that move."""
    rules, dice = engine(game), Dice(b"\5" * 32)
    played = rules.new_match(seats, rules.read_options({}), dice)
    state, events = played.state, list(played.events)
    for turn in count():
        you = min(rules.awaiting(state))
        move = rules.sample(state, you, dice)
        then, happened, *_ = rules.play(state, you, move, dice)
        if any(tag(event) in ("round_scored", "deal_scored") for event in happened):
            fetched, log = as_fetched(rules, state, events, you, turn)
            told_to = msgspec.structs.replace(fetched.names, is_preview=True)
            other_ways = [rules.play(state, you, move, Dice(bytes([seed]) * 32)).events for seed in range(9)]
            certain = [event for event in seen_by(happened, you) if all(event in events for events in other_ways)]
            return fetched, log, move_preview({"would": as_logged(rules, certain, told_to), "text": ""}, fetched.match)
        state = then
        events += happened
    raise AssertionError("no round was scored")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("game", "seats"), [("coloretto", 5), ("colorado-county", 2), ("colorado-county", 4)])
def test_every_page_of_a_match_fits_on_the_screen_and_begins_with_a_heading(game, seats, size):
    style = SIZES[size]
    for fetched, log in played_match(game, seats):
        page = fitted(fetched, style, label=match_label(fetched.match), log=log)
        lines = page.splitlines()
        assert len(lines) < style.height, page
        assert max(map(width, lines)) <= style.width, page
        assert lines[0].startswith(engine(game).title), page


def test_the_sources_of_a_players_points_add_up_to_their_points():
    for game, seats in (("coloretto", 3), ("colorado-county", 4)):
        *_, (fetched, _) = played_match(game, seats)
        for entry, seat in zip(point_entries(fetched, Style()), placed(fetched), strict=True):
            assert sum(map(int, re.findall(r"[+-]\d+(?! *(?:,|$))", entry[0]))) == seat["points"]


def placed(fetched):
    """Return the seats, beginning with the player's own and the winner's."""
    return sorted(fetched.match["seats"], key=lambda seat: (seat["seat"] != fetched.match["you"], seat["place"]))


@pytest.mark.parametrize("seats", [2, 3])
def test_a_coloretto_board_does_not_move_from_turn_to_turn(seats):
    for fetched, log in played_match("coloretto", seats):
        page = fitted(replace(fetched, news=log[-3:]), SIZES["80x24"], label=match_label(fetched.match), log=log)
        rows = [place for place, line in enumerate(page.splitlines()) if re.search(r"\+2 +Jo +now", line)]
        assert rows == ([7] if fetched.choices else []), page


def test_the_legend_is_shown_whenever_there_is_room():
    fetched, log = at_the_table("coloretto", 3, 11)
    assert "▶ to move" in fitted(fetched, SIZES["120x40"], log=log)


def test_the_log_joins_the_steps_of_a_turn_and_marks_the_news():
    fetched, log = at_the_table("coloretto", 3, 11)
    page = fitted(replace(fetched, news=log[-2:]), SIZES["120x40"], log=log)
    column = [line[83:] for line in page.splitlines()]
    begin = column.index("Since you last looked")
    assert "You drew an orange card and placed it" in column[:begin]
    assert column[begin + 1] == "You took row 1 (blue)."
    assert "Since you last looked" not in fitted(replace(fetched, news=()), SIZES["120x40"], log=log)


def after_a_round():
    """Return the first position of round 2, with everything that has happened since the player's last bid."""
    rules, dice = engine("colorado-county"), Dice(b"\5" * 32)
    state, events = at_start(rules), list(seen_by((), 0))
    while state.round == 1:
        seat = min(rules.awaiting(state))
        state, happened, *_ = rules.play(state, seat, rules.sample(state, seat, dice), dice)
        events = [*([] if state.phase == "bids" and len(happened) == 1 else events), *happened]
    fetched, log = as_fetched(rules, state, events, 0, 99)
    return replace(fetched, news=log)


def at_start(rules):
    return rules.new_match(3, rules.read_options({}), Dice(b"\5" * 32)).state


def test_news_that_do_not_fit_lose_the_least_important_sentences_as_a_whole():
    fetched = after_a_round()
    for height in (24, 25):
        page = fitted(fetched, replace(SIZES["80x24"], height=height))
        told = " ".join(page.split()).partition("Your cowboys: ")[2]
        assert re.search(r"Round 1 ended and was scored: you: \d+ points?; Ben: \d+ points?; Cleo: \d+ points?\.", told)
        assert "… more: type 'log'" in told
        assert "Round 2 began." not in told


def test_the_moves_share_lines_if_the_news_need_room():
    moves = [{"notation": notation} for notation in ("bid none", "sell N1", "sell N2")]
    form = {"example": "bid 6 7 12", "fields": [{"type": "ranking", "name": "plan", "values": [], "most": 12}]}
    listed = compact_moves({"moves": moves, "forms": [form, form]}, SIZES["80x24"], room=7, news=4)
    assert listed[:-2] == ["  a  bid none   b  sell N1   c  sell N2"]
    assert len(compact_moves({"moves": moves, "forms": [form, form]}, SIZES["80x24"], room=9, news=4)) == 5


def test_the_news_say_which_cowboys_the_player_drew_and_how_many_others_drew():
    rules = engine("colorado-county")
    drawn = [CowboysDrawn(0, 2), CowboysSeen(0, (17, 50)), CowboysDrawn(1, 2), CowboysSeen(1, (3, 4))]
    fetched, _ = as_fetched(rules, at_start(rules), drawn, 0, 1)
    assert [one.text for one in render.unshown(fetched)] == ["You drew 17 and 50.", "Ben drew 2 cowboys from the bag."]


def test_the_title_and_the_label_of_a_match_are_on_one_line_in_windows_wider_than_the_board():
    fetched, _ = at_the_table("coloretto", 3, 41)
    label = match_label(fetched.match)
    page = fitted(fetched, Style(drawn=True, width=105, height=60), label=label)
    assert page.splitlines()[0].endswith(label)


def test_a_wide_screen_has_no_column_for_a_log_without_events():
    fetched, log = at_the_table("coloretto", 3, 11)
    style = SIZES["120x40"]
    assert "Log" in fitted(fetched, style, log=log)
    assert "Log" not in fitted(fetched, style, log=())


@pytest.mark.parametrize("seats", [2, 4])
def test_moves_are_listed_by_letter_even_if_there_are_many(seats):
    for fetched, log in played_match("colorado-county", seats):
        page = fitted(fetched, SIZES["80x24"], label=match_label(fetched.match), log=log)
        for letter in "ab"[: len(fetched.choices["moves"]) if fetched.choices else 0]:
            assert re.search(rf"\b{letter} +[a-z0-9A-O]", page.rpartition("Your cowboys")[2]), page


def test_the_columns_of_the_help_fit_the_longest_example():
    for game in engines():
        lines = two_columns(game.notation_help, Style()).splitlines()
        longest = max(width(example) for example, _ in game.notation_help)
        assert all(line[2 + longest : 4 + longest] == "  " for line in lines)
        assert max(map(width, lines)) <= 80


def test_a_table_fits_on_the_screen_and_nothing_in_its_last_column_is_cut():
    state = "waiting for Benjamin, Charlotte and Dominique for 3 days"
    rows = [
        ["k7m2x9q4a", "colorado-county", "Benjamin, Charlotte, Dominique (Sunday table)", state],
        ["a", "b", "c", "d"],
    ]
    lines = table(["match", "game", "with", "state"], rows, STYLES["drawn"], flexible=2).splitlines()
    assert max(map(width, lines)) <= 80
    column = lines[0].index("state")
    assert [line[:column].split()[:1] for line in lines] == [["match"], ["k7m2x9q4a"], [], ["a"]]
    assert " ".join(line[column:] for line in lines) == f"state {state} d"


@pytest.mark.parametrize("game", [game.slug for game in engines()])
@pytest.mark.parametrize("style", ["drawn", "plain"])
def test_no_line_is_wider_than_the_screen(game, style):
    hard = ["猫" * 15, "Maximiliane von und zu Hohenstaufen", "Ann", "B" * 60, "é" * 30]
    rules = engine(game)
    for seats in rules.seats:
        for moves in range(0, 60, 7):
            found, view = position(game, seats, moves)
            widest = max(width(line) for line in shown(found, view, names(seats, hard), STYLES[style]).splitlines())
            assert widest <= 80


def figures(line):
    """Return the numbers at the end of a line. A dot means zero."""
    return [0 if word == "·" else int(word) for word in line.split() if word == "·" or word.lstrip("-").isdigit()]


@pytest.mark.parametrize("columns", [NARROWEST, 60, 71, 79])
class TestInANarrowWindow:
    def drawn(self, columns, *place, **options):
        rules, view = position(*place, **options)
        hard = ["Maximiliane von und zu", "Ben", "猫" * 8, "Dora", "Emil"]
        lines = shown(rules, view, names(len(view.players), hard), Style(drawn=True, width=columns)).splitlines()
        assert max(map(width, lines)) <= columns
        return view, lines

    @pytest.mark.parametrize("moves", [41, 500])
    @pytest.mark.parametrize(("seats", "games"), [(5, 1), (2, 3)])
    def test_a_coloretto_board_shows_the_cards_and_points_of_every_player(self, columns, moves, seats, games):
        view, lines = self.drawn(columns, "coloretto", seats, moves, games=games)
        heads = next(place for place, line in enumerate(lines) if "+2" in line)
        for player, line in zip(view.players, lines[heads + 2 :], strict=False):
            held = [player.hand.count(letter) for letter in (*view.colours, PLUS_TWO)]
            scored = [jokers(player.hand), player.score_now.total, *([player.total] if games > 1 else [])]
            assert figures(line) == [*held, *scored]

    @pytest.mark.parametrize(("seats", "moves"), [(4, 45), (2, 2000)])
    def test_a_colorado_county_board_shows_every_square_and_the_holdings_of_every_player(self, columns, seats, moves):
        view, lines = self.drawn(columns, "colorado-county", seats, moves)
        squares = [line for line in lines if re.match(r" ?\d+ [ \[(~<]", line)]
        assert [line.count("~") // 2 for line in squares if width(line) <= columns] == [
            sum(letter.isdigit() for letter in row) + ("~" in line[48:])
            for row, line in zip(view.board, squares, strict=True)
        ]
        for player in view.players:
            line = next(line for line in lines if re.match(rf"[▶✓ ] \[{'ABCD'[player.seat]}\]", line))
            assert figures(line)[:3] == [player.cowboys, player.cubes, player.tokens]
            assert figures(line)[-1] == player.total


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_without_color_there_are_no_escape_codes_and_nothing_is_missing(game):
    rules, view = position(game, max(engine(game).seats), 30)
    coloured = shown(rules, view, names(max(rules.seats)), STYLES["colour"])
    for style in ("drawn", "plain", "speech"):
        assert "\x1b" not in shown(rules, view, names(max(rules.seats)), STYLES[style])
    assert "\x1b[" in coloured


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_speech_consists_of_sentences(game):
    rules, view = position(game, max(engine(game).seats), 30)
    for line in shown(rules, view, names(max(rules.seats)), STYLES["speech"]).splitlines():
        assert line.endswith((".", "?", ":", ";"))
        assert "  " not in line
        assert "│" not in line


@pytest.mark.parametrize("game", [game.slug for game in engines()])
def test_speech_uses_correct_plurals(game):
    rules = engine(game)
    for seats in rules.seats:
        for moves in range(0, 60, 5):
            found, view = position(game, seats, moves)
            assert not re.search(r"\b1 (points|cowboys|cubes|tokens)\b", shown(found, view, names(5), STYLES["speech"]))


def test_speech_says_where_flags_are_face_down():
    rules, view = position("colorado-county", 3, 1, flags="players")
    squares = [f"{'ABCDEFGHIJKLMNO'[at]}{number + 1}" for number, row in enumerate(view.board) for at in places(row)]
    assert squares
    assert f"Flags face down: {', '.join(squares)}." in shown(rules, view, names(3), STYLES["speech"])


def test_speech_lists_the_lakes_only_once_until_there_are_flags():
    rules, view = position("colorado-county", 3, 0, flags="players")
    assert shown(rules, view, names(3), STYLES["speech"]).lower().count("lake worth 3") == 1


def places(row):
    return [at for at, letter in enumerate(row) if letter == "?"]


def test_a_result_of_one_point_uses_the_singular():
    seats = [{"seat": seat, "place": 1 + seat, "points": 1 - seat, "player": None} for seat in (0, 1)]
    told = result(FetchedMatch({"outcome": {"reason": "over"}, "seats": seats}, None), Style())
    assert told.splitlines()[1:] == ["  1. departed player: 1 point", "  2. departed player: 0 points"]


@pytest.mark.parametrize("game", [game.slug for game in engines()])
@pytest.mark.parametrize("style", ["drawn", "plain", "speech"])
def test_an_abandoned_match_is_not_waiting_for_anyone(game, style):
    rules, view = position(game, 3, 4)
    before, ended = (shown(rules, seen, names(3), STYLES[style]) for seen in (view, rules.stopped(view)))
    assert "The match has ended." in ended
    assert "The match has ended." not in before
    assert "If the game ended now" not in ended


def test_a_view_from_a_newer_server_is_shown_as_the_server_rendered_it():
    assert (
        picture("coloretto", {"schema": 99}, names(5), STYLES["drawn"], "the server's picture")
        == "the server's picture"
    )


def test_an_unknown_game_is_shown_as_the_server_rendered_it():
    assert picture("go", {}, names(5), STYLES["drawn"], "a board") == "a board"


def test_a_board_without_colors_contains_all_symbols():
    screen = drawn(draw(BOARD, STYLES["drawn"]), STYLES["drawn"])
    for part in ("(N)", "[T] nobody", "[A] Ann", "gone", "A1 + B2 A2", "▶ Ann (you)", "✓ Benjamin", "Your secret: 7"):
        assert part in screen


def test_a_card_on_a_small_screen_says_in_two_lines_which_bot_took_it():
    taken = Card("Card 2", Cell("R", "()", "red"), "red, one star", note="taken by Grace (bot)")
    lines = [line.plain for line in Artist(STYLES["drawn"]).compact_card(taken)]
    assert lines == ["2 (R)", "taken by", "Grace"]


def test_a_form_says_what_a_ranking_consists_of():
    plan = {"type": "ranking", "name": "plan", "values": [{"move": "pick", "card": 1}], "most": 12}
    assert short_bounds(plan) == "optional plan: up to 12 picks"
    assert short_bounds({**plan, "values": []}) == "optional plan: up to 12 choices"


def test_a_form_for_one_cowboy_names_it_in_the_singular():
    def cowboys(most):
        return {"type": "subset", "name": "cowboys", "values": [7, 60], "least": 1, "most": most}

    assert [short_bounds(cowboys(most)) for most in (1, 2)] == ["1 cowboy", "1 to 2 cowboys"]
