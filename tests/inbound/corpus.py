"""Replies as various mail programs send them, written for this project. Each has an expected result."""

import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent / "corpus"
EXPECTED = tomllib.loads((FOLDER / "expected.toml").read_text("utf-8"))
MAILS = {path.stem: path.read_bytes() for path in sorted(FOLDER.glob("*.eml"))}
