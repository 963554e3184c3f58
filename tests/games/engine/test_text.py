import pytest

from games.engine.text import counted, cut, fit, listing, width


@pytest.mark.parametrize(
    ("name", "fitted"),
    [
        ("Ann", "Ann   "),
        ("Sixsix", "Sixsix"),
        ("Bartholomew", "Barth."),
        ("王小明", "王小明"),
        ("王小明王", "王小. "),
        ("Zoe\N{COMBINING DIAERESIS}", "Zoe\N{COMBINING DIAERESIS}   "),
        ("", "      "),
    ],
)
def test_text_is_padded_or_cut_to_a_terminal_width(name, fitted):
    assert fit(name, 6) == fitted
    assert width(fitted) == 6


def test_cut_text_is_not_padded():
    assert (cut("Ann", 6), cut("Bartholomew", 6)) == ("Ann", "Barth.")


@pytest.mark.parametrize(
    ("items", "listed"), [([], ""), (["Ann"], "Ann"), (["Ann", "Ben"], "Ann and Ben"), (["A", "B", "C"], "A, B and C")]
)
def test_a_list_reads_like_a_sentence(items, listed):
    assert listing(items) == listed


@pytest.mark.parametrize(("number", "text"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (-1, "-1 cards")])
def test_one_is_singular_and_every_other_number_is_plural(number, text):
    assert counted(number, "card") == text
