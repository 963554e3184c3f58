"""Secrets are compared in constant time, and never looked up by a value that could be guessed letter by letter."""

import ast
import re
import secrets
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from accounts import links as account_links
from accounts import registration
from accounts.models import Registration, Token
from games.services import invitations, lobby
from games.services import invitations as game_links
from notifications import reply_addresses
from notifications.context import load
from notifications.models import Notification
from notifications.unsubscribe import read_subscription, unsubscribe_link
from tests.callers import caller
from tests.games.builders import plan, player, running_match

ROOT = Path(__file__).parents[3]
PACKAGES = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
SOURCES = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if "engine" not in path.parts]
SECRET = re.compile(
    r"(^|_)(tokens?|secrets?|signatures?|signed|digests?|hash|mac|hmac|nonce|code|passwords?|mark|fingerprint)$",
    re.IGNORECASE,
)
LOOKS = {"filter", "get", "exclude", "get_or_404", "Q"}
EXPLAINED = {
    # This checks whether a caller has reused a key for the same request. Both values are the caller's own.
    ("games/services/idempotency.py", "stored.fingerprint != request.fingerprint"),
    # The hash of a long random key. Even knowing the whole hash doesn't help an attacker find the key.
    ("accounts/browser_sessions.py", "BrowserSession.objects.filter(digest=_digest(key))"),
    # The hash of a long random token, which is then compared in constant time before anything is shown.
    ("games/selectors/lists.py", "Token.objects.filter(digest=DIGEST)"),
    # This checks which of our workers has claimed a job. Both values are internal.
    ("core/jobs/queue.py", "job.claim == token"),
    # These comparisons run on the player's own machine, on their own input and files, and on a public proof.
    ("cli/session.py", "getpass('Repeat password: ') == password"),
    ("cli/session.py", "profile.token == saved.token"),
    ("cli/proof_check.py", "recorded != proof.terms.secret_hash"),
    ("cli/proof_check.py", "view['hash'] != sha256(canonical(true[number])).hexdigest()"),
    ("cli/salt_check.py", "notes.get('hash_before_salt') != proof.terms.secret_hash"),
    ("cli/commands/proof.py", "signed == total"),
    ("cli/signature_check.py", "signed == len(receipts)"),
    ("cli/commands/lobby.py", "notes.get('invitation') == token"),
    # The hashes of the chain are public.
    (
        "games/services/audit.py",
        "stored != (replay.turn, len(stored_moves), replay.chain.number, last_hash(match, replay), sealed)",
    ),
}


def names_of(node):
    """Return the last name in an expression, such as `digest` in `token.digest`, `self.digest()` and `row["digest"]`.

    For an f-string, return the names in all its parts.
    """
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return [name]
        case ast.Call(func=called):
            return names_of(called)
        case ast.Subscript(slice=ast.Constant(value=str(name))):
            return [name]
        case ast.JoinedStr(values=parts):
            return [name for part in parts if isinstance(part, ast.FormattedValue) for name in names_of(part.value)]
        case _:
            return []


def is_constant(node):
    """Return whether this is a literal, or a constant of a module or class.

    Settings don't count, because they may be secret.
    """
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            return name.isupper()
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return name.isupper() and owner[0].isupper()
        case _:
            return False


def parts_of(node):
    """Return the elements of a tuple, list or set, which are compared one by one."""
    return node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]


def compares_whole(node):
    """Return whether whole values are compared, with ==, != or membership in a literal. Substring tests don't count."""
    return all(
        isinstance(sign, ast.Eq | ast.NotEq)
        or (isinstance(sign, ast.In | ast.NotIn) and isinstance(side, ast.Tuple | ast.List | ast.Set))
        for sign, side in zip(node.ops, node.comparators, strict=True)
    )


