"""The secrecy tests would find a leak on any surface."""

import logging
import secrets
from itertools import count

import msgspec
import pytest
from django.db import transaction

from core import vault
from core.metrics import MOVES
from games.engine.choices import Choices
from games.selectors import history, presenters
from games.selectors.loading import load_match
from games.services import moves
from inbound.execution.run import Run
from notifications.webhooks import signed_payload
from tests.acceptance.secrecy import api, command_line, operators, outgoing, replies, situations
from tests.acceptance.secrecy.patterns import patterns
from tests.acceptance.secrecy.surfaces import BASIC, CHAT, OPERATOR, all_seen, differences
from tests.games.api.document import ROOT
from tests.toy_games.hush import Hush

pytestmark = pytest.mark.any_database


def named(state):
    return sum(name.number for name in state.named if name)


def choices_in_another_order(patch):
    honest = Hush.choices

    def choices(self, state, seat):
        moves = honest(self, state, seat).moves
        first = named(state) % len(moves)
        return Choices(moves[first:] + moves[:first])

    patch.setattr(Hush, "choices", choices)


def a_count_of_moves(patch):
    honest = presenters.summary

    def summary(match, seats, user):
        return msgspec.structs.replace(honest(match, seats, user), title=f"after {match.moves_made} moves")

    patch.setattr(presenters, "summary", summary)


def a_chatty_webhook(patch):
    patch.setattr(signed_payload, "first_sentence", lambda context: f"It is {named(context.state)}.")


def a_chatty_log(patch):
    honest = moves.readable_move

    def readable_move(loaded, seat, raw, turn):
        logging.getLogger("games.services.moves").debug("%s", raw)
        return honest(loaded, seat, raw, turn)

    patch.setattr(moves, "readable_move", readable_move)


def a_figure_for_each_move(patch):
    honest = moves.new_move

    def new_move(loaded, seat, move, *rest, **details):
        transaction.on_commit(MOVES.labels(loaded.match.game, loaded.engine.notation(move)).inc)
        return honest(loaded, seat, move, *rest, **details)

    patch.setattr(moves, "new_move", new_move)


def boards_of_the_first_seat(patch):
    honest = history.boards
    patch.setattr(history, "boards", lambda table, _, since, most: honest(table, 0, since, most))


def a_chatty_answer_by_mail(patch):
    patch.setattr(Run, "log_after", lambda runner, turn: [f"It is {named(load_match(runner.match_id).state)}."])


NUMBERED = [f"GET {ROOT}/me/notifications", f"GET {ROOT}/me/notifications?limit=1", "mails"]
LEAKS = [
    (choices_in_another_order, lambda sandbox: {sandbox.rivals[0]: [api.reads]}, "/choices"),
    (choices_in_another_order, lambda sandbox: {sandbox.rivals[0]: [outgoing.letters]}, "letter your_turn"),
    (choices_in_another_order, lambda sandbox: {sandbox.rivals[0]: [command_line.screens]}, "turnpost moves"),
    (a_count_of_moves, lambda sandbox: {sandbox.outsiders[-1]: [api.reads]}, "again"),
    (a_chatty_answer_by_mail, lambda sandbox: {sandbox.rivals[0]: [replies.answers]}, "reply log on turn"),
    (a_chatty_answer_by_mail, lambda sandbox: {sandbox.rivals[0]: [replies.answers]}, "on turn 0"),
    (a_chatty_webhook, lambda _: {CHAT: [outgoing.calls_of_all]}, "webhook of"),
    (a_chatty_log, lambda _: {OPERATOR: [operators.log_lines]}, "log"),
    (a_figure_for_each_move, lambda _: {OPERATOR: [operators.metrics]}, 'source="name'),
]


@pytest.mark.parametrize("sandbox", ["hush"], indirect=True)
@pytest.mark.parametrize(("leak", "looks", "place"), LEAKS)
def test_a_leak_is_found_on_every_surface(sandbox, leak, looks, place, monkeypatch):
    leak(monkeypatch)
    one, _, other = [seen(sandbox, act, looks(sandbox)) for act in situations.sealed(sandbox)]
    assert any(place in told for told in differences(one, other))


@pytest.mark.parametrize("sandbox", ["hush", "colorado-county"], indirect=True)
def test_leaks_in_past_boards_are_found(sandbox, monkeypatch):
    boards_of_the_first_seat(monkeypatch)
    for viewer in (sandbox.players[1], sandbox.outsiders[1]):
        one, other = [seen(sandbox, act, {viewer: [api.reads]}) for act in situations.hidden_from(sandbox, viewer.seat)]
        assert any("/boards" in told for told in differences(one, other)), viewer


@pytest.mark.parametrize("sandbox", ["colorado-county"], indirect=True)
def test_lengths_that_reveal_a_secret_in_the_database_are_found(sandbox, monkeypatch):
    honest = vault.encrypt
    monkeypatch.setattr(vault, "encrypt", lambda content, **_: honest(content, step=1))
    one, other = [seen(sandbox, act, {OPERATOR: [operators.rows]}) for act in situations.sealed_short_and_long(sandbox)]
    found = {told.partition("\n")[0] for told in differences(one, other)}
    assert {f"{OPERATOR}: rows of {name}" for name in ("StoredResult", "Move")} <= found


@pytest.mark.parametrize("sandbox", ["hush"], indirect=True)
def test_sequential_ids_are_found(sandbox, monkeypatch):
    looks, worlds = dict.fromkeys([sandbox.rivals[0], *sandbox.outsiders[:2]], BASIC), []
    for act in situations.replaced_by_mail(sandbox):
        counter = count(10_000)
        monkeypatch.setattr(secrets, "randbits", lambda _, counter=counter: next(counter))
        worlds.append(patterns(seen(sandbox, act, looks)))
    one, other = worlds
    found = [told.partition("\n")[0] for told in differences(one, other)]
    assert {f"{viewer}: {place}" for viewer in looks for place in NUMBERED} <= set(found)


def seen(sandbox, act, looks):
    sandbox.figures = operators.figures()
    with sandbox.world():
        sandbox.run(act)
        return all_seen(sandbox, looks)
