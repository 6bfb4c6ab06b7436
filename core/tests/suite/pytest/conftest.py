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


@pytest.fixture
def service(base_url, session):
    """The service under test, in its first state when it has a call for that."""
    service = Service(base_url, session)
    url = os.environ.get("RESTIVE_RESET_URL", "/reset")
    if url:
        answer = service.request(os.environ.get("RESTIVE_RESET_VERB", "POST"), url)
        assert answer.status_code < 400, f"{url} answered {answer.status_code}"
    return service
