from base64 import urlsafe_b64encode
from pathlib import Path
from stat import S_IMODE
from types import MappingProxyType

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.environment import Environment
from core.rates import Rate


def given(**values):
    return Environment(values)


def refusal(read):
    with pytest.raises(ImproperlyConfigured) as refused:
        read()
    return str(refused.value)


def test_an_empty_variable_counts_as_unset():
    assert given(NAME="  ").text("NAME", "default") == "default"


@pytest.mark.parametrize(
    ("word", "meaning"), [("yes", True), ("TRUE", True), ("1", True), ("off", False), ("0", False)]
)
def test_a_flag_accepts_the_usual_spellings_of_yes_and_no(word, meaning):
    assert given(FLAG=word).flag("FLAG", default=not meaning) is meaning


def test_a_flag_that_is_neither_yes_nor_no_is_refused():
    assert refusal(lambda: given(FLAG="perhaps").flag("FLAG")) == "FLAG is 'perhaps'; it must be yes or no."


def test_a_list_of_words_is_separated_by_commas():
    assert given(HOSTS="a.example, b.example,").words("HOSTS") == ["a.example", "b.example"]


def test_a_new_folder_is_private(tmp_path):
    folder = given(DATA=str(tmp_path / "a" / "data")).folder("DATA", tmp_path)
    assert S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_created_is_refused(tmp_path):
    (tmp_path / "file").touch()
    sentence = refusal(lambda: given(DATA=str(tmp_path / "file" / "data")).folder("DATA", tmp_path))
    assert sentence.startswith("DATA must be a writable folder: ")


def test_a_mail_domain_is_lower_case_and_optional():
    assert given(DOMAIN="Play.Example.org").mail_domain("DOMAIN") == "play.example.org"
    assert given().mail_domain("DOMAIN") == ""


@pytest.mark.parametrize(
    "domain", ["@example.org", "reply@example.org", "a b", "-x.org", "x..org", "x.org.", "a" * 191]
)
def test_an_invalid_mail_domain_is_refused(domain):
    assert refusal(lambda: given(DOMAIN=domain).mail_domain("DOMAIN")).startswith("DOMAIN ")


def test_a_trailing_slash_is_removed_from_a_web_address():
    assert given(URL="https://play.example.org/").web_address("URL", "") == "https://play.example.org"


@pytest.mark.parametrize(
    "address", ["play.example.org", "ftp://play.example.org", "https://", "https://a.example/?q=1"]
)
def test_an_invalid_web_address_is_refused(address):
    assert refusal(lambda: given(URL=address).web_address("URL", "")).startswith("URL ")


class TestDatabase:
    default = Path("/srv/100% #1/turnpost.sqlite3")

    def read(self, url=""):
        return given(DATABASE_URL=url).database("DATABASE_URL", self.default)

    def test_the_default_is_sqlite(self):
        assert self.read()["ENGINE"] == "core.sqlite3"
        assert self.read()["NAME"] == self.default

    @pytest.mark.parametrize("url", ["", "sqlite:////srv/other.sqlite3", "SQLite:////srv/other.sqlite3"])
    def test_sqlite_writers_queue_and_commits_survive_a_power_cut(self, url):
        options = self.read(url)["OPTIONS"]
        assert options["transaction_mode"] == "IMMEDIATE"
        assert "journal_mode = WAL" in options["init_command"]
        assert "synchronous = FULL" in options["init_command"]

    def test_an_unresponsive_postgresql_server_causes_a_timeout(self):
        assert self.read("postgresql://db.example/turnpost")["OPTIONS"]["connect_timeout"] == 5
        assert self.read("postgresql://db.example/turnpost?connect_timeout=2")["OPTIONS"]["connect_timeout"] == 2

    def test_postgresql_drops_connections_of_machines_that_disappeared(self):
        options = self.read("postgresql://db.example/turnpost")["OPTIONS"]["options"]
        assert "-c idle_in_transaction_session_timeout=60s -c lock_timeout=20s" in options

    def test_a_postgresql_url_is_parsed(self):
        database = self.read("postgresql://ann:p%40ss@db.example:5433/turnpost")
        assert database["ENGINE"] == "core.postgresql"
        assert (database["USER"], database["PASSWORD"]) == ("ann", "p@ss")
        assert (database["HOST"], database["PORT"], database["NAME"]) == ("db.example", 5433, "turnpost")

    @pytest.mark.parametrize(
        ("url", "sentence"),
        [
            (
                "mysql://ann:hidden@db/turnpost",
                "DATABASE_URL must begin with one of postgres://, postgresql://, sqlite://.",
            ),
            (
                "postgresql://ann:hidden@db",
                "DATABASE_URL has no database name; it must look like postgresql://user:password@host:port/database.",
            ),
            (
                "sqlite://",
                "DATABASE_URL has no database name; it must look like sqlite:////srv/turnpost/turnpost.sqlite3.",
            ),
        ],
    )
    def test_other_database_urls_are_refused(self, url, sentence):
        assert refusal(lambda: self.read(url)) == sentence

    def test_an_error_does_not_show_the_password(self):
        assert "hidden" not in refusal(lambda: self.read("postgresql://ann:hidden@db:port/turnpost"))


