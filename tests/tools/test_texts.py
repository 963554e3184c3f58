from textwrap import dedent

from tools.texts import developer_texts, page_texts, script_comments, script_texts, template_texts, texts, user_texts


def user(source, path="cli/session.py"):
    return [found.text for found in user_texts(path, dedent(source))]


def test_a_message_is_listed_with_the_names_of_its_placeholders():
    assert user('refuse(f"Row {row + 1} already holds three cards.")') == ["Row {row + 1} already holds three cards."]


def test_a_verb_is_listed_in_the_past_tense():
    source = """tell(f"{names.subject(seat)} {names.verb('took', 'take')} row {row}.")"""
    assert user(source) == ["{names.subject(seat)} took row {row}."]


def test_a_label_is_listed_and_a_key_is_not():
    assert user('row("Deadline", match["deadline"])') == ["Deadline"]


def test_statements_patterns_and_paths_are_not_listed():
    assert user(r"""run("SELECT id FROM match", re.compile(r"(?:from )?to x"), "games/engine")""") == []


def test_docstrings_of_commands_are_listed_and_those_of_other_functions_are_not():
    source = 'def join():\n    """Take a seat."""\n'
    assert user(source, "cli/commands/lobby.py") == ["Take a seat."]
    assert user(source, "cli/session.py") == []


def test_templates_are_listed_without_their_tags():
    page = '<p title="Your seat">{% if x %}Hello {{ name }}{% endif %}</p>\n<b>{{ name }}</b>'
    assert [found.text for found in template_texts("page.html", page)] == ["Your seat", "Hello {{ name }}"]


def test_translated_texts_and_sentences_with_inline_tags_are_listed_whole():
    page = """<p>{% if x %}{% translate "Your move" %}{% else %}Wait{% endif %}</p>
<p aria-label="{% translate 'What to do' %}">Play as <strong>{{ name }}</strong>.</p>"""
    listed = [(found.line, found.text) for found in template_texts("page.html", page)]
    assert listed == [(1, "Your move | Wait"), (2, "What to do"), (2, "Play as {{ name }}.")]


def test_a_script_has_messages_for_users_and_comments_for_developers():
    script = '// Say it, don\'t\n// whisper.\nconst a = "game_over";\nshow(`Row ${row} is full.`); /** All rows. */\n'
    assert [(found.line, found.text) for found in script_texts("x.js", script)] == [(4, "Row ${row} is full.")]
    assert [found.text for found in script_comments("x.js", script)] == ["Say it, don't whisper.", "All rows."]


def test_a_paragraph_of_a_page_is_one_text():
    page = "# Rules\n\nDraw a card,\nthen place it.\n- Or take\n  a row.\n- Or pass.\n"
    found = [(text.line, text.text) for text in page_texts("rules.md", page)]
    assert found == [(1, "# Rules"), (3, "Draw a card, then place it."), (5, "- Or take a row."), (7, "- Or pass.")]


def test_developers_see_docstrings_comments_and_test_names():
    source = '"""Rules."""\nx = 1  # noqa: E501\n\n# Why this\n# is so.\ndef test_a_rule_holds():\n    pass\n'
    found = [text.text for text in developer_texts("x.py", source)]
    assert found == ["Rules.", "Why this is so.", "a rule holds"]


def test_every_part_of_the_product_has_texts():
    parts = {"accounts", "cli", "docs", "games", "notifications", "tools", "web"}
    assert {found.path.split("/")[0] for found in texts([*parts])} == parts
