"""Calls that are refused, and the rest."""

import pytest


def test_get_ping_returns_400(service):
    """What `get_ping_returns_400` is about."""
    response = service.get(
        "//ping?b=1&a=2&b=3",
        headers=[("X-One", "é1"), ("X-Two", "é2"), ("x-one", "é3")],
    )
    assert response.status_code == 400


def test_put_blob_returns_415(service):
    """What `put_blob_returns_415` is about."""
    response = service.put(
        "/blob",
        headers={"Content-Type": "application/octet-stream"},
        body=b"\x00\xff\"\\",
    )
    assert response.status_code == 415


def test_delete_things_returns_400(service):
    """What `delete_things_returns_400` is about."""
    response = service.delete("/things", body='{"a": 1}')
    assert response.status_code == 400


def test_trace_root_returns_405(service):
    """What `trace_root_returns_405` is about.

    Left out: GET /late answered 200 once and 503 at another time.
    """
    response = service.trace("/")
    assert response.status_code == 405


@pytest.mark.skip(reason="Left out: GET /slow got no answer within the time limit.")
def test_get_slow_without_a_stable_answer():
    """What `get_slow_without_a_stable_answer` is about.

    Left out: GET /slow got no answer within the time limit.
    """
