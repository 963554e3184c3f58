"""In every game, everything that can be tapped on the match page leads to a legal move, and every legal move can be
reached."""

import pytest

from games.engine.choices import Subset
from games.engine.colorado_county.state import Bid, Pick, PlaceFlags
from games.engine.dice import Dice
from games.engine.registry import engine, engines
from tests.games.engine.colorado_county import tables
from tests.not_none import not_none
from tests.toy_games import hush, sticks
from web.controls import controls, current_mode
from web.drafts import Draft, draft_of_move, fill_in, finished_move, form_in, opened, sealed, settle, tap

MORE_TAPS_THAN_ANY_MOVE = 60


@pytest.fixture
def games():
    with hush.registered(), sticks.registered():
        yield engines()


def start(game, seats=3, **options):
    return game.new_match(seats, game.read_options(options), Dice(b"\3" * 32, 0)).state


def tapped_move(game, choices, dice):
    """Tap random controls until a move is complete."""
    draft = Draft()
    for _ in range(MORE_TAPS_THAN_ANY_MOVE):
        draft = Draft(current_mode(game, choices, draft), draft.values, draft.places, draft.move)
        shown = controls(game, choices, draft)
        if shown.only or shown.confirm:
            return game.parse(not_none(shown.only or shown.confirm).value)
        form = form_in(choices, draft.mode)
        actions = [("tap", place) for place in sorted(shown.taps.open)]
        actions += [("move", button.value) for button in shown.buttons]
        actions += [("add" if form else "move", ending.value) for ending in shown.endings]
        actions += [("mode", mode.value) for mode in shown.modes if not mode.is_chosen]
        actions += [("done", "")] * 5 if shown.form and shown.form.is_complete else []
        kind, value = dice.choice(actions)
        draft = act(game, choices, draft, form, kind, value, dice)
    raise AssertionError("no move was completed")


def act(game, choices, draft, form, kind, value, dice):
    if kind == "tap":
        return tap(game, choices, draft, value)
    if kind == "mode":
        return Draft(mode=value)
    if kind == "add":
        return settle(game, choices, draft, value)
    if kind == "move":
        return Draft(draft.mode, draft.values, draft.places, value)
    chosen = {field.name: list(map(str, field.sample(dice))) for field in form.fields if isinstance(field, Subset)}
    draft = fill_in(form, draft, lambda name: chosen[name])
    return Draft(draft.mode, draft.values, (), game.notation(finished_move(game, form, draft)))


@pytest.mark.parametrize("seed", range(3))
def test_a_match_in_every_game_can_be_played_to_its_end_by_tapping(games, seed):
    for game in games:
        state, dice = start(game), Dice(bytes([seed]) * 32)
        for _ in range(2000):
            if not (awaited := sorted(game.awaiting(state))):
                break
            seat = dice.choice(awaited)
            move = tapped_move(game, game.choices(state, seat), dice)
            assert game.refusal(state, seat, move) is None
            state = game.play(state, seat, move, dice).state
        assert game.outcome(state) is not None


def test_every_move_from_a_form_is_named_in_words_and_can_be_changed(games):
    for game in games:
        state, dice = start(game), Dice(b"\5" * 32)
        for _ in range(60):
            if not (awaited := sorted(game.awaiting(state))):
                break
            seat = dice.choice(awaited)
            choices = game.choices(state, seat)
            move = tapped_move(game, choices, dice)
            if form := form_in(choices, type(move).__struct_config__.tag):
                assert finished_move(game, form, draft_of_move(game, choices, move)) == move
            state = game.play(state, seat, move, dice).state


@pytest.mark.parametrize(
    ("notation", "words"),
    [
        ("bid 1 3 plan 1 N1 L2", "Bid 1 and 3. Plan: card 1 with cubes on N1 and L2"),
        ("bid 9 plan 1 C3 only / 2 nothing", "Bid 9. Plan: card 1 with one cube on C3, or else card 2 without a cube"),
        ("bid none", "Bid nothing"),
        ("offer 12 17", "Offer 12 and 17"),
        ("flags A1 C3 E5", "Place your flags on A1, C3 and E5"),
    ],
)
def test_a_move_that_waits_for_confirmation_is_named_in_words(notation, words):
    game = engine("colorado-county")
    shown = controls(game, game.choices(start(game), 0), Draft(move=notation)).confirm
    assert not_none(shown).label == words


