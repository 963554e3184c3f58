"""If boardgame.io can't be installed, its benchmark is skipped with a reason."""

from pathlib import Path

import pytest

from bench import boardgame_io


def test_without_node_the_peer_is_not_measured(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(boardgame_io.NoPeerError, match=r"Node\.js is not installed"):
        boardgame_io.install(Path("unused"))


def test_if_npm_fails_the_peer_is_not_measured(monkeypatch, tmp_path):
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr(boardgame_io, "INSTALL", ["false"])
    with pytest.raises(boardgame_io.NoPeerError, match="npm can't install"):
        boardgame_io.install(tmp_path)
