import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from cli.sanitize import one_line, printable, sanitized


@given(st.text())
def test_printable_text_cannot_control_a_terminal(text):
    shown = printable(text)
    assert not any(unicodedata.category(c) in ("Cc", "Zl", "Zp", "Cs") and c not in "\n\t" for c in shown)
    assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c\u200b\ufeff")


def test_ordinary_names_are_not_changed():
    for name in ("Zoë", "猫", "अनन्या", "👩\u200d🚀", "O'Brien"):
        assert printable(name) == name


def test_a_name_is_printed_on_one_line():
    assert one_line("Ann\n\n  was\there ") == "Ann was here"


@given(
    st.recursive(
        st.text() | st.integers() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_sanitizing_keeps_the_structure_of_a_document(document):
    assert type(sanitized(document)) is type(document)
    assert sanitized(sanitized(document)) == sanitized(document)
