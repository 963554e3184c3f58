"""Webhooks can call only public addresses, no matter how they are written."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notifications.webhooks import targets
from notifications.webhooks.targets import BadTarget, is_public


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://hooks.example.org", ("https", "hooks.example.org", 443, "/")),
        ("HTTPS://Hooks.Example.org/a/b?c=d#e", ("https", "hooks.example.org", 443, "/a/b?c=d")),
        ("http://example.org:8080/x", ("http", "example.org", 8080, "/x")),
        ("https://example.org./", ("https", "example.org.", 443, "/")),
        ("https://93.184.216.34/", ("https", "93.184.216.34", 443, "/")),
        ("https://[2606:2800:220:1::1]:8443/", ("https", "2606:2800:220:1::1", 8443, "/")),
        ("https://xn--bcher-kva.example/", ("https", "xn--bcher-kva.example", 443, "/")),
    ],
)
def test_an_unambiguous_url_is_accepted(url, parts):
    read = targets.read(url)
    assert (read.scheme, read.host, read.port, read.path) == parts


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("", "bad_url"),
        ("hooks.example.org", "bad_url"),
        ("//example.org/", "bad_url"),
        ("https://", "bad_url"),
        ("https:///path", "bad_url"),
        ("ftp://example.org/", "bad_url"),
        ("file:///etc/passwd", "bad_url"),
        ("gopher://example.org/", "bad_url"),
        ("https://ann:secret@example.org/", "bad_url"),
        ("https://example.org@127.0.0.1/", "bad_url"),
        ("https://exa mple.org/", "bad_url"),
        ("https://example.org/\r\nHost: other", "bad_url"),
        ("https://example.org\\@127.0.0.1/", "bad_url"),
        ("https://exämple.org/", "bad_url"),
        ("https://example.org/" + "x" * 500, "bad_url"),
        ("https://example.org:99999/", "bad_url"),
        ("https://example.org:0/", "bad_port"),
        ("https://example.org:25/", "bad_port"),
        ("https://[::1/", "bad_url"),
        ("https://[fe80::1%25eth0]/", "bad_host"),
        ("https://[::ffff:0x7f.1]/", "bad_url"),
        ("https://2130706433/", "bad_host"),
        ("https://0x7f000001/", "bad_host"),
        ("https://0x7f.0.0.1/", "bad_host"),
        ("https://0177.0.0.1/", "bad_host"),
        ("https://127.1/", "bad_host"),
        ("https://127.0.0.1./", "bad_host"),
        ("https://1.2.3.4.5/", "bad_host"),
        ("https://example..org/", "bad_host"),
        ("https://-example.org/", "bad_host"),
        ("https://exam%70le.org/", "bad_host"),
    ],
)
def test_an_ambiguous_url_is_refused(url, code):
    with pytest.raises(BadTarget) as bad:
        targets.read(url)
    assert bad.value.code == code
    assert bad.value.why.endswith(".")


@given(st.text(max_size=60))
def test_any_text_is_either_parsed_or_refused(text):
    for url in (text, f"https://{text}", f"http://[{text}]:{text}/"):
        try:
            read = targets.read(url)
        except BadTarget:
            continue
        assert (read.scheme in targets.PORTS, "@" in read.host, read.path.isprintable()) == (True, False, True)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "64:ff9b::10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:5db8:d822::1",
        "3fff::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
    ],
)
def test_private_and_special_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "1.1.1.1", "2606:4700::1111", "64:ff9b::5db8:d822", "::ffff:93.184.216.34"]
)
def test_ordinary_addresses_are_public(address):
    assert is_public(address)


class TestNames:
    @pytest.fixture
    def name(self, monkeypatch):
        def leads_to(*addresses):
            monkeypatch.setattr(targets, "resolve", lambda host, port: list(addresses))

        return leads_to

    def test_a_name_resolves_to_its_addresses(self, name):
        name("93.184.216.34", "2606:4700::1111")
        found = targets.addresses_of(targets.read("https://hooks.example.org"))
        assert found == ["93.184.216.34", "2606:4700::1111"]

    def test_a_target_with_one_private_address_among_public_ones_is_refused(self, name):
        name("93.184.216.34", "10.0.0.7")
        with pytest.raises(BadTarget) as bad:
            targets.addresses_of(targets.read("https://hooks.example.org"))
        assert bad.value.code == "private_address"
        assert "10.0.0.7" not in str(bad.value), "The message must not reveal our network."

    def test_the_operator_may_allow_private_addresses(self, name, settings):
        settings.WEBHOOKS_PRIVATE = True
        name("10.0.0.7")
        assert targets.addresses_of(targets.read("https://hooks.example.org")) == ["10.0.0.7"]

    @pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
    def test_this_machine_is_refused_under_any_name(self, host):
        with pytest.raises(BadTarget) as bad:
            targets.addresses_of(targets.read(f"http://{host}:8000/"))
        assert bad.value.code == "private_address"

    def test_an_unknown_name_is_refused(self, monkeypatch):
        def unknown(host, port):
            raise OSError("Name or service not known")

        monkeypatch.setattr(targets, "resolve", unknown)
        with pytest.raises(BadTarget) as bad:
            targets.addresses_of(targets.read("https://nobody.example"))
        assert bad.value.code == "unknown_host"

    def test_a_lookup_that_takes_too_long_is_abandoned(self, monkeypatch):
        answered = threading.Event()
        monkeypatch.setattr(targets, "LOOKED_UP_WITHIN", 0.01)
        monkeypatch.setattr(targets, "resolve", lambda host, port: answered.wait(20))
        with pytest.raises(BadTarget) as bad:
            targets.addresses_of(targets.read("https://slow.example"))
        answered.set()
        assert bad.value.code == "unknown_host"