def picking(seed=5):
    """Return a Colorado County position in which a seat has to pick a card."""
    game, dice = engine("colorado-county"), Dice(bytes([seed]) * 32)
    state = start(game)
    while state.phase != "picks":
        seat = min(game.awaiting(state))
        bid = Bid(state.hands[seat][: seat + 1])
        state = game.play(state, seat, bid, dice).state
    return game, state, min(game.awaiting(state))


def test_every_pick_can_be_reached_by_tapping_its_card_and_its_squares_in_any_order():
    game, state, seat = picking()
    choices = game.choices(state, seat)
    for move in choices.moves:
        card, *squares = game.button(move).places
        for order in (squares, squares[::-1]):
            draft = Draft(current_mode(game, choices, Draft()))
            for place in (card, *order):
                assert place in controls(game, choices, draft).taps.open
                draft = tap(game, choices, draft, place)
            endings = [ending.value for ending in controls(game, choices, draft).endings]
            assert game.notation(move) in [draft.move, *endings]


def test_a_second_tap_deselects_a_place_and_an_impossible_tap_changes_nothing():
    game, state, seat = picking()
    choices = game.choices(state, seat)
    start = Draft(current_mode(game, choices, Draft()))
    card = tap(game, choices, start, "Card 1")
    assert card.places == ("Card 1",)
    assert tap(game, choices, card, "Card 1") == start
    assert tap(game, choices, card, "Z99") == card
    assert tap(game, choices, card, "Card 2").places == ("Card 2",)


def test_a_plan_is_put_together_pick_by_pick_without_repetitions():
    game = engine("colorado-county")
    choices = game.choices(start(game), 0)
    draft = Draft("bid")
    for place in ("Card 1", "Card 2", "Card 1"):
        draft = settle(game, choices, tap(game, choices, draft, place), f"pick {place[-1]} nothing")
    form = not_none(form_in(choices, "bid"))
    cowboys = [str(cowboy) for cowboy in form.fields[0].values[:2]]
    move = finished_move(game, form, fill_in(form, draft, lambda _: cowboys))
    assert move == Bid(tuple(map(int, cowboys)), (Pick(2), Pick(1)))


def test_flags_can_be_placed_only_on_open_squares():
    game = engine("colorado-county")
    state = start(game, flags="players")
    seat = min(game.awaiting(state))
    choices, draft = game.choices(state, seat), Draft("place_flags")
    while draft_open := sorted(controls(game, choices, draft).taps.open):
        assert not not_none(controls(game, choices, draft).form).is_complete
        draft = tap(game, choices, draft, draft_open[0])
    move = finished_move(game, not_none(form_in(choices, "place_flags")), draft)
    assert isinstance(move, PlaceFlags)
    assert game.refusal(state, seat, move) is None


def test_a_player_who_pays_for_land_with_one_cowboy_gets_no_hint_about_several():
    table = tables.table(land={tables.ANN: "A10", tables.BEN: "A1"}, seats=2, hands={tables.BEN: (7, 60)})
    state = tables.after(table, (tables.ANN, "sell A10"), (tables.BEN, "interested"))
    shown = controls(tables.ENGINE, tables.ENGINE.choices(state, tables.BEN), Draft())
    (field,) = not_none(shown.form).fields
    assert (field.kind, field.hint, [option.label for option in field.options]) == ("radio", "", ["7", "60"])
    assert shown.shows_hand


def test_a_draft_is_valid_for_one_player_and_one_match_only():
    token = sealed("abc", 1, 7, Draft(move="bid 12"))
    assert opened(token, "abc", 1) == (7, Draft(move="bid 12"))
    assert opened(token, "abc", 2) is None
    assert opened(token, "abd", 1) is None
    assert opened(token[:-4] + "AAAA", "abc", 1) is None
    assert "bid" not in token
