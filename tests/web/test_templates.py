"""All text in templates can be translated."""

import re
from pathlib import Path

import pytest

TEMPLATES = sorted(Path("web/templates").rglob("*.html"))
NOT_TEXT = re.compile(
    r"{% (blocktranslate|comment).*?{% end\1 %}|{% block body_class %}\w*|<(code|pre)[ >].*?</\2>", re.S
)
TAG = re.compile(r"{%.*?%}|{{.*?}}", re.S)
SPOKEN = re.compile(r'(?:alt|aria-label|title)="([^"]*)"')
SAME_IN_EVERY_LANGUAGE = {"Turnpost", "· Turnpost"}


def untranslated(page: str) -> set[str]:
    rest = TAG.sub("", NOT_TEXT.sub("", page)).replace("<!doctype html>", "")
    texts = [text.strip() for text in [*re.sub("<[^>]*>", "\n", rest).splitlines(), *SPOKEN.findall(rest)]]
    return {text for text in texts if re.search("[A-Za-z]{2}", text)} - SAME_IN_EVERY_LANGUAGE


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_all_text_in_a_template_can_be_translated(template):
    assert not untranslated(template.read_text())


def test_control_untranslated_text_is_found():
    page = """{% translate "Good" %} <p title="Not good">Bad {{ name }}</p> <code>turnpost</code>"""
    assert untranslated(page) == {"Not good", "Bad"}
