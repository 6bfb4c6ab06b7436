"""Faults: what the service answers wrongly today.

The tests pass on the unchanged service, so they assert the wrong answers. Once a fault is fixed its test
fails: expect the right status and body then, and keep the test.
"""

import pytest
import requests

from service import at, is_date_time, is_uuid, media_type


def test_post_orders_then_get_orders_by_id_wrongly_returns_500(service):
    """GET /orders/{id}: server error (status 500) - the answer is 500.

    Shows F1.
    Covers Orders:31, 32, 33, 34, 35, 36 and 1 more.
    Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
    """
    # POST /orders
    response = service.post(
        "/orders",
        json={
            "item": "book",
            "quantity": 2,
            "note": "as a gift, please wrap it well",
            "tags": ["a", "b"],
            "price": 9.5,
        },
    )
    assert response.status_code == 201
    assert media_type(response) == "application/json"
    assert response.headers["cache-control"] == "no-store, private"
    assert "location" in response.headers
    body = response.json()
    assert body["item"] == "book"
    assert body["quantity"] == 2
    assert body["price"] == 9.5
    assert body["total"] == pytest.approx(1.2345678901234568e+21)
    assert isinstance(body["id"], (int, float))
    assert isinstance(body["rate"], (int, float))
    assert body["count"] == 9007199254740993
    assert len(body["lines"]) == 1
    assert body["lines"][0]["open"] is True
    assert at(body, "/lines/0/0") == "key that looks like a position"
    assert body["history"] == []
    assert is_uuid(body["key"])
    assert is_date_time(body["made"])
    assert sorted(body["labels"]) == ["new", "paid"]
    assert sorted(body["counts"]) == [2, 10]
    assert body["paid"] is None
    order_id = body["id"]

    # GET /orders/{id}
    response = service.get(f"/orders/{order_id}")
    assert response.status_code == 500


def test_post_drop_wrongly_breaks_the_connection(service):
    """What `post_drop_wrongly_breaks_the_connection` is about.

    Once it is fixed this fails: expect the right answer then, and take 'wrongly' out of the name.
    """
    with pytest.raises(requests.ConnectionError):
        service.post("/drop", headers={"X-One": "1"})
