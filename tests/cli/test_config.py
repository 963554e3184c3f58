import stat

import pytest

from cli import config
from cli.config import Config, Profile
from cli.problems import Usage


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TURNPOST_CONFIG", str(tmp_path / "deep" / "turnpost"))
    return tmp_path / "deep" / "turnpost"


def test_what_was_saved_is_there_again(folder):
    saved = Config(folder, {"work": Profile("https://play.example.org", "t0ken", "ann", "r3g")})
    config.save(saved)
    assert config.load() == saved


def test_only_its_owner_can_read_the_token(folder):
    config.save(Config(folder, profiles={"default": Profile(token="t0ken")}))
    assert stat.S_IMODE((folder / "profiles.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_file_that_others_could_read_is_closed_when_it_is_written_again(folder):
    config.save(Config(folder))
    (folder / "profiles.json").chmod(0o644)
    config.save(Config(folder, profiles={"default": Profile(token="t0ken")}))
    assert stat.S_IMODE((folder / "profiles.json").stat().st_mode) == 0o600


def test_nothing_is_left_beside_the_file(folder):
    config.save(Config(folder))
    assert [path.name for path in folder.iterdir()] == ["profiles.json"]


def test_without_a_file_there_is_the_usual_server_and_nobody():
    assert config.load().profile("default") == Profile()


@pytest.mark.parametrize("written", ["", "{", "[]", '{"profiles": 3}', '{"profiles": {"a": 1}}'])
def test_a_file_that_cannot_be_read_is_named(folder, written):
    folder.mkdir(parents=True)
    (folder / "profiles.json").write_text(written)
    with pytest.raises(Usage, match=r"profiles\.json"):
        config.load()


def test_a_field_of_a_later_version_does_no_harm(folder):
    folder.mkdir(parents=True)
    (folder / "profiles.json").write_text('{"later": "a", "profiles": {"a": {"url": "http://x", "later": 1}}}')
    assert config.load().profile("a").url == "http://x"
