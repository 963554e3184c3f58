import pytest

from bench.document import page, targets, write

MEASURED = {
    "engine": ["setup  moves/s", "target for coloretto: 60,000 moves/s; the slowest setup reached 75,000: met"],
    "http": ["1,000   8   137", "            target: 60% of sql; reached 45%: MISSED"],
    "cli": ["target for turnpost --help: 1.25 x bare; it took 0.50 x: met"],
    "notifications": ["not measured: PostgreSQL cannot be reached"],
}


def test_every_target_is_a_row_with_its_result():
    assert [(target.label, target.result) for target in targets(MEASURED)] == [
        ("engine · coloretto: 60,000 moves/s", "met"),
        ("http · 60% of sql", "MISSED"),
        ("cli · turnpost --help: 1.25 x bare", "met"),
    ]
    assert "| http | 60% of sql | reached 45% | MISSED |" in page(MEASURED)


def test_the_margin_of_a_met_target_is_above_one_whether_more_or_less_is_better():
    assert [target.margin for target in targets(MEASURED)] == [1.25, 0.75, 2.5]


@pytest.mark.parametrize(
    "line",
    [
        "target: no move that its author didn't state; 0 of 240 replies, and 5 answered with a question: met",
        "target: idle streams: 5% of a core; 0.0%: met",
    ],
)
def test_a_target_without_a_ratio_gets_a_row_but_no_bar(line, tmp_path):
    measured = MEASURED | {"mails": [line]}
    assert targets({"mails": [line]})[0].margin is None
    write(measured, tmp_path)
    assert len(targets(measured)) == 4


def test_the_page_lists_what_was_measured_and_what_was_not():
    assert "1,000   8   137" in page(MEASURED)
    assert "not measured: PostgreSQL cannot be reached" in page(MEASURED)


def test_the_page_and_the_chart_are_written(tmp_path):
    write(MEASURED, tmp_path)
    assert (tmp_path / "figures.md").read_text() == page(MEASURED)
    assert (tmp_path / "figures.png").read_bytes().startswith(b"\x89PNG")