def comparisons(tree):
    """Find database lookups by a secret, and comparisons without constants in which one side is named like a secret."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *(part for side in node.comparators for part in parts_of(side))]
            if compares_whole(node) and not any(map(is_constant, sides)):
                yield from [node] * any(SECRET.search(name) for side in sides for name in names_of(side))
        elif isinstance(node, ast.Call) and set(names_of(node.func)) & LOOKS:
            asked = [name for name, value in looked_for(node) if not isinstance(value, ast.Constant)]
            yield from [node] * any(SECRET.search(word) for name in asked for word in name.split("__"))


def looked_for(call):
    """Yield the fields of a query, including those passed as a dictionary."""
    for keyword in call.keywords:
        if keyword.arg:
            yield keyword.arg, keyword.value
        elif isinstance(keyword.value, ast.Dict):
            pairs = zip(keyword.value.keys, keyword.value.values, strict=True)
            yield from ((name.value, value) for name, value in pairs if isinstance(name, ast.Constant))


def suspicious(source):
    return {ast.unparse(node) for node in comparisons(ast.parse(source))}


def test_every_package_is_searched():
    found = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert found - {"tests", "bench", "demo", "tools"} == set(PACKAGES)


def test_every_secret_is_compared_in_constant_time():
    found = {(str(path.relative_to(ROOT)), said) for path in SOURCES for said in suspicious(path.read_text())}
    assert len(SOURCES) > 250
    assert found == EXPLAINED


@pytest.mark.parametrize(
    "written",
    [
        "if token == expected: pass",
        "return row.digest != hash_token(given)",
        "signature(parts) == signed",
        "return mark in (password_mark(user),)",
        'kept["reset_token"] == asked',
        "Token.objects.filter(digest=hash_token(given))",
        "Webhook.objects.get(user=user, secret=given)",
        "return given == settings.METRICS_TOKEN",
        "return authorization == f'Bearer {token}'",
        "return given == f'{settings.METRICS_TOKEN}'",
        "Token.objects.filter(Q(digest=given))",
        "Token.objects.filter(Q(user=user) & ~Q(digest__exact=given))",
        "Token.objects.filter(**{'digest': given})",
    ],
)
def test_control_the_rule_finds_unsafe_comparisons(written):
    assert suspicious(f"def f():\n    {written}")


@pytest.mark.parametrize(
    "written",
    [
        "if code == TAKEN: pass",
        "return notification.kind == NotificationKind.DIGEST",
        "return token == ''",
        "Token.objects.filter(user=user)",
    ],
)
def test_control_the_rule_ignores_constants(written):
    assert not suspicious(f"def f():\n    {written}")


@pytest.fixture
def compared(monkeypatch):
    """Collect every pair that was compared in constant time."""
    seen: list[bytes] = []
    compare = secrets.compare_digest

    def spy(one, other):
        seen.extend(part.encode() if isinstance(part, str) else bytes(part) for part in (one, other))
        return compare(one, other)

    for place in ("secrets.compare_digest", "hmac.compare_digest", "accounts.authentication.compare_digest"):
        monkeypatch.setattr(place, spy)
    return seen


def waiting():
    soon = timezone.now() + timedelta(days=1)
    return Registration.objects.create(username="zoe", email="zoe@example.org", expires_at=soon)


def token(settings):
    token, secret = Token.objects.create(player("ann"), timedelta(days=1), name="laptop")
    client = caller()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert client.get("/api/v1/me").status_code == 200
    return token.digest


def code_of_a_registration(settings):
    applied = waiting()
    registration.confirm_by_code(applied.pk, account_links.confirmation_code(applied), "10.0.0.1")
    return account_links.confirmation_code(applied)


def link_of_a_registration(settings):
    signed = account_links.confirmation_token(waiting())
    assert account_links.read_confirmation(signed)
    return signed.rpartition(":")[2]


def link_for_a_password(settings):
    ann = player("ann")
    signed = account_links.reset_token(ann)
    assert account_links.is_reset_token(signed, ann)
    return signed.partition("-")[2]


def link_for_another_address(settings):
    signed = account_links.address_change_token(player("ann"), "new@example.org")
    assert account_links.read_address_change(signed)
    return signed.rpartition(":")[2]


def link_of_an_invitation(settings):
    invited = invitations.invite(lobby.create(player("ann"), plan()).match.id, player("ann"), "ben@example.org")
    signed = game_links.invitation_token(invited.pk)
    assert game_links.invitation_of(signed) == invited.pk
    return signed.rpartition(":")[2]


def link_that_unsubscribes(settings):
    running_match()
    signed = unsubscribe_link(load([Notification.objects.latest("created_at").pk])[0]).rpartition("/")[2]
    assert read_subscription(signed)
    return signed.rpartition(":")[2]


def reply_address(settings):
    settings.REPLY_DOMAIN = "reply.example.org"
    address = reply_addresses.reply_address(1, 2, "ann@example.org", timezone.now())
    content = reply_addresses.read(address)
    assert content.was_mailed_to("ann@example.org")
    return reply_addresses.reader("ann@example.org")


def token_for_metrics(settings):
    settings.METRICS_TOKEN = "only for prometheus"
    assert Client().get("/metrics", headers={"Authorization": "Bearer only for prometheus"}).status_code == 200
    return "Bearer only for prometheus"


CHECKS = [
    token,
    code_of_a_registration,
    link_of_a_registration,
    link_for_a_password,
    link_for_another_address,
    link_of_an_invitation,
    link_that_unsubscribes,
    reply_address,
    token_for_metrics,
]


@pytest.mark.django_db
@pytest.mark.any_database
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_signatures_and_tokens_are_compared_in_constant_time(check, compared, settings):
    secret = check(settings)
    assert (secret if isinstance(secret, bytes) else secret.encode()) in compared
