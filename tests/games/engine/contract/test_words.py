"""Every game has boards that fit, a sentence for every event, and a rules page."""

from functools import cache
from unicodedata import category, combining, east_asian_width

from games.engine.board import Grid, Table
from games.engine.board_text import board_speech
from games.engine.choices import Ranking
from games.engine.names import Names
from tests.games.engine.playing import new_match, positions, sampled_steps, seed_of
from tests.games.engine.positions import SHORT, everyone

COLUMNS = 80


@cache
def takes_one_column(character: str) -> bool:
    return category(character)[0] != "C" and not combining(character) and east_asian_width(character) not in "WF"


def pictures(setup):
    return [position.picture(*drawn) for position in positions(setup) for drawn in position.drawings]


def test_a_picture_fits_into_eighty_columns_of_plain_text(setup):
    for picture in pictures(setup):
        assert picture.endswith("\n")
        lines = picture.splitlines()
        assert all(len(line) <= COLUMNS and line == line.rstrip() for line in lines)
        assert all(map(takes_one_column, set("".join(lines))))


def test_a_picture_names_every_player(setup):
    assert all(name in picture for picture in pictures(setup) for name in SHORT[: setup.seats])


def boards(setup):
    return [position.board(*drawn) for position in positions(setup) for drawn in position.drawings]


def tables(board):
    return [part for part in board.parts if isinstance(part, Table)]


def cells_of(board):
    grids = [part for part in board.parts if isinstance(part, Grid)]
    return [cell for part in (*grids, *tables(board)) for row in part.rows for cell in row.cells]


def test_a_board_never_relies_on_color_alone(setup):
    for board in boards(setup):
        cells = cells_of(board)
        assert all(cell.text for cell in cells if cell.colour)
        assert "".join([cell.sign + cell.label for cell in cells]).isprintable()


def test_every_square_of_a_board_has_a_label(setup):
    for board in boards(setup):
        grids = [part for part in board.parts if isinstance(part, Grid)]
        assert all(cell.label for grid in grids for row in grid.rows for cell in row.cells)
        assert all(cell.square for grid in grids if grid.columns for row in grid.rows for cell in row.cells)


def test_table_rows_have_a_cell_for_every_heading(setup):
    for board in boards(setup):
        assert all(len(row.cells) == len(table.heads) for table in tables(board) for row in table.rows)


def test_player_rows_have_a_seat_and_mark_the_readers_own_row(setup):
    for position in positions(setup):
        for seat, names in position.drawings:
            rows = [row for table in tables(position.board(seat, names)) for row in table.rows if row.seat is not None]
            assert all(row.is_own == (row.seat == seat) for row in rows)


def test_every_button_names_places_on_the_board_and_no_two_buttons_are_alike(setup):
    """The places of a button are on the board, and no other move of its kind has the same label or the same places."""
    engine = setup.engine
    for position in positions(setup):
        for seat, names in position.drawings:
            buttons = [] if seat is None else [engine.button(move) for move in listed(engine, position.state, seat)]
            assert {place for button in buttons for place in button.places} <= position.board(seat, names).places
            assert len({button.label for button in buttons}) == len(buttons)
            placed = [(button.title, frozenset(button.places)) for button in buttons if button.places]
            assert len(set(placed)) == len(placed)


def listed(engine, state, seat):
    choices = engine.choices(state, seat)
    ranked = [field.values for form in choices.forms for field in form.fields if isinstance(field, Ranking)]
    return [*choices.moves, *(move for values in ranked for move in values)]


def test_points_agree_with_the_outcome(setup):
    engine = setup.engine
    for position in positions(setup):
        points, outcome = engine.points(engine.view(position.state, None)), engine.outcome(position.state)
        assert len(points) in (0, setup.seats)
        assert not (points and outcome) or points == outcome.points


def test_a_board_can_be_read_aloud(setup):
    for position in positions(setup):
        for seat, names in position.drawings:
            spoken = board_speech(position.board(seat, names)).splitlines()
            assert all(line.endswith((".", "?", "!")) and "  " not in line for line in spoken)


def test_every_event_has_a_sentence(setup):
    engine, names = setup.engine, [Names(SHORT[: setup.seats], reader) for reader in everyone(setup)]
    dealt = new_match(setup, seed_of("told", *setup.numbers)).events
    for event in (*dealt, *(event for step in sampled_steps(setup) for event in step.played.events)):
        for told in (engine.tell(event, one) for one in names):
            assert told
            assert all(line == line.rstrip() for line in told.split("\n"))


def test_a_preview_says_what_would_happen(setup):
    preview = Names(SHORT[: setup.seats], 0, is_preview=True)
    for event in {type(event): event for step in sampled_steps(setup) for event in step.played.events}.values():
        assert "would" in setup.engine.tell(event, preview).lower()
        assert event.reveals


def test_the_reader_is_addressed_as_you_and_never_by_name(setup):
    engine = setup.engine
    for event in (event for step in sampled_steps(setup) for event in step.played.events):
        for seat, name in enumerate(SHORT[: setup.seats]):
            told, neutral = (engine.tell(event, Names(SHORT[: setup.seats], reader)) for reader in (seat, None))
            assert name not in told
            assert ("you" in told.lower()) == (name in neutral)


def test_the_first_word_of_every_move_is_a_verb_of_the_game(setup):
    engine = setup.engine
    examples = [example for example, _ in engine.notation_help]
    played = [engine.notation(step.move) for step in sampled_steps(setup)]
    assert {written.split()[0] for written in (*examples, *played)} <= set(engine.verbs)


def test_the_rules_page_marks_house_rules_and_shows_the_notation(setup):
    page = setup.engine.rules_page()
    assert page.startswith(f"# {setup.engine.title}\n")
    assert "(house" in page
    assert all(f"`{example}`" in page for example, _ in setup.engine.notation_help)
