"""Clients can import response shapes without Django, and the values of the shapes match the models."""

import subprocess
import sys

import pytest
from msgspec.structs import fields

from accounts import shapes as accounts
from accounts.models import MailFrequency
from clock import shapes as clock
from clock.models import ProposalKind, ProposalStatus
from core import shapes as core
from games import shapes as games
from games.models import Phase
from notifications import shapes as notifications
from notifications.api.notifications import STATES, state_of
from notifications.models import Delivery, NotificationKind

MODULES = [accounts, clock, core, games, notifications]
SHAPES = [
    shape
    for module in MODULES
    for shape in vars(module).values()
    if isinstance(shape, type) and issubclass(shape, core.Shape) and shape.__module__ == module.__name__
]


def test_shapes_can_be_imported_without_django():
    names = ", ".join(module.__name__ for module in MODULES)
    script = f"import sys, {names}; print([name for name in ('django', 'rest_framework') if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_frozen_and_have_no_defaults(shape):
    assert shape.__struct_config__.frozen
    assert all(field.required for field in fields(shape))


@pytest.mark.parametrize(
    ("declared", "values"),
    [
        (games.PHASES, Phase.values),
        (clock.PROPOSAL_KINDS, ProposalKind.values),
        (clock.PROPOSAL_STATUSES, ProposalStatus.values),
        (accounts.MAIL_FREQUENCIES, MailFrequency.values),
        (notifications.KINDS, NotificationKind.values),
    ],
)
def test_the_values_of_a_field_match_its_model(declared, values):
    assert list(declared) == values


def test_every_delivery_state_of_the_model_maps_to_a_documented_state():
    assert {state_of(delivery) for delivery in Delivery.values} == set(notifications.STATES)
    assert set(STATES.values()) | {"queued"} == set(notifications.STATES)
