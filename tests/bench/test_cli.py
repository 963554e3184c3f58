from bench.cli import beside_httpie
from bench.document import bars


def test_the_comparison_with_httpie_is_a_bar_of_the_page():
    took = {"turnpost --help": 0.1, "turnpost status": 0.3, "http --version": 0.4}
    (bar,) = bars({"cli": [beside_httpie(took)]})
    assert (round(bar.margin, 2), bar.verdict) == (1.33, "met")


def test_without_httpie_it_says_so():
    assert "nothing was compared" in beside_httpie({"turnpost --help": 0.1, "turnpost status": 0.3})
