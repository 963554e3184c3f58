"""Every command, including subcommands."""

from typing import Any

from cli.command_list import COMMANDS
from cli.main import load_command


def all_commands() -> dict[str, Any]:
    """Return every command, by the name that users type."""
    found = {name: load_command(name) for name in COMMANDS}
    for name, group in list(found.items()):
        inner = getattr(group, "commands", {})
        found |= {f"{name} {word}": command for word, command in inner.items()}
        if inner:
            del found[name]
    return found
