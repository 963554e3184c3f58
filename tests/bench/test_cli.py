from bench.cli import beside_httpie
from bench.document import targets


def test_the_comparison_with_httpie_has_a_target():
    took = {"turnpost --help": 0.1, "turnpost status": 0.3, "http --version": 0.4}
    (target,) = targets({"cli": [beside_httpie(took)]})
    assert (round(target.margin or 0, 2), target.result) == (1.33, "met")


def test_without_httpie_nothing_is_compared():
    assert "not compared with httpie" in beside_httpie({"turnpost --help": 0.1, "turnpost status": 0.3})
