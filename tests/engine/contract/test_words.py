"""What people read of every game: pictures that fit, sentences for every event, a page of rules."""

from functools import cache
from unicodedata import category, combining, east_asian_width

from games.engine.sheet import Grid
from tests.engine.playing import new_match, positions, sampled_steps, seed_of
from tests.engine.positions import SHORT

COLUMNS = 80


@cache
def takes_one_column(character: str) -> bool:
    return category(character)[0] != "C" and not combining(character) and east_asian_width(character) not in "WF"


def pictures(setup):
    return [position.picture(*drawn) for position in positions(setup) for drawn in position.drawings]


def test_a_picture_fits_into_eighty_plain_columns(setup):
    for picture in pictures(setup):
        assert picture.endswith("\n")
        lines = picture.splitlines()
        assert all(len(line) <= COLUMNS and line == line.rstrip() for line in lines)
        assert all(map(takes_one_column, set("".join(lines))))


def test_a_picture_names_every_player(setup):
    assert all(name in picture for picture in pictures(setup) for name in SHORT[: setup.seats])


def sheets(setup):
    """Of the positions whose game has more than its picture."""
    drawn = [position.sheet(*drawn) for position in positions(setup) for drawn in position.drawings]
    return [sheet for sheet in drawn if sheet]


def test_a_sheet_names_every_player_and_says_nothing_by_colour_alone(setup):
    for sheet in sheets(setup):
        cells = [cell for part in sheet if isinstance(part, Grid) for row in (part.heads, *part.rows) for cell in row]
        texts = "|".join([cell.text for cell in cells])
        assert all(name in texts for name in SHORT[: setup.seats])
        assert all(cell.text for cell in cells if cell.colour)
        assert (texts + "".join([cell.label for cell in cells])).isprintable()


def test_the_rows_of_a_sheet_have_cells_under_every_head(setup):
    for sheet in sheets(setup):
        grids = [part for part in sheet if isinstance(part, Grid)]
        assert all(len(row) == len(grid.heads or grid.rows[0]) for grid in grids for row in grid.rows)


def test_every_event_can_be_told(setup):
    engine, names = setup.engine, SHORT[: setup.seats]
    dealt = new_match(setup, seed_of("told", *setup.numbers)).events
    for event in (*dealt, *(event for step in sampled_steps(setup) for event in step.played.events)):
        told = engine.tell(event, names)
        assert told
        assert all(line == line.rstrip() for line in told.split("\n"))


def test_there_is_a_page_of_rules_that_marks_house_rules_and_shows_the_notation(setup):
    page = setup.engine.rules_page()
    assert page.startswith(f"# {setup.engine.title}\n")
    assert "(house" in page
    assert all(f"`{example}`" in page for example, _ in setup.engine.notation_help)
