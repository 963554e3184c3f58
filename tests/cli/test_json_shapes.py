"""The --json output of every command is documented."""

import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator, ValidationError

from cli.json_shapes import OUTPUT, Problem, json_schema
from tests.cli.all_commands import all_commands
from tests.cli.shapes import check


def test_every_command_has_a_documented_shape_and_every_shape_belongs_to_a_command():
    assert {name.partition(" --")[0] for name in OUTPUT} == set(all_commands())


@pytest.mark.parametrize("shape", [*OUTPUT.values(), Problem])
def test_every_schema_is_valid(shape):
    Draft202012Validator.check_schema(json_schema(shape))


def test_control_a_missing_field_is_detected():
    check("notes", {"match": "k3v9mq2hd", "text": "", "more": 1})
    with pytest.raises(ValidationError, match="'text' is a required property"):
        check("notes", {"match": "k3v9mq2hd"})


def test_no_command_imports_the_shapes():
    script = "import sys; from tests.cli.all_commands import all_commands; all_commands(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "cli.commands.notify" in loaded
    assert not {"cli.json_shapes", "games.shapes", "django"} & set(loaded)
