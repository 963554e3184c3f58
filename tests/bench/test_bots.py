from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from unittest.mock import Mock

import pytest

from bench import bots, bots_page
from bench.bots import Pairing, Totals
from games.engine.coloretto import strategy

QUICK = [Pairing("coloretto", 3, "normal", "random"), Pairing("coloretto", 3, "hard", "normal", 0.001)]


def totals(wins: int, count: int) -> Totals:
    return Totals(count, wins, 30 * count, 20.0 * count, 40 * count, 0.4 * count, 0.02)


def test_the_interval_is_a_wilson_interval():
    found = bots_page.share(totals(8, 10))
    assert [round(number, 3) for number in found] == [0.8, 0.49, 0.943]


def test_every_bot_plays_against_every_weaker_one_at_every_player_count():
    robin = [pairing for pairing in bots.pairings() if pairing.seconds == bots.SECONDS]
    assert len(robin) == len(set(robin)) == 10 * 7
    assert {pairing.seconds for pairing in bots.pairings()} == set(bots.GROWTH)


def test_a_match_can_be_repeated_with_the_same_result():
    first, again = (bots.play(QUICK[0], 5) for _ in range(2))
    assert (first.won, first.points, first.others) == (again.won, again.points, again.others)


class Clock:
    """Says that the first readings are 0.1 seconds apart, and the others a millisecond."""

    def __init__(self, slow: int) -> None:
        self.slow, self.readings, self.now = slow, 0, 0.0

    def __call__(self) -> float:
        self.readings += 1
        self.now += 0.1 if self.readings <= self.slow else 0.001
        return self.now


@pytest.mark.parametrize(("slow", "longest", "matches"), [(0, 0.001, 1), (12, 0.001, 2), (10_000, 0.1, 2)])
def test_only_moves_that_are_slow_again_in_the_same_match_count_as_slow(monkeypatch, slow, longest, matches):
    match = Mock(side_effect=bots.match)
    monkeypatch.setattr(bots, "match", match)
    monkeypatch.setattr(bots, "process_time", Clock(slow))
    assert bots.play(QUICK[0], 7).longest == pytest.approx(longest)
    assert [one.args[-1] for one in match.call_args_list] == [7] * matches


def test_a_match_that_is_measured_again_starts_with_empty_caches():
    bots.play(QUICK[0], 0)
    assert strategy.potential.cache_info().currsize
    bots.empty_caches()
    assert not strategy.potential.cache_info().currsize


@pytest.fixture
def quick_run(monkeypatch, tmp_path):
    monkeypatch.setattr(bots, "pairings", lambda: QUICK)
    monkeypatch.setattr(bots_page, "FOLDER", tmp_path)
    monkeypatch.setattr(bots_page, "OUTPUTS", tmp_path)
    return tmp_path / "results" / "bots.json"


def run(path, matches):
    """Play in threads, because other processes would not see a test's patches."""
    return list(bots.report(path, matches, ThreadPoolExecutor(2)))


@pytest.mark.slow
def test_a_run_that_was_stopped_continues_where_it_left_off(quick_run, monkeypatch):
    assert len(run(quick_run, matches=2)) == len(QUICK)
    at_once = bots.load(quick_run)
    play, third = bots.play, 2
    monkeypatch.setattr(bots, "play", lambda pairing, number: play(pairing, {third: third}[number]))
    run(quick_run, matches=3)
    later = bots.load(quick_run)
    assert [totals.matches for totals in later.values()] == [3, 3]
    assert all(later[pairing].points > at_once[pairing].points for pairing in QUICK)


def test_the_matches_of_changed_bots_are_played_again(quick_run, monkeypatch):
    run(quick_run, matches=1)
    assert all(totals.matches == 1 for totals in bots.load(quick_run).values())
    unchanged = bots.fingerprint
    monkeypatch.setattr(bots, "fingerprint", lambda *bot: "changed" if bot[-1] == "random" else unchanged(*bot))
    assert [totals.matches for totals in bots.load(quick_run).values()] == [0, 1]


def test_bots_that_play_differently_have_different_fingerprints(monkeypatch):
    before = bots.fingerprint("coloretto", 3, "normal")
    bots.fingerprint.cache_clear()
    assert bots.fingerprint("coloretto", 3, "normal") == before
    bots.fingerprint.cache_clear()
    monkeypatch.setattr(strategy, "GENEROSITY", 0.5)
    assert bots.fingerprint("coloretto", 3, "normal") != before
    bots.fingerprint.cache_clear()


def test_the_page_shows_targets_and_win_shares_and_points_and_a_chart(quick_run):
    unmeasured = [Pairing("colorado-county", seats, "hard", "easy") for seats in (3, 4)]
    begun = Pairing("coloretto", 4, "hard", "normal")
    hard = Pairing("coloretto", 3, "hard", "normal")
    slow = {Pairing("coloretto", 3, "hard", "normal", 1.5): replace(totals(20, 40), longest=2.1)}
    played = (
        {QUICK[0]: totals(114, 120), hard: totals(40, 120), begun: totals(1, 2)}
        | slow
        | {one: Totals() for one in unmeasured}
    )
    bots_page.write(played)
    page = (quick_run.parent.parent / "bots.md").read_text()
    assert "| Coloretto (modern) | 3 | normal against random | 120 | 95% | 90% to 98% | 33% | 85% | met |" in page
    assert "| Coloretto (modern) | 3 | hard against normal | 120 | 33% | 26% to 42% | 33% | 48% | MISSED |" in page
    assert "| 3 | normal | random | 120 | 95% | 90% to 98% | 30.0 | 20.0 | 10.0 ms | 20 ms |" in page
    assert "| Coloretto (modern) | normal | 4,800 | 10.0 ms | 20 ms | 20 ms | met |" in page
    assert "| Coloretto (modern) | hard | 1,600 | 10.0 ms | 2,100 ms | 2,000 ms | MISSED |" in page
    assert (quick_run.parent.parent / "bots.png").read_bytes().startswith(b"\x89PNG")
    assert page.endswith("| Colorado County | 3, 4 | hard | easy | 0.2 |\n")
    assert "| 4 | hard against normal | 2 | 50% | 9% to 91% | 25% | 40% | too few matches |" in page


def test_the_page_shows_how_long_players_wait_as_last_measured(quick_run):
    bots_page.save_output("busy_bots", ["until it was the player's turn again: median 2 ms"], "Measured today.")
    bots_page.write({QUICK[0]: totals(114, 120)})
    page = (quick_run.parent.parent / "bots.md").read_text()
    assert "## How long players wait" in page
    assert page.endswith("```\nMeasured today.\n\nuntil it was the player's turn again: median 2 ms\n```\n")
