import pytest
from django.utils import timezone

from core.models import RateCount

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.core.toy")]


def rows(*counts):
    for number, count in enumerate(counts):
        RateCount.objects.create(key=f"k{number:02}", count=count, until=timezone.now())


def keys(page):
    return [row["key"] for row in page["results"]]


def pages(client, address, direction="next"):
    while address:
        page = client.get(address).json()
        yield page
        address = page[direction]


def test_an_empty_list_has_one_page(client):
    assert client.get("/api/v1/rows").json() == {"next": None, "previous": None, "results": []}


def test_following_the_next_links_shows_every_row_once_even_with_ties(client):
    rows(*[7, 7, 7, 7, 7, 3, 9, 3])
    seen = [key for page in pages(client, "/api/v1/rows") for key in keys(page)]
    assert seen == ["k06", "k00", "k01", "k02", "k03", "k04", "k05", "k07"]


def test_the_previous_links_lead_back_the_same_way(client):
    rows(*[7, 7, 7, 7, 7, 3, 9, 3])
    there = list(pages(client, "/api/v1/rows"))
    back = list(pages(client, there[-1]["previous"], "previous"))
    assert [keys(page) for page in back] == [keys(page) for page in there[-2::-1]]
    assert back[-1]["previous"] is None


def test_adding_a_row_neither_repeats_nor_hides_another(client):
    rows(5, 4, 3, 2)
    first = client.get("/api/v1/rows").json()
    RateCount.objects.create(key="new", count=9, until=timezone.now())
    assert keys(client.get(first["next"]).json()) == ["k03"]


def test_links_are_absolute_and_keep_other_parameters(client):
    rows(5, 4, 3, 2)
    link = client.get("/api/v1/rows?limit=2&game=coloretto").json()["next"]
    assert link.startswith("http://testserver/api/v1/rows?")
    assert "limit=2" in link
    assert "game=coloretto" in link


@pytest.mark.parametrize("limit", ["0", "6", "-1", "x", "", "1.5", "²", "9" * 5000, "0000000019999999", "05"])
def test_the_page_size_is_limited(client, limit):
    problem = client.get("/api/v1/rows", {"limit": limit})
    assert problem.status_code == 400
    assert problem.json()["message"] == "limit: Must be a number from 1 to 5."


@pytest.mark.parametrize("cursor", ["", "x", "W10", "é", "a:b:c", "x" * 5000])
def test_a_forged_cursor_is_refused(client, cursor):
    assert client.get("/api/v1/rows", {"cursor": cursor}).json()["code"] == "invalid"


def test_a_page_takes_one_query(client, django_assert_num_queries):
    rows(5, 4, 3, 2)
    link = client.get("/api/v1/rows").json()["next"]
    with django_assert_num_queries(1):
        client.get(link)
