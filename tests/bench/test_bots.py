import json

import pytest

from bench import bots, bots_page
from bench.bots import Pairing, Result

QUICK = [Pairing("coloretto", 3, "normal", "random"), Pairing("coloretto", 3, "hard", "normal", 0.001)]


def results(wins: int, count: int) -> list[Result]:
    return [Result(number, float(number < wins), 30, 20.0, 40, 0.4, 0.02) for number in range(count)]


def test_the_interval_is_wilsons():
    found = bots_page.share(results(8, 10))
    assert [round(number, 3) for number in found] == [0.8, 0.49, 0.943]


def test_every_kind_meets_every_weaker_one_at_every_table():
    robin = [pairing for pairing in bots.pairings() if pairing.seconds == bots.SECONDS]
    assert len(robin) == len(set(robin)) == 10 * 7
    assert {pairing.seconds for pairing in bots.pairings()} == set(bots.GROWTH)


def test_a_match_is_the_same_when_it_is_played_again():
    first, again = (bots.play(QUICK[0], 5) for _ in range(2))
    assert (first.won, first.points, first.others) == (again.won, again.points, again.others)


@pytest.fixture
def quick_run(monkeypatch, tmp_path):
    monkeypatch.setattr(bots, "pairings", lambda: QUICK)
    monkeypatch.setattr(bots_page, "FOLDER", tmp_path)
    return tmp_path / "build" / "results.jsonl"


def test_a_run_that_was_stopped_continues_where_it_was(quick_run):
    first = list(bots.report(quick_run, matches=2))
    assert len(first) == len(QUICK)
    before = quick_run.read_text().splitlines()
    list(bots.report(quick_run, matches=3))
    after = quick_run.read_text().splitlines()
    assert after[: len(before)] == before
    assert [json.loads(line)["result"]["number"] for line in after] == [0, 1, 0, 1, 2, 2]


def test_the_page_has_targets_shares_points_and_a_chart(quick_run):
    played = {QUICK[0]: results(114, 120), Pairing("coloretto", 3, "hard", "normal"): results(40, 120)}
    bots_page.write(played)
    page = (quick_run.parent.parent / "bots.md").read_text()
    assert "| Coloretto (modern) | 3 | normal among random | 120 | 95% | 90% to 98% | 33% | 85 % | met |" in page
    assert "| Coloretto (modern) | 3 | hard among normal | 120 | 33% | 26% to 42% | 33% | 48 % | MISSED |" in page
    assert "| 3 | normal | random | 120 | 95% | 90% to 98% | 30.0 | 20.0 | 10.0 ms |" in page
    assert (quick_run.parent.parent / "bots.png").read_bytes().startswith(b"\x89PNG")