class TestBroker:
    def test_the_default_broker_is_in_memory(self):
        assert given().broker("BROKER_URL") == "memory://localhost"

    @pytest.mark.parametrize("url", ["redis://cache:6379/0", "amqp://ann:secret@rabbit//"])
    def test_redis_and_rabbitmq_are_supported(self, url):
        assert given(BROKER_URL=url).broker("BROKER_URL") == url

    def test_other_broker_urls_are_refused(self):
        sentence = refusal(lambda: given(BROKER_URL="pigeon://ann:hidden@loft").broker("BROKER_URL"))
        assert sentence == "BROKER_URL must begin with one of amqp://, amqps://, memory://, redis://, rediss://."


class TestEmail:
    def read(self, url=""):
        return given(EMAIL_URL=url).email("EMAIL_URL", Path("/srv/100% #1/mail"))

    def test_by_default_emails_go_to_a_folder(self):
        assert self.read()["EMAIL_FILE_PATH"] == Path("/srv/100% #1/mail")

    def test_a_file_url_sets_a_different_folder(self):
        assert self.read("file:///srv/post%20box")["EMAIL_FILE_PATH"] == Path("/srv/post box")

    @pytest.mark.parametrize(
        ("url", "port", "starttls", "tls"),
        [
            ("smtp://mail.example", 25, False, False),
            ("smtp+tls://mail.example", 587, True, False),
            ("smtp+ssl://mail.example", 465, False, True),
            ("smtp+tls://mail.example:2525", 2525, True, False),
        ],
    )
    def test_the_scheme_sets_port_and_encryption(self, url, port, starttls, tls):
        email = self.read(url)
        assert (email["EMAIL_HOST"], email["EMAIL_PORT"]) == ("mail.example", port)
        assert (email["EMAIL_USE_TLS"], email["EMAIL_USE_SSL"]) == (starttls, tls)

    def test_user_and_password_can_be_percent_encoded(self):
        email = self.read("smtp+tls://ann%40example.org:p%2Fw@mail.example")
        assert (email["EMAIL_HOST_USER"], email["EMAIL_HOST_PASSWORD"]) == ("ann@example.org", "p/w")

    @pytest.mark.parametrize(
        "url", ["mail.example", "pop3://mail.example", "smtp://", "smtp://mail:x", "file://mail", "file:///"]
    )
    def test_other_email_urls_are_refused(self, url):
        assert refusal(lambda: self.read(url)).startswith("EMAIL_URL ")


