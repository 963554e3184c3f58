"""What is counted inside tells nothing outside, and can be found again."""

from core.numbers import disguised, undisguised
from hypothesis import given
from hypothesis import strategies as st

numbers = st.integers(0, 2**40 - 1)
SOME = range(1, 2001)


@given(numbers)
def test_a_number_is_found_again_and_stays_as_short(number):
    assert undisguised(disguised(number)) == number == disguised(undisguised(number))
    assert 0 <= disguised(number) < 2**40


def test_no_two_share_a_number():
    assert len({disguised(number) for number in SOME}) == len(SOME)


def test_what_comes_later_is_as_often_less_as_more():
    rises = sum(disguised(number) < disguised(number + 1) for number in SOME)
    assert 0.4 < rises / len(SOME) < 0.6


def test_one_more_changes_half_of_all_bits():
    changed = sum((disguised(number) ^ disguised(number + 1)).bit_count() for number in SOME)
    assert 18 < changed / len(SOME) < 22


def test_with_another_secret_key_the_numbers_are_others(settings):
    ours = [disguised(number) for number in SOME]
    settings.SECRET_KEY = "another"
    assert not set(ours) & {disguised(number) for number in SOME}
