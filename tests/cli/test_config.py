import stat

import pytest

from cli import config
from cli.config import Config, Profile
from cli.problems import Usage


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TURNPOST_CONFIG", str(tmp_path / "deep" / "turnpost"))
    return tmp_path / "deep" / "turnpost"


def test_a_saved_profile_is_loaded_again(folder):
    saved = Config(folder, {"work": Profile("https://play.example.org", "t0ken", "ann", "r3g")})
    config.save(saved)
    assert config.load() == saved


def test_only_the_owner_can_read_the_token(folder):
    config.save(Config(folder, profiles={"default": Profile(token="t0ken")}))
    assert stat.S_IMODE((folder / "profiles.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_saving_removes_other_users_read_access(folder):
    config.save(Config(folder))
    (folder / "profiles.json").chmod(0o644)
    config.save(Config(folder, profiles={"default": Profile(token="t0ken")}))
    assert stat.S_IMODE((folder / "profiles.json").stat().st_mode) == 0o600


def test_saving_leaves_no_temporary_file(folder):
    config.save(Config(folder))
    assert [path.name for path in folder.iterdir()] == ["profiles.json"]


def test_without_a_file_the_default_server_is_used_and_nobody_is_logged_in():
    assert config.load().profile("default") == Profile()


def test_a_new_profile_uses_the_default_profiles_server_and_is_not_logged_in(folder):
    saved = Config(folder, {"default": Profile("https://play.example.org", "t0ken", "ann", "r3g")})
    assert saved.profile("ben") == Profile("https://play.example.org")


@pytest.mark.parametrize("written", ["", "{", "[]", '{"profiles": 3}', '{"profiles": {"a": 1}}'])
def test_the_error_names_a_file_that_cannot_be_read(folder, written):
    folder.mkdir(parents=True)
    (folder / "profiles.json").write_text(written)
    with pytest.raises(Usage, match=r"profiles\.json"):
        config.load()


def test_a_field_from_a_later_version_is_ignored(folder):
    folder.mkdir(parents=True)
    (folder / "profiles.json").write_text('{"later": "a", "profiles": {"a": {"url": "http://x", "later": 1}}}')
    assert config.load().profile("a").url == "http://x"
