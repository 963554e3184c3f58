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


def test_the_margin_is_above_one_if_the_target_is_met_whether_more_or_less_is_better():
    assert [target.margin for target in targets(MEASURED)] == [1.25, 0.75, 2.5]


def test_the_page_lists_everything_that_was_measured_and_everything_that_was_not():
    assert "1,000   8   137" in page(MEASURED)
    assert "not measured: PostgreSQL cannot be reached" in page(MEASURED)


def test_the_page_and_the_chart_are_written(tmp_path):
    write(MEASURED, tmp_path)
    assert (tmp_path / "figures.md").read_text() == page(MEASURED)
    assert (tmp_path / "figures.png").read_bytes().startswith(b"\x89PNG")
