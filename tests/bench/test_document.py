from bench.document import bars, page, write

MEASURED = {
    "engine": ["setup  moves/s", "bar for coloretto: 60,000 moves/s; the slowest setup has 75,000: met"],
    "http": ["1,000   8   137", "            bar: 60% of sql; it is 45%: MISSED"],
    "cli": ["bar for turnpost --help: 1.25 x bare; it takes 0.50 x: met"],
    "notifications": ["not measured: PostgreSQL cannot be reached"],
}


def test_every_bar_is_a_row_with_its_result():
    assert [(bar.label, bar.result) for bar in bars(MEASURED)] == [
        ("engine · coloretto: 60,000 moves/s", "met"),
        ("http · 60% of sql", "MISSED"),
        ("cli · turnpost --help: 1.25 x bare", "met"),
    ]
    assert "| http | bar: 60% of sql | it is 45% | MISSED |" in page(MEASURED)


def test_the_margin_is_above_one_if_the_bar_is_met_whether_more_or_less_is_better():
    assert [bar.margin for bar in bars(MEASURED)] == [1.25, 0.75, 2.5]


def test_the_page_lists_everything_measured_and_what_was_not():
    assert "1,000   8   137" in page(MEASURED)
    assert "not measured: PostgreSQL cannot be reached" in page(MEASURED)


def test_page_and_chart_are_written(tmp_path):
    write(MEASURED, tmp_path)
    assert (tmp_path / "figures.md").read_text() == page(MEASURED)
    assert (tmp_path / "figures.png").read_bytes().startswith(b"\x89PNG")
