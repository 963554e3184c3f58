"""What people read of every game: pictures that fit, sentences for every event, a page of rules."""

from unicodedata import category, combining, east_asian_width

import pytest

from tests.engine.playing import new_match, positions, sampled_steps, seed_of

SHORT = ("Ann", "Ben", "Cleo", "Dan", "Eve")
LONG = tuple(f"{name} Featherstonehaugh-Cholmondeley" for name in SHORT)
COLUMNS = 80


def takes_one_column(character: str) -> bool:
    return category(character)[0] != "C" and not combining(character) and east_asian_width(character) not in "WF"


@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short names", "long names"])
def test_a_picture_fits_into_eighty_plain_columns(setup, names):
    engine, names = setup.engine, names[: setup.seats]
    for state in positions(setup):
        for seat in (0, setup.seats - 1, None):
            picture = engine.picture(engine.view(state, seat), names)
            assert picture.endswith("\n")
            for line in picture.splitlines():
                assert len(line) <= COLUMNS
                assert line == line.rstrip()
                assert all(takes_one_column(character) for character in line)


def test_a_picture_names_every_player(setup):
    names = SHORT[: setup.seats]
    for state in positions(setup):
        picture = setup.engine.picture(setup.engine.view(state, None), names)
        assert all(name in picture for name in names)


def test_every_event_can_be_told(setup):
    engine, names = setup.engine, SHORT[: setup.seats]
    dealt = new_match(setup, seed_of("told")).events
    for event in (*dealt, *(event for step in sampled_steps(setup) for event in step.played.events)):
        told = engine.tell(event, names)
        assert told
        assert all(line == line.rstrip() for line in told.split("\n"))


def test_there_is_a_page_of_rules_that_marks_house_rules_and_shows_the_notation(setup):
    page = setup.engine.rules_page()
    assert page.startswith(f"# {setup.engine.title}\n")
    assert "(house" in page
    assert all(f"`{example}`" in page for example, _ in setup.engine.notation_help)
