import pytest

from bench import bots, bots_page
from bench.bots import Pairing, Tally
from games.engine.coloretto import strategy

QUICK = [Pairing("coloretto", 3, "normal", "random"), Pairing("coloretto", 3, "hard", "normal", 0.001)]


def tally(wins: int, count: int) -> Tally:
    return Tally(count, wins, 30 * count, 20.0 * count, 40 * count, 0.4 * count, 0.02)


def test_the_interval_is_a_wilson_interval():
    found = bots_page.share(tally(8, 10))
    assert [round(number, 3) for number in found] == [0.8, 0.49, 0.943]


def test_every_bot_plays_against_every_weaker_one_with_every_number_of_players():
    robin = [pairing for pairing in bots.pairings() if pairing.seconds == bots.SECONDS]
    assert len(robin) == len(set(robin)) == 10 * 7
    assert {pairing.seconds for pairing in bots.pairings()} == set(bots.GROWTH)


def test_a_match_can_be_repeated_with_the_same_result():
    first, again = (bots.play(QUICK[0], 5) for _ in range(2))
    assert (first.won, first.points, first.others) == (again.won, again.points, again.others)


@pytest.fixture
def quick_run(monkeypatch, tmp_path):
    monkeypatch.setattr(bots, "pairings", lambda: QUICK)
    monkeypatch.setattr(bots_page, "FOLDER", tmp_path)
    return tmp_path / "results" / "bots.json"


def test_a_run_that_was_stopped_continues_where_it_left_off(quick_run, monkeypatch):
    assert len(list(bots.report(quick_run, matches=2))) == len(QUICK)
    at_once = bots.load(quick_run)
    play, third = bots.play, 2
    monkeypatch.setattr(bots, "play", lambda pairing, number: play(pairing, {third: third}[number]))
    list(bots.report(quick_run, matches=3))
    later = bots.load(quick_run)
    assert [tally.matches for tally in later.values()] == [3, 3]
    assert all(later[pairing].points > at_once[pairing].points for pairing in QUICK)


def test_the_matches_of_changed_bots_are_played_again(quick_run, monkeypatch):
    list(bots.report(quick_run, matches=1))
    assert all(tally.matches == 1 for tally in bots.load(quick_run).values())
    monkeypatch.setattr(bots, "fingerprint", lambda game, seats: "changed")
    assert not any(tally.matches for tally in bots.load(quick_run).values())


def test_bots_that_play_differently_have_another_fingerprint(monkeypatch):
    before = bots.fingerprint("coloretto", 3)
    bots.fingerprint.cache_clear()
    assert bots.fingerprint("coloretto", 3) == before
    bots.fingerprint.cache_clear()
    monkeypatch.setattr(strategy, "GENEROSITY", 0.5)
    assert bots.fingerprint("coloretto", 3) != before
    bots.fingerprint.cache_clear()


def test_the_page_has_targets_shares_points_and_a_chart(quick_run):
    unmeasured = [Pairing("colorado-county", seats, "hard", "easy") for seats in (3, 4)]
    begun = Pairing("coloretto", 4, "hard", "normal")
    hard = Pairing("coloretto", 3, "hard", "normal")
    played = {QUICK[0]: tally(114, 120), hard: tally(40, 120), begun: tally(1, 2)} | {
        one: Tally() for one in unmeasured
    }
    bots_page.write(played)
    page = (quick_run.parent.parent / "bots.md").read_text()
    assert "| Coloretto (modern) | 3 | normal against random | 120 | 95% | 90% to 98% | 33% | 85% | met |" in page
    assert "| Coloretto (modern) | 3 | hard against normal | 120 | 33% | 26% to 42% | 33% | 48% | MISSED |" in page
    assert "| 3 | normal | random | 120 | 95% | 90% to 98% | 30.0 | 20.0 | 10.0 ms |" in page
    assert (quick_run.parent.parent / "bots.png").read_bytes().startswith(b"\x89PNG")
    assert page.endswith("| Colorado County | 3, 4 | hard | easy | 0.2 |\n")
    assert "| 4 | hard against normal | 2 | 50% | 9% to 91% | 25% | 40% | too few matches |" in page
