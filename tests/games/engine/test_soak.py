"""The soak test checks whole matches against the contract, and its findings can be replayed."""

import os
import re
import signal
from collections import Counter

import pytest
from msgspec.structs import replace

from games.engine.base import Played
from tests.games.engine import attempts, playing, soak
from tests.games.engine.setups import ALL, SETUPS
from tests.games.engine.test_contract_controls import ToySetup
from tests.not_none import not_none
from tests.toy_games.toy import Options, Toy, component_counts

STARTED_BY = os.getpid()
LOW = 3


class LosesACardNowAndThen(Toy):
    def play(self, state, seat, move, dice):
        played = super().play(state, seat, move, dice)
        deck = played.state.deck[1:] if state.cards[0] < LOW else played.state.deck
        return played._replace(state=replace(played.state, deck=deck))


class ForgetsTheLastBidNowAndThen(Toy):
    """A game that never ends, because all moves are quiet."""

    def play(self, state, seat, move, dice):
        played = super().play(state, seat, move, dice)
        return Played(state, (), quiet=True) if not played.quiet and state.cards[0] < LOW else played


class EndsItsProcessNowAndThen(Toy):
    def awaiting(self, state):
        if state.cards[0] < LOW and os.getpid() != STARTED_BY:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().awaiting(state)


def toy_setup(toy):
    return ToySetup("toy", 3, "", Options(), 1, component_counts, toy=toy)


@pytest.fixture
def only(monkeypatch):
    """Make a toy game the only registered game."""

    def only_this(toy):
        for slug in list(SETUPS):
            monkeypatch.delitem(SETUPS, slug)
        monkeypatch.setitem(SETUPS, "toy", [toy_setup(toy)])
        attempts.forget()

    yield only_this
    attempts.forget()


def ran(*arguments):
    told: list[str] = []
    return soak.main(arguments, told.append), "\n".join(told)


def test_setups_get_roughly_equal_shares_and_each_match_has_its_own_number():
    planned = soak.plan_from(soak.arguments(["--matches", "2000", "--seed", "50"]))
    played = Counter(task.setup for task in planned)
    looks = {setup: played[setup] * soak.workload(setup) for setup in ALL}
    assert all(abs(count * len(ALL) / sum(looks.values()) - 1) < 0.1 for count in looks.values())
    assert [task.number for task in planned] == list(range(50, 2050))


def test_a_long_run_plays_hundreds_of_matches_of_every_setup():
    planned = soak.plan_from(soak.arguments(["--matches", "100000"]))
    assert min(Counter(task.setup for task in planned).values()) > 500


def test_a_longer_run_begins_with_the_same_matches_as_a_shorter_one():
    planned = soak.plan_from(soak.arguments(["--matches", "2000"]))
    assert planned[:200] == soak.plan_from(soak.arguments(["--matches", "200"]))


@pytest.mark.parametrize("setup", ["colorado-county-2", "coloretto-modern-2"])
def test_real_games_are_checked_against_the_contract_after_every_move(setup):
    code, told = ran("--setup", setup, "--matches", "1", "--processes", "1")
    assert code == 0
    assert re.search(f"{setup} +1 +[0-9]+ ", told)
    assert "1 of 1 matches" in told
    assert "0 broken" in told


def test_twenty_honest_matches_in_two_processes_break_no_rule(only):
    only(Toy())
    code, told = ran("--matches", "20", "--processes", "2")
    assert code == 0
    assert "20 of 20 matches" in told


def test_a_stopped_run_says_how_to_continue_and_both_parts_together_cover_everything(only):
    only(Toy())
    _, stopped = ran("--matches", "20", "--processes", "1", "--minutes", "0")
    assert "Continue with: --matches 20 --from 0" in stopped
    _, later = ran("--matches", "20", "--processes", "1", "--from", "12")
    assert "20 of 20 matches: 8 in" in later
    assert "Continue with" not in later


def test_a_broken_game_is_found_and_its_match_can_be_replayed(only):
    only(LosesACardNowAndThen())
    code, told = ran("--matches", "20", "--processes", "1")
    assert code == 1
    assert "BROKEN: test_the_closely_checked_matches_end_and_keep_all_components" in told
    found = re.findall("(--setup toy-3) (--match [0-9]+)", told)
    assert 0 < len(found) < 20
    again, told_again = ran(*" ".join(found[0]).split())
    assert again == 1
    assert "BROKEN: test_the_closely_checked_matches_end_and_keep_all_components" in told_again


def test_a_match_that_never_ends_is_reported(only, monkeypatch):
    only(Toy())
    for slug in SETUPS:
        attempts.all_off(slug)
    monkeypatch.setattr(playing, "MORE_STEPS_THAN_ANY_MATCH", 100)
    endless = toy_setup(ForgetsTheLastBidNowAndThen())
    for number in filter(has_a_low_card, range(20)):
        assert "never ends" in not_none(soak.check_match(soak.Task(endless, number)).broken).error


def test_a_match_that_kills_its_process_is_reported(only):
    only(EndsItsProcessNowAndThen())
    code, told = ran("--matches", "20", "--processes", "2")
    assert code == 1
    named = {int(number) for number in re.findall("--setup toy-3 --match ([0-9]+)", told)}
    assert any(map(has_a_low_card, named))


def has_a_low_card(number):
    return playing.new_match(SETUPS["toy"][0], playing.seed_of("match", number)).state.cards[0] < LOW


@pytest.mark.parametrize("given", [["--match", "3"], ["--setup", "chess-2"], ["--setup", "chess-2", "--match", "3"]])
def test_invalid_arguments_are_refused(given):
    with pytest.raises(SystemExit) as caught:
        ran(*given)
    assert str(caught.value.code).endswith(".")
