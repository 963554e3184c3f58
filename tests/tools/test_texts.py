from textwrap import dedent

from tools.texts import (
    DEVELOPMENT,
    developer_texts,
    page_texts,
    script_comments,
    script_texts,
    settings_comments,
    template_texts,
    texts,
    user_texts,
)


def user(source, path="cli/session.py"):
    return [found.text for found in user_texts(path, dedent(source))]


def test_a_message_is_listed_with_the_names_of_its_placeholders():
    assert user('refuse(f"Row {row + 1} already holds three cards.")') == ["Row {row + 1} already holds three cards."]


def test_a_verb_with_two_forms_is_listed_in_the_past_tense():
    source = """tell(f"{names.subject(seat)} {names.verb('took', 'take')} row {row}.")"""
    assert user(source) == ["{names.subject(seat)} took row {row}."]


def test_a_label_is_listed_and_a_key_is_not():
    assert user('row("Deadline", match["deadline"])') == ["Deadline"]


def test_statements_and_patterns_and_paths_are_not_listed():
    assert user(r"""run("SELECT id FROM match", re.compile(r"(?:from )?to x"), "games/engine")""") == []
    assert user("run('LIMIT %s', '(SELECT id FROM match)', 'EXISTS (SELECT 1 FROM seat)', 'LISTEN events')") == []


def test_styles_and_names_in_all_are_not_listed():
    source = """
        __all__ = ["Match", "Seat"]
        ROW = TypeVar("Row", bound=Model)
        FONT = "font-family:Menlo,'Courier New',monospace"
        CELL = f"{CELL};padding:4px 12px"
        TITLE = "Seats"
    """
    assert user(source) == ["Seats"]


def test_names_of_types_are_not_listed_but_texts_beside_them_are():
    source = """
        def check(proof: "Proof", table: "Table | None", name: Annotated[str, Option(help="Your name.")]) -> "Board":
            pass
    """
    assert user(source) == ["Your name."]


def test_routes_and_headers_and_unicode_categories_are_not_listed():
    assert user('{"GET matches/*": 1}, mail["Subject"], {"Zl", "Cf"}, "Deadline"') == ["Deadline"]
    settings = (
        """response["Allow"], "text/plain; charset=utf-8", "private, no-cache", "user=9/minute, address=9/minute" """
    )
    assert user(settings) == []


def test_phrases_that_are_only_recognized_are_not_listed():
    source = 'START = ("sorry for the wait", "?take | ?place", "I couldn\'t read that.")'
    assert user(source, "inbound/reading/wording.py") == ["I couldn't read that."]


def test_markup_in_code_is_listed_without_its_tags():
    source = (
        """f'<td class="cell" aria-label="{square}, chosen"><b>Your row</b> {text}</td>' + '<p style="margin:0">'"""
    )
    assert user(source) == ["{square}, chosen Your row {text}"]


def test_docstrings_of_commands_are_listed_and_other_docstrings_are_not():
    source = 'def join():\n    """Take a seat."""\n'
    assert user(source, "cli/commands/lobby.py") == ["Take a seat."]
    assert user(source, "cli/session.py") == []


def test_templates_are_listed_without_their_tags():
    page = '<p title="Your seat">{% if x < 1 %}Hello {{ name }}{% endif %}</p>\n<b>{{ name }}</b>'
    page += "{% comment %}Why this is so.{% endcomment %}"
    assert [found.text for found in template_texts("page.html", page)] == ["Your seat", "Hello {{ name }}"]


def test_translated_strings_and_sentences_with_inline_tags_are_listed_whole():
    page = """<p>{% if x %}{% translate "Your move" %}{% else %}Wait{% endif %}</p>
<p aria-label="{% translate 'What to do' %}">Play as <strong>{{ name }}</strong>.</p>"""
    listed = [(found.line, found.text) for found in template_texts("page.html", page)]
    assert listed == [(1, "Your move | Wait"), (2, "What to do"), (2, "Play as {{ name }}.")]


def test_a_script_has_messages_for_users_and_comments_for_developers():
    script = '// Say it, don\'t\n// whisper.\nconst a = "game_over";\nshow(`Row ${row} is full.`); /** All rows. */\n'
    assert [(found.line, found.text) for found in script_texts("x.js", script)] == [(4, "Row ${row} is full.")]
    assert [found.text for found in script_comments("x.js", script)] == ["Say it, don't whisper.", "All rows."]


def test_a_paragraph_of_a_page_is_listed_as_a_whole():
    page = "# Rules\n\nDraw a card,\nthen place it.\n- Or take\n  a row.\n- Or pass.\n"
    found = [(text.line, text.text) for text in page_texts("rules.md", page)]
    assert found == [(1, "# Rules"), (3, "Draw a card, then place it."), (5, "- Or take a row."), (7, "- Or pass.")]


def test_developers_see_docstrings_and_comments_and_test_names():
    source = '"""Rules."""\nx = 1  # noqa: E501\n\n# Why this\n# is so.\ndef test_a_rule_holds():\n    pass\n'
    source += "def test_control_a_cheat_is_found():\n    pass\n"
    found = [text.text for text in developer_texts("x.py", source)]
    assert found == ["Rules.", "Why this is so.", "a rule holds", "control: a cheat is found"]


def test_developers_see_comments_in_settings_files():
    source = "# Where the data\n# is stored.\nDATA=/data\n  # Optional.\n"
    found = [(text.line, text.text) for text in settings_comments("x.env", source)]
    assert found == [(1, "Where the data is stored."), (4, "Optional.")]


def test_the_list_for_developers_includes_deployment_and_examples():
    parts = {"deploy", "examples", "manage.py", "tests"}
    assert {found.path.split("/")[0] for found in texts([*DEVELOPMENT], developers=True)} >= parts


def test_something_is_listed_for_every_part_of_the_product():
    parts = {"accounts", "cli", "docs", "games", "notifications", "tools", "web"}
    assert {found.path.split("/")[0] for found in texts([*parts])} == parts