class TestMailbox:
    def read(self, url, domain="play.example.org"):
        environment = given(INBOUND_IMAP_URL=url, TURNPOST_REPLY_DOMAIN=domain)
        return environment.mailbox("INBOUND_IMAP_URL", needs="TURNPOST_REPLY_DOMAIN")

    def test_by_default_nothing_is_fetched(self):
        assert self.read("") == {}

    @pytest.mark.parametrize(
        ("url", "port", "security", "folder"),
        [
            ("imaps://ann:pw@mail.example", 993, "tls", "INBOX"),
            ("imap+tls://ann:pw@mail.example/Games", 143, "starttls", "Games"),
            ("imap://ann:pw@mail.example:1143/To%20do/now", 1143, "none", "To do/now"),
        ],
    )
    def test_the_url_sets_server_and_encryption(self, url, port, security, folder):
        mailbox = self.read(url)
        assert (mailbox["host"], mailbox["port"], mailbox["security"]) == ("mail.example", port, security)
        assert mailbox["folder"] == folder

    def test_user_and_password_can_be_percent_encoded(self):
        mailbox = self.read("imaps://ann%40example.org:p%2Fw@mail.example")
        assert (mailbox["user"], mailbox["password"]) == ("ann@example.org", "p/w")

    @pytest.mark.parametrize(
        "url",
        ["mail.example", "pop3://mail.example", "imaps://mail.example", "imaps://ann@mail.example", "imaps://:x@"],
    )
    def test_other_mailbox_urls_are_refused(self, url):
        assert refusal(lambda: self.read(url)).startswith("INBOUND_IMAP_URL ")

    def test_a_mailbox_needs_a_reply_domain(self):
        sentence = refusal(lambda: self.read("imaps://ann:pw@mail.example", domain=""))
        assert sentence.startswith("INBOUND_IMAP_URL also needs TURNPOST_REPLY_DOMAIN")


@pytest.mark.parametrize("written", ["x", "AAAA", "ü", "-----BEGIN PUBLIC KEY-----"])
def test_an_invalid_verification_key_is_refused(written):
    with pytest.raises(ImproperlyConfigured, match="INBOUND_SENDGRID_KEY must be the provider's verification key"):
        given(INBOUND_SENDGRID_KEY=written).public_key("INBOUND_SENDGRID_KEY")


class TestProviders:
    def read(self, names, **variables):
        return given(INBOUND_PROVIDERS=names, **variables).providers("INBOUND_PROVIDERS")

    def test_by_default_no_provider_is_accepted(self):
        assert self.read("") == []

    def test_every_provider_needs_a_secret(self):
        secrets = {"INBOUND_WEBHOOK_SECRET": "user:password", "INBOUND_MAILGUN_KEY": "key"}
        assert self.read("Mailgun, postmark, sendgrid", **secrets) == ["mailgun", "postmark", "sendgrid"]

    @pytest.mark.parametrize(
        ("names", "variables", "sentence"),
        [
            ("pigeon", {}, "INBOUND_PROVIDERS contains 'pigeon'; it can only contain: mailgun, postmark, sendgrid."),
            ("postmark", {}, "INBOUND_PROVIDERS also needs INBOUND_WEBHOOK_SECRET, to authenticate the provider."),
            (
                "mailgun",
                {"INBOUND_WEBHOOK_SECRET": "user:password"},
                "INBOUND_PROVIDERS also needs INBOUND_MAILGUN_KEY, to authenticate the provider.",
            ),
            (
                "postmark",
                {"INBOUND_WEBHOOK_SECRET": "password"},
                "INBOUND_WEBHOOK_SECRET must look like user:password.",
            ),
            ("postmark", {"INBOUND_WEBHOOK_SECRET": "user:"}, "INBOUND_WEBHOOK_SECRET must look like user:password."),
        ],
    )
    def test_a_provider_without_a_secret_is_refused(self, names, variables, sentence):
        assert refusal(lambda: self.read(names, **variables)) == sentence


