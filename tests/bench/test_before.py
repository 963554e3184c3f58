"""Moves are compared with an earlier version, if the repository has it."""

from bench import before


def test_without_the_earlier_commit_nothing_is_measured(monkeypatch):
    monkeypatch.setattr(before, "BEFORE", "0" * 40)
    assert list(before.report())[-1] == "not measured: commit 0000000 isn't in this copy of the repository"


def test_a_version_is_extracted_without_a_working_tree(tmp_path):
    tree = before.extracted("HEAD", tmp_path)
    assert (tree / "manage.py").exists()
    assert not (tree / ".git").exists()
