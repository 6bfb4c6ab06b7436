"""Fixtures of the suite; README.md lists the environment variables."""

import os

import pytest

from service import Service, open_session


@pytest.fixture(scope="session")
def base_url():
    """Where the service listens."""
    return os.environ.get("RESTIVE_BASE_URL", "http://127.0.0.1:8080/api").rstrip("/")


@pytest.fixture(scope="session")
def session():
    """Connections, kept open between tests."""
    with open_session() as session:
        yield session


@pytest.fixture(autouse=True)
def reset(base_url, session):
    """Brings the service back to its first state before each test, when it has a call for that."""
    url = os.environ.get("RESTIVE_RESET_URL", "/reset")
    if url:
        verb = os.environ.get("RESTIVE_RESET_VERB", "POST")
        absolute = url if "://" in url else base_url + url
        answer = session.request(verb, absolute, allow_redirects=False, timeout=60)
        assert answer.status_code < 400, f"{verb} {absolute} answered {answer.status_code}"


@pytest.fixture
def service(base_url, session):
    """The service under test."""
    return Service(base_url, session)
