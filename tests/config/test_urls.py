def test_the_schema_of_the_api_is_public_and_names_the_service(client):
    answer = client.get("/api/schema/?format=json")
    assert answer.status_code == 200
    assert answer.json()["info"]["title"] == "Turnpost"


def test_the_documentation_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js" in page
    assert "https://" not in page
