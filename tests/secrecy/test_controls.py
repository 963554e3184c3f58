"""As a control: a service that leaks is found out, wherever it leaks."""

import logging

import pytest
from django.db import transaction

from games import boards, numbers, play, record, showing
from games.engine.choices import Choices
from games.hooks import body
from games.mail.inbound.carrying_out import Errand
from games.table import lay_table
from metrics import counts
from tests.api.document import ROOT
from tests.secrecy import api, operators, post, replies, situations, terminal
from tests.secrecy.patterns import patterns
from tests.secrecy.surfaces import AT_A_GLANCE, CHAT, OPERATOR, all_seen, differences
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
    honest = showing.summary
    patch.setattr(showing, "summary", lambda match, seats, user: {**honest(match, seats, user), "n": match.moves_made})


def a_chatty_webhook(patch):
    patch.setattr(body, "first_sentence", lambda occasion: f"It is {named(occasion.state)}.")


def a_chatty_log(patch):
    honest = play.read_move

    def read_move(table, raw):
        logging.getLogger("games.play").debug("%s", raw)
        return honest(table, raw)

    patch.setattr(play, "read_move", read_move)


def a_figure_for_each_move(patch):
    honest = record.keep_move

    def keep_move(table, seat, move, *rest, **details):
        transaction.on_commit(counts.one_move(table.match.game, table.engine.notation(move)))
        return honest(table, seat, move, *rest, **details)

    patch.setattr(record, "keep_move", keep_move)


def boards_of_the_first_seat(patch):
    honest = boards.boards
    patch.setattr(boards, "boards", lambda table, _, since, most: honest(table, 0, since, most))


def a_chatty_answer_by_mail(patch):
    patch.setattr(Errand, "log_after", lambda errand, turn: [f"It is {named(lay_table(errand.match_id).state)}."])


NUMBERED = [f"GET {ROOT}/me/notices", f"GET {ROOT}/me/notices?limit=1", "mails"]
LEAKS = [
    (choices_in_another_order, lambda stage: {stage.rivals[0]: [api.reads]}, "/choices"),
    (choices_in_another_order, lambda stage: {stage.rivals[0]: [post.letters]}, "letter your_turn"),
    (choices_in_another_order, lambda stage: {stage.rivals[0]: [terminal.screens]}, "turnpost moves"),
    (a_count_of_moves, lambda stage: {stage.outsiders[-1]: [api.reads]}, "again"),
    (a_chatty_answer_by_mail, lambda stage: {stage.rivals[0]: [replies.answers]}, "reply log on turn"),
    (a_chatty_answer_by_mail, lambda stage: {stage.rivals[0]: [replies.answers]}, "on turn 0"),
    (a_chatty_webhook, lambda _: {CHAT: [post.calls_of_all]}, "webhook of"),
    (a_chatty_log, lambda _: {OPERATOR: [operators.log_lines]}, "log"),
    (a_figure_for_each_move, lambda _: {OPERATOR: [operators.metrics]}, 'source="name'),
]


@pytest.mark.parametrize("stage", ["hush"], indirect=True)
@pytest.mark.parametrize(("leak", "looks", "place"), LEAKS)
def test_a_leak_is_found(stage, leak, looks, place, monkeypatch):
    leak(monkeypatch)
    one, _, other = [seen(stage, act, looks(stage)) for act in situations.sealed(stage)]
    assert any(place in told for told in differences(one, other))


@pytest.mark.parametrize("stage", ["hush", "colorado-county"], indirect=True)
def test_past_boards_of_somebody_else_are_found(stage, monkeypatch):
    boards_of_the_first_seat(monkeypatch)
    for viewer in (stage.players[1], stage.outsiders[1]):
        one, other = [seen(stage, act, {viewer: [api.reads]}) for act in situations.hidden_from(stage, viewer.seat)]
        assert any("/boards" in told for told in differences(one, other)), viewer


@pytest.mark.parametrize("stage", ["hush"], indirect=True)
def test_numbers_that_count_are_found(stage, monkeypatch):
    for way in ("disguised", "undisguised"):
        monkeypatch.setattr(numbers, way, int)
    looks = dict.fromkeys([stage.rivals[0], *stage.outsiders[:2]], AT_A_GLANCE)
    one, other = [patterns(seen(stage, act, looks)) for act in situations.replaced_by_mail(stage)]
    found = [told.partition("\n")[0] for told in differences(one, other)]
    assert {f"{viewer}: {place}" for viewer in looks for place in NUMBERED} <= set(found)


def seen(stage, act, looks):
    stage.figures = operators.figures()
    with stage.world():
        stage.happen(act)
        return all_seen(stage, looks)