class TestSecretKey:
    def test_the_variable_overrides_the_file(self, tmp_path):
        mine = "correct horse battery staple, and more"
        assert given(KEY=mine).secret_key("KEY", tmp_path / "key") == mine
        assert not (tmp_path / "key").exists()

    @pytest.mark.parametrize(
        "weak",
        [
            "x",
            "change-me",
            "changeme",
            "secret",
            "a" * 64,
            "ab" * 30,
            "0123456789abcdef" * 3,
            "correct horse battery" * 2,
            "1234567890" * 4 + "12",
            "a long random text " * 3,
            "changeme-changeme!changeme?changeme",
            "please change this to a long random text",
            "replace_this_with_something_nobody_else_knows",
            "django-insecure-7k2m9x4qa8w3e5r6t1y0u",
            "your-secret-key-goes-here-and-nowhere-else",
            "play.example.org, the key of our service",
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "$(openssl rand -hex 32) as in the manual",
            "generate-with-a-tool-and-paste-it-here",
            "not-a-secret-not-a-key-not-for-anybody",
            "fill-in-something-unguessable-here!",
            "my-super-duper-production-key-2026!",
            "for-testing-only-do-not-use-this-one!",
        ],
    )
    def test_a_secret_key_that_can_be_guessed_is_refused(self, tmp_path, weak):
        assert refusal(lambda: given(KEY=weak).secret_key("KEY", tmp_path / "key")).startswith(
            "KEY is too easy to guess; it needs at least 32 random characters."
        )

    def test_without_a_secret_key_one_is_generated_in_a_private_file(self, tmp_path):
        first = given().secret_key("KEY", tmp_path / "key")
        assert len(first) >= 50
        assert given().secret_key("KEY", tmp_path / "key") == first
        assert S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
        assert list(tmp_path.iterdir()) == [tmp_path / "key"]


@pytest.mark.parametrize("kind", ["vault_keys", "signing_keys"])
class TestKeys:
    def test_a_key_without_randomness_is_refused(self, tmp_path, kind):
        good, bad = (urlsafe_b64encode(key).decode() for key in (bytes(range(32)), bytes(32)))
        assert getattr(given(KEYS=good), kind)("KEYS", tmp_path / "key") == [good]
        assert refusal(lambda: getattr(given(KEYS=f"{good},{bad}"), kind)("KEYS", tmp_path / "key")).startswith(
            "KEYS is too easy to guess."
        )

    def test_without_a_key_a_random_one_is_generated(self, tmp_path, kind):
        first = getattr(given(), kind)("KEYS", tmp_path / "key")
        assert getattr(given(), kind)("KEYS", tmp_path / "key") == first


@pytest.mark.parametrize("written", ["0", "11", "60", "-1", "1,5", "soon"])
def test_seconds_must_be_positive_and_not_too_many(written):
    assert given(THINK="10").seconds("THINK", 1.5, most=10) == 10
    expected = f"THINK is '{written}'; it must be a number of seconds such as 1.5, up to 10."
    assert refusal(lambda: given(THINK=written).seconds("THINK", 1.5, most=10)) == expected


def test_a_number_must_be_written_in_digits():
    assert given(PROXIES="2").number("PROXIES", 0) == 2
    assert refusal(lambda: given(PROXIES="two").number("PROXIES", 0)) == "PROXIES is 'two'; it must be a number."


class TestRates:
    defaults = MappingProxyType({"user": "600/minute", "login": "5/hour"})

    def read(self, written=""):
        return given(RATES=written).rates("RATES", self.defaults)

    def test_unnamed_rates_keep_their_defaults(self):
        assert self.read("login=9/day") == {"user": Rate(600, 60), "login": Rate(9, 86400)}

    @pytest.mark.parametrize(
        ("written", "sentence"),
        [
            ("logni=5/hour", "RATES contains 'logni'; the known actions are: user, login."),
            ("login=5", "RATES: '5' is not a rate; use a form like 600/minute or 5/hour."),
            ("login", "RATES: '' is not a rate; use a form like 600/minute or 5/hour."),
        ],
    )
    def test_an_invalid_rate_is_refused(self, written, sentence):
        assert refusal(lambda: self.read(written)) == sentence


class TestCache:
    def test_without_redis_each_process_has_its_own_cache(self):
        assert given().cache("BROKER_URL")["BACKEND"].endswith("LocMemCache")
        assert given(BROKER_URL="amqp://rabbit//").cache("BROKER_URL")["BACKEND"].endswith("LocMemCache")

    def test_with_redis_all_processes_share_a_cache(self):
        cache = given(BROKER_URL="redis://cache:6379/0").cache("BROKER_URL")
        assert cache["BACKEND"].endswith("RedisCache")
        assert cache["LOCATION"] == "redis://cache:6379/0"
